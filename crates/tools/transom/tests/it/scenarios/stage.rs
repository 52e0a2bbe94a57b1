//! What steps do: a region of the real executable, its programs, terminals, HTTP, files, log.
//!
//! The region starts with the first step that needs it. Programs are linked to through local
//! adapters, as a gateway in another process does it. Not here: reading a line (`step`), a
//! terminal (`terminal`).

use super::difference;
use super::server::Database;
use super::step::Step;
use super::terminal::Terminal;
use crate::harness::{copy_of, request, transom};
use crate::system::System;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_region_api::{Fault, LinkRequest, Payload, Programs as _};
use transom_types::{TransId, UserId};

/// How long something may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(180);
/// Length of the COMMAREA that a program is given.
const COMMAREA: usize = 60;

type Played = Result<(), String>;

pub(super) struct Stage<'s> {
    /// The scenario as it is kept.
    folder: PathBuf,
    _copy: tempfile::TempDir,
    /// The system directory that runs.
    dir: PathBuf,
    /// Where region and adapters meet, and regions.
    meeting: Arc<tempfile::TempDir>,
    /// Registration of the region's adapters, where several regions meet.
    applid: Option<String>,
    region: Option<System>,
    terminals: Vec<(String, Terminal)>,
    runtime: tokio::runtime::Runtime,
    /// Set by `clock`.
    clock: Instant,
    /// On a server, and not the embedded one.
    database: Option<Database<'s>>,
}

impl<'s> Stage<'s> {
    pub(super) fn new(folder: &Path) -> Self {
        let (copy, dir) = copy_of(folder);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        Self {
            folder: folder.to_owned(),
            _copy: copy,
            dir,
            // Short on purpose: the path of a Unix socket is limited.
            meeting: Arc::new(tempfile::tempdir_in("/tmp").unwrap()),
            applid: None,
            region: None,
            terminals: Vec::new(),
            runtime,
            clock: Instant::now(),
            database: None,
        }
    }

    /// A region in a folder of the scenario, which meets this one.
    pub(super) fn beside(&self, name: &str) -> Self {
        let folder = self.folder.join(name);
        let text = std::fs::read_to_string(folder.join("transom.toml")).unwrap_or_default();
        let applid = text.lines().find_map(|line| line.strip_prefix("APPLID = "));
        let applid = applid.unwrap_or(name).trim_matches('"').to_owned();
        Self {
            meeting: self.meeting.clone(),
            applid: Some(applid),
            ..Self::new(&folder)
        }
    }

    /// Statements run on a server.
    pub(super) fn use_server(&mut self, database: Database<'s>) {
        let path = self.dir.join("transom.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let setting = format!(
            "[sql]\nengine = \"POSTGRES\"\npostgresql = \"{}\"\n",
            database.connect
        );
        let text = match text.contains("[sql]\n") {
            true => text.replacen("[sql]\n", &setting, 1),
            false => format!("{text}\n{setting}"),
        };
        std::fs::write(&path, text).unwrap();
        self.database = Some(database);
    }

