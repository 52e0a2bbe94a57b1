//! Debian's s3270 as the terminal: actions in, screens out.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long the host may take for a screen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running emulator.
pub(crate) struct S3270 {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    /// Status line of the last action.
    pub(crate) status: String,
}

/// The emulator is installed.
pub(crate) fn available() -> bool {
    let found = Command::new("s3270").arg("-v").output().is_ok();
    if !found {
        transom_needed::skipped("s3270 is not installed");
    }
    found
}

impl S3270 {
    /// Connects as `model`, for example `3279-2-E`.
    pub(crate) fn connect(model: &str, host: &str) -> Self {
        let mut child = Command::new("s3270")
            .args(["-model", model, "-utf8"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = child.stdout.take().unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test ends by itself")]
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let mut terminal = Self {
            child,
            stdin,
            lines,
            status: String::new(),
        };
        terminal.act(&format!("Connect({host})"));
        terminal.act("Wait(10,Unlock)");
        terminal
    }

    /// Runs an action; answers its data lines, or its error text.
    pub(crate) fn action(&mut self, action: &str) -> Result<Vec<String>, String> {
        writeln!(self.stdin, "{action}").map_err(|e| e.to_string())?;
        let mut data = Vec::new();
        loop {
            let line = self
                .lines
                .recv_timeout(PATIENCE)
                .map_err(|_| format!("{action}: no answer"))?;
            match line.as_str() {
                "ok" => return Ok(data),
                "error" => return Err(format!("{action}: {}", data.join(" "))),
                _ => match line.strip_prefix("data: ") {
                    Some(text) => data.push(text.to_owned()),
                    None => self.status = line,
                },
            }
        }
    }

    /// An action that must work.
    pub(crate) fn act(&mut self, action: &str) -> Vec<String> {
        let result = self.action(action);
        result.unwrap_or_else(|e| panic!("{e}\n{}", self.status))
    }

    /// The screen, one line a row.
    pub(crate) fn screen(&mut self) -> Vec<String> {
        self.act("Ascii()")
    }

    /// Text at a place; row and column from 1.
    pub(crate) fn text(&mut self, row: usize, column: usize, length: usize) -> String {
        let screen = self.screen();
        let line = screen.get(row - 1).map_or("", String::as_str);
        let text: String = line.chars().skip(column - 1).take(length).collect();
        text.trim().to_owned()
    }

    /// Puts text into the field at a place, over what was there.
    pub(crate) fn fill(&mut self, row: usize, column: usize, text: &str) {
        self.act(&format!("MoveCursor({},{})", row - 1, column - 1));
        self.act("EraseEOF()");
        if !text.is_empty() {
            self.act(&format!("String(\"{text}\")"));
        }
    }

    /// Presses a key and waits until the keyboard is free again.
    pub(crate) fn press(&mut self, key: &str) {
        self.act(key);
        self.settle();
    }

    fn settle(&mut self) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if self.action("Wait(5,Unlock)").is_ok() && self.status.starts_with('U') {
                return;
            }
        }
        let screen = self.screen().join("\n");
        panic!("the keyboard stays locked: {}\n{screen}", self.status);
    }

    pub(crate) fn enter(&mut self) {
        self.press("Enter()");
    }

    pub(crate) fn pf(&mut self, key: u8) {
        self.press(&format!("PF({key})"));
    }

    pub(crate) fn clear(&mut self) {
        self.press("Clear()");
    }

    /// Clears the screen and starts a transaction.
    pub(crate) fn transaction(&mut self, text: &str) {
        self.clear();
        self.act(&format!("String(\"{text}\")"));
        self.enter();
    }

    /// Some row shows this text; else the test ends with the screen.
    pub(crate) fn expect(&mut self, text: &str) {
        let screen = self.screen().join("\n");
        assert!(screen.contains(text), "{text:?} is not on\n{screen}");
    }
}

impl Drop for S3270 {
    fn drop(&mut self) {
        let _ = writeln!(self.stdin, "Quit()");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
