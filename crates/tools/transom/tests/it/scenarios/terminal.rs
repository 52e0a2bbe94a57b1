//! A TN3270 terminal: socket, screen, hands.
//!
//! What: connects to the region's listener, types, presses keys and waits for what must come. Not
//! here: the steps.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use transom_copybook::codepage::CodePage;
use transom_datastream::tn3270e::{Outcome, RESPONSE_ALWAYS};
use transom_datastream::{Aid, Client, ClientEvent, ClientOptions, Screen, ScreenOptions};

/// How long a screen may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(180);
/// A read waits this long before the clock is looked at.
const TURN: Duration = Duration::from_millis(20);

pub(super) struct Terminal {
    socket: TcpStream,
    client: Client,
    screen: Screen,
    is_gone: bool,
}

impl Terminal {
    /// Connects, with a certain LU if one is named, and waits for the first screen.
    pub(super) fn connect(port: u16, lu: Option<String>) -> Result<Self, String> {
        let socket = TcpStream::connect(("127.0.0.1", port)).map_err(|e| e.to_string())?;
        socket.set_nodelay(true).map_err(|e| e.to_string())?;
        socket
            .set_read_timeout(Some(TURN))
            .map_err(|e| e.to_string())?;
        let mut screen = Screen::new(ScreenOptions::default());
        screen.lock();
        let options = ClientOptions {
            lu,
            ..ClientOptions::default()
        };
        let mut terminal = Self {
            socket,
            client: Client::new(options),
            screen,
            is_gone: false,
        };
        terminal.wait("the first screen", |screen| !screen.is_locked())?;
        Ok(terminal)
    }

    pub(super) fn text(&self) -> String {
        self.screen.text(&page().to_char)
    }

    /// Types at the cursor, or from a row and column on, as soon as the keyboard is free.
    pub(super) fn types(&mut self, text: &str, at: Option<(usize, usize)>) -> Result<(), String> {
        self.unlocked()?;
        if let Some((row, column)) = at {
            let position = self.screen.size().position(row, column);
            self.screen.set_cursor(position);
            self.screen.erase_eof().map_err(|e| e.to_string())?;
        }
        let page = page();
        let bytes: Vec<u8> = text
            .bytes()
            .map(|b| page.from_latin1[usize::from(b)])
            .collect();
        let typed = self.screen.type_text(&bytes);
        typed.map_err(|e| format!("{text:?} cannot be typed: {e}\n{}", self.text()))
    }

    pub(super) fn tab(&mut self) -> Result<(), String> {
        self.screen.tab().map_err(|e| e.to_string())
    }

    /// Sends a key as soon as the keyboard is free; does not wait for what comes of it.
    pub(super) fn press(&mut self, key: &str) -> Result<(), String> {
        let aid = Aid::from_name(key).ok_or_else(|| format!("{key} is no key"))?;
        self.unlocked()?;
        let record = self.screen.press(aid);
        let record = record.map_err(|e| format!("{key}: {e}\n{}", self.text()))?;
        self.client.send(&record);
        self.flush()
    }

    pub(super) fn unlocked(&mut self) -> Result<(), String> {
        self.wait("an unlocked keyboard", |screen| !screen.is_locked())
    }

    /// Waits until the screen shows a text and the keyboard is free for the next step.
    pub(super) fn shows(&mut self, text: &str) -> Result<(), String> {
        self.wait(text, |screen| screen.contains(text, &page().to_char))
    }

    /// The region ends the session.
    pub(super) fn ends(&mut self) -> Result<(), String> {
        let begin = Instant::now();
        while !self.is_gone {
            if begin.elapsed() > PATIENCE {
                return Err(format!("the session does not end\n{}", self.text()));
            }
            self.turn()?;
        }
        Ok(())
    }

    fn wait(&mut self, what: &str, is: impl Fn(&Screen) -> bool) -> Result<(), String> {
        let begin = Instant::now();
        loop {
            if is(&self.screen) {
                return Ok(());
            }
            if self.is_gone || begin.elapsed() > PATIENCE {
                return Err(format!("{what:?} does not come\n{}", self.text()));
            }
            self.turn()?;
        }
    }

    /// Takes what has come.
    fn turn(&mut self) -> Result<(), String> {
        let mut buffer = [0; 16 * 1024];
        let taken = match self.socket.read(&mut buffer) {
            Ok(0) => {
                self.is_gone = true;
                return Ok(());
            }
            Ok(taken) => taken,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Ok(());
            }
            Err(e) if e.kind() == ErrorKind::ConnectionReset => {
                self.is_gone = true;
                return Ok(());
            }
            Err(e) => return Err(e.to_string()),
        };
        let mut events = Vec::new();
        self.client.feed(&buffer[..taken], &mut events);
        for event in events {
            let ClientEvent::Data {
                stream,
                response,
                sequence,
            } = event
            else {
                continue;
            };
            let applied = self.screen.apply(&stream).map_err(|e| e.to_string())?;
            if let Some(reply) = applied.reply {
                self.client.send(&reply);
            }
            if response == RESPONSE_ALWAYS {
                self.client.respond(sequence, Outcome::Done);
            }
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), String> {
        let out = std::mem::take(self.client.output());
        self.socket.write_all(&out).map_err(|e| e.to_string())
    }
}

/// Code page 37.
fn page() -> &'static CodePage {
    CodePage::by_ccsid(37).unwrap()
}