    pub(super) fn play(&mut self, step: &Step) -> Played {
        let words: Vec<&str> = step.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["start"] => self.region().map(|_| ()),
            ["start", options @ ..] => {
                self.stop()?;
                let region = System::start_with(&self.dir, self.meeting.path(), options);
                self.region = Some(region);
                Ok(())
            }
            ["stop"] => self.stop(),
            ["kill"] => {
                self.terminals.clear();
                self.region = None;
                Ok(())
            }
            ["link", rest @ ..] => {
                let answer = self.link(rest)?;
                expect(&step.expected, &answer)
            }
            ["wait", "link", rest @ ..] => self.wait_link(rest, &step.expected),
            ["http", method, path] => self.http(method, path, step),
            ["database", "lost"] => match &self.database {
                Some(database) => database.server.end_sessions(&database.connect),
                None => Err("the database is the embedded one".to_owned()),
            },
            ["clock"] => {
                self.clock = Instant::now();
                Ok(())
            }
            ["elapsed", seconds] => self.elapsed(seconds),
            ["leave", name] => self.leave(name),
            ["terminal", name, lu @ ..] => self.terminal(name, lu),
            ["type", text] => self.hand()?.types(text, None),
            ["type", at, text] => self.hand()?.types(text, Some(place(at)?)),
            ["tab"] => self.hand()?.tab(),
            ["press", key] => self.hand()?.press(key),
            ["key", key] => {
                self.hand()?.press(key)?;
                self.hand()?.unlocked()
            }
            ["transaction", text] => self.transaction(text),
            ["shows", text] => self.hand()?.shows(text),
            ["unlocked"] => self.hand()?.unlocked(),
            ["ends"] => self.hand()?.ends(),
            ["screen"] => self.screen(step),
            ["log", "contains", text] => self.logged(text),
            ["log", "lacks", text] => match self.region()?.log().contains(text) {
                true => Err(format!("the log has {text:?}\n{}", self.last_words())),
                false => Ok(()),
            },
            ["file", path] => {
                let found = std::fs::read(self.dir.join(path)).map_err(|e| e.to_string())?;
                self.compare(step, &String::from_utf8_lossy(&found))
            }
            ["change", path, from, to] => self.change(path, from, to),
            ["transom", args @ ..] => self.command(args, step),
            [word, ..] => Err(format!("{word} is no step; scenarios/README.md has them")),
            [] => Ok(()),
        }
    }

    /// What the region said last.
    pub(super) fn last_words(&self) -> String {
        let log = self.region.as_ref().map(System::log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }

    fn region(&mut self) -> Result<&System, String> {
        if self.region.is_none() {
            // The socket of a region that was killed: nobody answers there.
            let stale = self.meeting.path().join("DEFAULT");
            let _gone = match &self.applid {
                Some(applid) => std::fs::remove_file(stale.join(format!("{applid}.sock"))),
                None => std::fs::remove_dir_all(stale),
            };
            let region = System::start_in(&self.dir, self.meeting.path());
            self.region = Some(region);
        }
        self.region.as_ref().ok_or_else(|| "no region".to_owned())
    }

    fn stop(&mut self) -> Played {
        self.terminals.clear();
        match self.region.take().map(System::stop) {
            Some(false) => Err("the region does not stop".to_owned()),
            _ => Ok(()),
        }
    }

    /// `link PROGRAM [text] [as TRANSID] [by USERID]`: the COMMAREA that comes back, or why not.
    fn link(&mut self, words: &[&str]) -> Result<String, String> {
        let (program, mut rest) = words.split_first().ok_or("a program is missing")?;
        let mut text = "";
        if let [given, more @ ..] = rest
            && !matches!(*given, "as" | "by")
        {
            (text, rest) = (given, more);
        }
        let mut asked: LinkRequest = request(program, format!("{text:COMMAREA$}").into_bytes());
        while let [word, name, more @ ..] = rest {
            match *word {
                "as" => asked.transid = Some(TransId::from_field(name.as_bytes())),
                "by" => asked.userid = Some(UserId::from_field(name.as_bytes())),
                _ => return Err(format!("{word}: as TRANSID or by USERID is expected")),
            }
            rest = more;
        }
        let adapters = self.adapters()?;
        let output = self.runtime.block_on(async {
            let reply = adapters.link(asked);
            tokio::time::timeout(PATIENCE, reply).await
        });
        Ok(match output.map_err(|_| "no reply in time")? {
            Ok(output) => match output.payload {
                Payload::Commarea(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
                Payload::Channel { .. } => "a channel".to_owned(),
            },
            Err(failure) => match failure.fault {
                Fault::Abend(code) => format!("abend {code}"),
                other => format!("{other:?}"),
            },
        })
    }

    fn wait_link(&mut self, words: &[&str], expected: &[String]) -> Played {
        let begin = Instant::now();
        loop {
            let answer = self.link(words)?;
            let met = expect(expected, &answer);
            if met.is_ok() || begin.elapsed() > PATIENCE {
                return met;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The region as a gateway of another process sees it.
    fn adapters(&mut self) -> Result<LocalAdapters, String> {
        self.region()?;
        let group = self.meeting.path().join("DEFAULT");
        let settings = std::fs::read_to_string(self.dir.join("transom.toml"));
        if !settings.is_ok_and(|text| text.contains("[local_adapters]")) {
            return Err("transom.toml has no [local_adapters]".to_owned());
        }
        // The region listens for terminals a moment before it does for gateways, and a socket has
        // its name a moment before it listens. One of a killed region is there and refuses.
        let begin = Instant::now();
        let socket = loop {
            let found = std::fs::read_dir(&group).ok();
            let mut paths = found.into_iter().flatten().filter_map(Result::ok);
            let own = |path: &PathBuf| {
                let stem = path.file_stem().map(|stem| stem.to_string_lossy());
                self.applid
                    .as_deref()
                    .is_none_or(|own| stem.is_some_and(|stem| stem == own))
            };
            let found = paths.find_map(|entry| Some(entry.path()).filter(own));
            if let Some(path) = found
                && std::os::unix::net::UnixStream::connect(&path).is_ok()
            {
                break path;
            }
            if begin.elapsed() > PATIENCE {
                return Err("the region has no link server".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let name = socket.file_stem().unwrap_or_default().to_string_lossy();
        Ok(LocalAdapters::new(AdaptersConfig::new(&group, &name)))
    }

    fn http(&mut self, method: &str, path: &str, step: &Step) -> Played {
        let body = match &step.input {
            Some(file) => std::fs::read(self.folder.join(file)).map_err(|e| e.to_string())?,
            None => Vec::new(),
        };
        let (status, reply) = self.region()?.request(method, path, &body);
        let (wanted, rest) = step.expected.split_first().ok_or("a status is missing")?;
        if *wanted != status.to_string() {
            return Err(format!("- {wanted}\n+ {status} {reply}"));
        }
        match rest {
            [] => Ok(()),
            [file] => self.compare_with(file, &reply),
            _ => Err("a status and one file are expected".to_owned()),
        }
    }

    fn terminal(&mut self, name: &str, lu: &[&str]) -> Played {
        let at = self.terminals.iter().position(|(n, _)| n == name);
        let terminal = match at {
            Some(at) => self.terminals.remove(at),
            None => {
                let port = self.region()?.tn3270;
                let lu = lu.first().map(|lu| (*lu).to_owned());
                (name.to_owned(), Terminal::connect(port, lu)?)
            }
        };
        self.terminals.push(terminal);
        Ok(())
    }

    /// A terminal that is switched off.
    fn leave(&mut self, name: &str) -> Played {
        let at = self.terminals.iter().position(|(n, _)| n == name);
        let at = at.ok_or_else(|| format!("{name} is not connected"))?;
        self.terminals.remove(at);
        Ok(())
    }

    fn elapsed(&self, seconds: &str) -> Played {
        let wanted: f32 = seconds.parse().map_err(|_| "seconds are expected")?;
        let taken = self.clock.elapsed();
        match taken.as_secs_f32() >= wanted {
            true => Ok(()),
            false => Err(format!("only {taken:?} since `clock`")),
        }
    }

    /// The terminal that was named last.
    fn hand(&mut self) -> Result<&mut Terminal, String> {
        if self.terminals.is_empty() {
            self.terminal("A", &[])?;
        }
        let last = self.terminals.last_mut();
        last.map(|(_, terminal)| terminal)
            .ok_or_else(|| "no terminal".to_owned())
    }

    /// CLEAR, what is typed, ENTER.
    fn transaction(&mut self, text: &str) -> Played {
        let hand = self.hand()?;
        hand.press("CLEAR")?;
        hand.unlocked()?;
        hand.types(text, None)?;
        hand.press("ENTER")?;
        hand.unlocked()
    }

    fn screen(&mut self, step: &Step) -> Played {
        let text = self.hand()?.text();
        self.compare(step, &text)
    }

    fn logged(&mut self, text: &str) -> Played {
        let begin = Instant::now();
        while !self.region()?.log().contains(text) {
            if begin.elapsed() > PATIENCE {
                return Err(format!("the log has no {text:?}"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Puts other bytes of the same length in a file: damage.
    fn change(&self, path: &str, from: &str, to: &str) -> Played {
        let file = self.dir.join(path);
        let mut bytes = std::fs::read(&file).map_err(|e| e.to_string())?;
        if from.is_empty() || from.len() != to.len() {
            return Err("two texts of one length are expected".to_owned());
        }
        let starts = 0..bytes.len().saturating_sub(from.len());
        let places: Vec<usize> = starts
            .filter(|at| bytes[*at..].starts_with(from.as_bytes()))
            .collect();
        if places.is_empty() {
            return Err(format!("{path} has no {from:?}"));
        }
        for at in places {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
        std::fs::write(&file, bytes).map_err(|e| e.to_string())
    }

    /// The executable with arguments: `=> good | bad [file]`.
    fn command(&self, args: &[&str], step: &Step) -> Played {
        let (good, out, said) = transom(args, &self.dir);
        let (wanted, rest) = step
            .expected
            .split_first()
            .ok_or("good or bad is missing")?;
        if (wanted == "good") != good {
            return Err(format!("{wanted} is expected\n{out}{said}"));
        }
        match rest {
            [] => Ok(()),
            [file] => self.compare_with(file, &format!("{out}{said}")),
            _ => Err("one file is expected".to_owned()),
        }
    }

    fn compare(&self, step: &Step, found: &str) -> Played {
        match step.expected.as_slice() {
            [file] => self.compare_with(file, found),
            _ => Err("a file is expected behind =>".to_owned()),
        }
    }

    fn compare_with(&self, file: &str, found: &str) -> Played {
        let path = self.folder.join(file);
        if !path.exists() && std::env::var_os("SCENARIO_WRITE").is_some() {
            let folder = path.parent().unwrap_or(&self.folder);
            let written = std::fs::create_dir_all(folder);
            let written = written.and_then(|()| std::fs::write(&path, lines_of(found)));
            return written.map_err(|e| format!("{file}: {e}"));
        }
        let wanted = std::fs::read_to_string(self.folder.join(file));
        let wanted = wanted.map_err(|e| format!("{file}: {e}\n{found}"))?;
        difference::between(&wanted, found)
    }
}

/// A text as it is kept: without blanks at the ends of lines, and at its own.
fn lines_of(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

/// Exactly this, or something that begins so when it ends with `...`.
fn expect(expected: &[String], found: &str) -> Played {
    let [wanted] = expected else {
        return Err(format!("one text is expected behind =>\n+ {found}"));
    };
    let fits = match wanted.strip_suffix("...") {
        Some(begin) => found.starts_with(begin),
        None => found == wanted,
    };
    match fits {
        true => Ok(()),
        false => Err(format!("- {wanted}\n+ {found}")),
    }
}

/// `row,column`.
fn place(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("{text}: row,column is expected");
    let (row, column) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.parse().map_err(|_| wrong());
    Ok((number(row)?, number(column)?))
}
