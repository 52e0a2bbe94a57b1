//! CECI and CECS: the command interpreter and the syntax check.
//!
//! What: a line is checked, shown as it was understood, and with CECI run by a second ENTER. The
//! conversation is one task, so that a browse or a record held for update lasts from one command to the
//! next; F3 ends it and commits. Reading order: here, `screen`, `values`.

mod screen;
mod values;

use super::call::InternalCall;
use super::interpret::{self, Parsed, Value, Variables};
use super::panel::{Key, Reply};
use super::session::Session;
use transom_commands::opt;
use transom_workers::seam::{Address, Outcome};

/// What the screen shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// The command was not understood, or there is none.
    #[default]
    Check,
    /// The next ENTER runs it.
    About,
    /// It ran.
    Done,
}

/// A conversation.
#[derive(Default)]
pub(crate) struct Interpreter {
    check_only: bool,
    line: String,
    stage: Stage,
    variables: Variables,
    /// Options and values.
    body: Vec<String>,
    /// First row of the body that is shown.
    top: usize,
    message: String,
    hex: bool,
    /// The EIB after the last command.
    eib: Vec<u8>,
    /// The command that ran or waits for its linked program, and the storage of its COMMAREA.
    call: Option<(InternalCall, Address)>,
}

/// CECI.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    if let Some(mut waiting) = session.executor.task_supplied().interpreter.take() {
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
    let name = session.transid();
    let typed = reply.text.trim_start();
    let typed = typed.get(name.as_str().len()..).unwrap_or("").trim();
    let mut interpreter = Box::new(Interpreter {
        check_only,
        ..Interpreter::default()
    });
    interpreter.check(typed);
    interpreter.converse(session)
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
                Key::Pf(3 | 15) => return session.end("TXMCI0020I CECI has ended."),
                Key::Pf(2 | 14) => {
                    self.hex = !self.hex;
                    self.refresh();
                }
                Key::Pf(4 | 16) => screen::eib(session, &self.eib),
                Key::Pf(5 | 17) => screen::variables(session, &mut self.variables),
                Key::Pf(7 | 19 | 10 | 22) => {
                    self.top = self.top.saturating_sub(screen::BODY_ROWS);
                }
                Key::Pf(8 | 20 | 11 | 23) if self.top + screen::BODY_ROWS < self.body.len() => {
                    self.top += screen::BODY_ROWS;
                }
                Key::Enter => match self.enter(session, &reply) {
                    None => {}
                    Some(link @ Outcome::Link(..)) => {
                        session.executor.task_supplied().interpreter = Some(self);
                        return link;
                    }
                    Some(outcome) => return outcome,
                },
                _ => {}
            }
        }
    }

    fn enter(&mut self, session: &mut Session<'_>, reply: &Reply) -> Option<Outcome> {
        let typed = screen::typed(&self.line, reply);
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
        if line.is_empty() {
            self.message = "TXMCI0021I Type an EXEC CICS command.".into();
            return;
        }
        match interpret::parse(line) {
            Err(problem) => self.message = problem,
            Ok(parsed) => {
                self.body = values::parsed(&parsed);
                self.message.clear();
                match parsed.problems.first() {
                    Some(_) => self.body.extend(parsed.problems),
                    None if !self.check_only => self.stage = Stage::About,
                    None => self.message = "TXMCI0022I The syntax is right.".into(),
                }
            }
        }
    }

    /// Runs the command. The answer is where the program goes, if it does not go on here.
    fn execute(&mut self, session: &mut Session<'_>) -> Option<Outcome> {
        let parsed = interpret::parse(&self.line).ok()?;
        let wants_all = matches!(parsed.command.words.first(), Some(&("INQUIRE" | "ASSIGN")));
        let browses = ["START", "END", "NEXT"]
            .iter()
            .any(|word| parsed.given.iter().any(|given| given.spec.keyword == *word));
        let mut call = match interpret::build(&parsed, &self.variables, wants_all && !browses) {
            Ok(call) => call,
            Err(problem) => {
                self.message = problem;
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
        if sends && session.wait().is_none() {
            return Some(Outcome::Return);
        }
        self.done(&parsed);
        None
    }

    /// The linked program returned.
    fn came_back(&mut self, session: &mut Session<'_>) {
        self.eib = session.host.eib_mut().to_vec();
        if let Some((call, commarea)) = &mut self.call {
            values::commarea_back(session, call, *commarea);
        }
        if let Ok(parsed) = interpret::parse(&self.line) {
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

/// Options whose values are never shown.
const SECRETS: [transom_commands::OptionId; 4] =
    [opt::PASSWORD, opt::NEWPASSWORD, opt::PHRASE, opt::NEWPHRASE];
