//! What is printed: each command with what came of it, then the counts.

use serde_json::{Value, json};
use std::fmt::Write as _;
use transom_messages::{Problem, cs};

/// What came of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Executed,
    Warned,
    Wrong,
    /// Because of an error before.
    Left,
}

impl Outcome {
    fn word(self) -> &'static str {
        match self {
            Self::Executed => "executed",
            Self::Warned => "warning",
            Self::Wrong => "error",
            Self::Left => "not executed",
        }
    }
}

/// One command.
pub(crate) struct Entry {
    pub(crate) line: u32,
    pub(crate) word: String,
    /// As it stands in the deck.
    pub(crate) text: String,
    pub(crate) outcome: Outcome,
    pub(crate) messages: Vec<String>,
    /// What it prints.
    pub(crate) output: Vec<String>,
}

/// All commands of a deck.
#[derive(Default)]
pub(crate) struct Report {
    deck: String,
    entries: Vec<Entry>,
    /// What is wrong in front of the first command.
    before: Vec<String>,
}

impl Report {
    pub(crate) fn new(deck: &str) -> Self {
        Self {
            deck: deck.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn before(&mut self, problems: &[Problem]) {
        self.before.extend(problems.iter().map(shown));
    }

    pub(crate) fn add(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// An error came before.
    pub(crate) fn has_error(&self) -> bool {
        let wrong = |entry: &Entry| entry.outcome == Outcome::Wrong;
        !self.before.is_empty() || self.entries.last().is_some_and(wrong)
    }

    /// The highest return code.
    pub(crate) fn code(&self) -> u8 {
        let is = |outcome| self.count(outcome) > 0;
        match (
            is(Outcome::Wrong) || !self.before.is_empty(),
            is(Outcome::Warned),
        ) {
            (true, _) => 8,
            (false, true) => 4,
            (false, false) => 0,
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        for line in &self.before {
            let _ = writeln!(out, "{line}");
        }
        for entry in &self.entries {
            let _ = writeln!(out, "{}", entry.text.trim_end());
            for line in entry.output.iter().chain(&entry.messages) {
                let _ = writeln!(out, "{line}");
            }
            let said = match entry.outcome {
                Outcome::Executed => cs::executed(&entry.word),
                Outcome::Warned => cs::executed_with_warnings(&entry.word),
                Outcome::Wrong => cs::in_error(&entry.word),
                Outcome::Left => cs::not_executed(&entry.word),
            };
            let _ = writeln!(out, "{said}");
        }
        let counted = cs::counted(
            self.count(Outcome::Executed),
            self.count(Outcome::Warned),
            self.count(Outcome::Wrong),
            self.count(Outcome::Left),
        );
        let _ = writeln!(out, "{counted}");
        let _ = writeln!(out, "{}", cs::highest_code(self.code()));
        out
    }

    pub(crate) fn json(&self) -> String {
        let entry = |entry: &Entry| {
            json!({
                "line": entry.line,
                "command": entry.word,
                "outcome": entry.outcome.word(),
                "messages": entry.messages,
                "output": entry.output,
            })
        };
        let commands: Vec<Value> = self.entries.iter().map(entry).collect();
        let all = json!({
            "deck": self.deck,
            "problems": self.before,
            "commands": commands,
            "executed": self.count(Outcome::Executed),
            "warnings": self.count(Outcome::Warned),
            "errors": self.count(Outcome::Wrong),
            "not_executed": self.count(Outcome::Left),
            "code": self.code(),
        });
        format!("{all:#}\n")
    }

    fn count(&self, outcome: Outcome) -> usize {
        let is = |entry: &&Entry| entry.outcome == outcome;
        self.entries.iter().filter(is).count()
    }
}

/// Number, place and words.
pub(crate) fn shown(problem: &Problem) -> String {
    problem.id_first().to_string()
}
