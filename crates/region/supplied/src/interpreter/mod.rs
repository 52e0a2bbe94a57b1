//! CECI and CECS: the command interpreter and the syntax check.
//!
//! What: a line is checked, shown as it was understood, and with CECI run by a second ENTER. The
//! conversation is one task, so that a browse or a record held for update lasts from one command to
//! the next; F3 ends it and commits. Reading order: here, `command`
//! (what a line means), `conversation`, `screen`, `values`.

pub(crate) mod command;
pub(crate) mod conversation;
pub(crate) mod screen;
mod values;

use super::latin::latin;
use super::panel::{Key, Panel, Reply};
use super::session::Session;
use super::words::Value;
use command::{Parsed, Variables};
use conversation::{Interpreter, Stage};
use transom_commands::opt;
use transom_messages as messages;
use transom_workers::seam::{Call, Outcome};

/// CECI.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    if let Some(mut waiting) = session.waiting.take() {
        waiting.came_back(session);
        return waiting.converse(session);
    }
    start(session, false)
}

/// CECS.
pub(super) fn check_only(session: &mut Session<'_>) -> Outcome {
    start(session, true)
}

fn start(session: &mut Session<'_>, check_only: bool) -> Outcome {
    let reply = session.receive();
    let typed = session.typed(&reply);
    let mut interpreter = Box::new(Interpreter {
        check_only,
        ..Interpreter::default()
    });
    interpreter.variables = samples(session);
    interpreter.check(&typed);
    interpreter.converse(session)
}

/// Variables every session begins with: a text, and commands that write and read it.
fn samples(session: &mut Session<'_>) -> Variables {
    let queue = format!("CI{}", session.terminal());
    let write = format!("WRITEQ QUEUE('{queue}') FROM(&DFHC)");
    let read = format!("READQ QUEUE('{queue}') INTO(&DFHC)");
    [
        ("DFHC", "THIS IS A SAMPLE".to_owned()),
        ("DFHW", write),
        ("DFHR", read),
    ]
    .map(|(name, value)| (name.to_owned(), value.into_bytes()))
    .into()
}

impl Interpreter {
    /// Shows and reads until F3, or until a command takes the program elsewhere.
    fn converse(mut self: Box<Self>, session: &mut Session<'_>) -> Outcome {
        loop {
            session.show(&screen::main(session, &self));
            let Some(reply) = session.wait() else {
                return Outcome::Return;
            };
            match reply.key {
                Key::Pf(3 | 15) => return session.end(messages::ci::ended()),
                Key::Pf(2 | 14) => {
                    self.hex = !self.hex;
                    self.refresh();
                }
                Key::Pf(1 | 13) => screen::lines(session, "HELP", screen::HELP),
                Key::Pf(4 | 16) => screen::eib(session, &self.eib),
                Key::Pf(5 | 17) => screen::variables(session, &mut self.variables),
                Key::Pf(6 | 18) => self.user_screen(session),
                Key::Pf(9 | 21) => screen::lines(session, "SYNTAX MESSAGES", &self.problems),
                Key::Pf(7 | 19) => self.scroll(-(screen::BODY_ROWS as isize / 2)),
                Key::Pf(8 | 20) => self.scroll(screen::BODY_ROWS as isize / 2),
                Key::Pf(10 | 22) => self.scroll(-(screen::BODY_ROWS as isize)),
                Key::Pf(11 | 23) => self.scroll(screen::BODY_ROWS as isize),
                Key::Enter => match self.enter(session, &reply) {
                    None => {}
                    Some(link @ Outcome::Link(..)) => {
                        *session.waiting = Some(self);
                        return link;
                    }
                    Some(outcome) => return outcome,
                },
                _ => {}
            }
        }
    }

    fn scroll(&mut self, rows: isize) {
        let last = self.body.len().saturating_sub(1);
        self.top = self.top.saturating_add_signed(rows).min(last);
    }

    /// What a user of these commands would see now, until the next key.
    fn user_screen(&mut self, session: &mut Session<'_>) {
        if self.sent.is_empty() {
            session.show(&Panel::new());
        }
        for call in &mut self.sent {
            session.run(call);
        }
        session.wait();
    }

