//! The commands, one after the other.
//!
//! After an error only LIST is carried out, as DFHCSDUP does it; what was carried out before stays.

use crate::report::{Entry, Outcome, Report, shown};
use crate::{extract, list};
use transom_csd::Command;
use transom_decks::Session;
use transom_messages::{Message, Place, Problem, cs};

/// Commands of DFHCSDUP, and one of CEDA, that have nothing to work on here.
const REFUSED: [(&str, &str); 7] = [
    (
        "UPGRADE",
        "what IBM supplies is part of Transom, and no deck has it",
    ),
    ("SERVICE", "there is no IBM service for these definitions"),
    ("PROCESS", "there is no IBM service for these definitions"),
    (
        "MIGRATE",
        "tables of macros are not converted; see macros of check",
    ),
    (
        "INSTALL",
        "definitions are installed by CEDA, or by a start",
    ),
    ("LOCK", "groups and lists are locked by CEDA, for a user"),
    (
        "UNLOCK",
        "groups and lists are unlocked by CEDA, by their user",
    ),
];

/// Operands about another CSD file, which is another system directory here.
const OTHER_CSD: [&str; 2] = ["FROMCSD", "TOCSD"];

/// A deck while it is carried out.
pub(crate) struct Run<'a> {
    session: Session<'a>,
    deck: &'a str,
    report: Report,
    /// EXTRACT writes to a file.
    to_file: bool,
    extracted: String,
    failed: bool,
}

/// What a command prints.
type Output = Result<Vec<String>, Message>;

impl<'a> Run<'a> {
    pub(crate) fn new(session: Session<'a>, deck: &'a str, to_file: bool) -> Self {
        Self {
            session,
            deck,
            report: Report::new(deck),
            to_file,
            extracted: String::new(),
            failed: false,
        }
    }

    /// What is wrong in front of the first command.
    pub(crate) fn lines(&mut self, problems: Vec<Problem>) {
        self.report.before(&problems);
        self.failed |= self.report.has_error();
    }

    /// Carries one out.
    pub(crate) fn command(&mut self, command: &Command) {
        let mut entry = Entry {
            line: command.line(),
            word: command.verb().unwrap_or(command.word()).to_owned(),
            text: command.text.clone(),
            outcome: Outcome::Executed,
            messages: Vec::new(),
            output: Vec::new(),
        };
        if self.failed && command.verb() != Some("LIST") {
            entry.outcome = Outcome::Left;
            return self.report.add(entry);
        }
        let problems = &command.problems;
        if problems.iter().any(|problem| !problem.words().is_empty()) {
            entry.messages = problems.iter().map(shown).collect();
            entry.outcome = Outcome::Wrong;
        } else if let Err(why) = self.carry_out(command, &mut entry) {
            let place = Place::line(self.deck, command.line());
            entry.messages.push(shown(&Problem::new(why, place)));
            entry.outcome = Outcome::Wrong;
        }
        self.failed |= entry.outcome == Outcome::Wrong;
        self.report.add(entry);
    }

    /// Writes what was carried out; the report, and what EXTRACT gave.
    pub(crate) fn finish(self) -> Result<(Report, String), Vec<Message>> {
        self.session.finish()?;
        Ok((self.report, self.extracted))
    }

    fn carry_out(&mut self, command: &Command, entry: &mut Entry) -> Result<(), Message> {
        let word = command.verb().unwrap_or_default();
        if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == word) {
            return Err(cs::refused_command(word, why));
        }
        if let Some(operand) = OTHER_CSD.iter().find(|operand| command.has(operand)) {
            let why = format!("{operand}: there is one CSD, the one of the directory");
            return Err(cs::refused_command(word, why));
        }
        entry.output = match word {
            "LIST" => list::list(command, &self.session),
            "SCAN" => list::scan(command, self.session.csd())?,
            "EXTRACT" => self.extract(command)?,
            "VERIFY" => vec![list::counts(self.session.csd())],
            "INITIALIZE" => self.initialize()?,
            _ => {
                self.change(command, entry);
                Vec::new()
            }
        };
        Ok(())
    }

    fn change(&mut self, command: &Command, entry: &mut Entry) {
        let applied = self.session.carry_out(self.deck, command);
        entry.outcome = match applied.is_refused() {
            false => Outcome::Executed,
            true if is_warning(&applied.problems, applied.without_change) => Outcome::Warned,
            true => Outcome::Wrong,
        };
        let problems = applied.problems.iter();
        entry.messages.extend(problems.map(shown));
    }

    fn extract(&mut self, command: &Command) -> Output {
        let (text, count) = extract::extract(command, self.session.csd())?;
        if !self.to_file {
            return Ok(text.lines().map(str::to_owned).collect());
        }
        self.extracted.push_str(&text);
        Ok(vec![format!("  {count} definitions extracted")])
    }

    /// There is nothing to make: a directory without definitions is initialized.
    fn initialize(&self) -> Output {
        match self.session.csd().definition_count() {
            0 => Ok(Vec::new()),
            count => {
                let why = format!("it has {count} definitions, and they would be lost");
                Err(cs::refused_command("INITIALIZE", why))
            }
        }
    }
}

/// As DFHCSDUP: what is refused ends the work, what changes nothing is a warning.
fn is_warning(problems: &[Problem], without_change: bool) -> bool {
    without_change && problems.iter().all(|problem| !problem.is_error())
}