    fn enter(&mut self, session: &mut Session<'_>, reply: &Reply) -> Option<Outcome> {
        let mut typed = screen::typed(&self.line, reply);
        if let Some(name) = screen::named(&self.line, reply) {
            self.variables.insert(name, latin(&typed));
        }
        // A command that was kept in a variable.
        let kept = typed.strip_prefix('&').map(str::to_ascii_uppercase);
        if let Some(bytes) = kept.and_then(|name| self.variables.get(&name)) {
            typed = bytes.iter().map(|b| char::from(*b)).collect();
            typed.truncate(typed.trim_end().len());
        }
        if typed == self.line && self.stage == Stage::About {
            return self.execute(session);
        }
        self.check(&typed);
        None
    }

    /// Understands a line.
    fn check(&mut self, line: &str) {
        self.line = line.to_owned();
        (self.stage, self.top, self.call) = (Stage::Check, 0, None);
        self.body.clear();
        self.problems.clear();
        let (line, only_check) = match line.strip_prefix('?') {
            Some(rest) => (rest.trim_start(), true),
            None => (line, self.check_only),
        };
        if line.is_empty() {
            self.message = messages::ci::type_command().to_string();
            return;
        }
        match command::parse(line) {
            Err(problem) => {
                self.message = problem.to_string();
                self.problems.push(problem.into());
            }
            Ok(parsed) => {
                self.body = values::parsed(&parsed);
                self.message = match (parsed.problems.as_slice(), only_check) {
                    ([], false) => {
                        self.stage = Stage::About;
                        String::new()
                    }
                    ([], true) => messages::ci::syntax_right().to_string(),
                    ([one], _) => one.clone(),
                    (several, _) => messages::ci::several_messages(several.len()).to_string(),
                };
                self.problems = parsed.problems;
            }
        }
    }

    /// Runs the command. The answer is where the program goes, if it does not go on here.
    fn execute(&mut self, session: &mut Session<'_>) -> Option<Outcome> {
        let parsed = command::parse(&self.line).ok()?;
        let wants_all = parsed.command.words.first() == Some(&"INQUIRE");
        let browses = ["START", "END", "NEXT"]
            .iter()
            .any(|word| parsed.given.iter().any(|given| given.spec.keyword == *word));
        let mut call = match command::build(&parsed, &self.variables, wants_all && !browses) {
            Ok(call) => call,
            Err(problem) => {
                self.message = problem.into();
                return None;
            }
        };
        let commarea = values::commarea_storage(session, &mut call);
        let outcome = session.run(&mut call);
        self.eib = session.host.eib_mut().to_vec();
        self.call = Some((call, commarea));
        match outcome {
            Outcome::Continue => {}
            elsewhere => return Some(elsewhere),
        }
        // What was sent stays on the screen until the next key.
        let sends = matches!(parsed.command.words.first(), Some(&("SEND" | "ISSUE")));
        if parsed.command.words.first() == Some(&"SEND") {
            self.keep_sent();
        }
        if sends && session.wait().is_none() {
            return Some(Outcome::Return);
        }
        self.done(&parsed);
        None
    }

    /// A screen can be shown again by what was sent for it.
    fn keep_sent(&mut self) {
        let Some((call, _)) = self.call.as_ref().filter(|(call, _)| call.is_normal()) else {
            return;
        };
        if Call::has(call, opt::ERASE) || self.sent.len() >= SENT_MAX {
            self.sent.clear();
        }
        self.sent.push(call.clone());
    }

    /// The linked program returned.
    fn came_back(&mut self, session: &mut Session<'_>) {
        self.eib = session.host.eib_mut().to_vec();
        if let Some((call, commarea)) = &mut self.call {
            values::commarea_back(session, call, *commarea);
        }
        if let Ok(parsed) = command::parse(&self.line) {
            self.done(&parsed);
        }
    }

    /// Shows what the command answered and keeps it in the variables.
    fn done(&mut self, parsed: &Parsed) {
        self.stage = Stage::Done;
        self.refresh();
        let Some((call, _)) = &self.call else { return };
        for given in &parsed.given {
            if let Some(Value::Variable(name)) = &given.value
                && given.spec.argument.is_output()
                && let Some(bytes) = values::variable(call, given.spec.id)
            {
                self.variables.insert(name.clone(), bytes);
            }
        }
        let (resp, resp2) = call.response();
        self.message = format!(
            "RESPONSE: {resp}  EIBRESP={:+011}  EIBRESP2={resp2:+011}",
            resp.0
        );
    }

    fn refresh(&mut self) {
        if let (Stage::Done, Some((call, _))) = (self.stage, &self.call) {
            self.body = values::of_call(call, self.hex);
        }
    }
}

/// Commands that make up one screen; more begin a new one.
const SENT_MAX: usize = 16;
