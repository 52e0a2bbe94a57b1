//! One command of a deck by itself, with the lines it stands on.
//!
//! Why: `transom csd` carries out one after the other and says of each what came of it, and keeps
//! those that were carried out as they were written. Not here: carrying out (`apply`).

use crate::scan::{Operand, Statement, scan};
use crate::verbs::whole;
use crate::{MAX_DECK_BYTES, value};
use transom_messages::{self as messages, Place, Problem};
use transom_resources::ResourceKind;

/// A command with its operands.
#[derive(Debug)]
pub struct Command {
    pub(crate) statement: Statement,
    /// Its lines, as they stand in the deck.
    pub text: String,
    /// What is wrong with the lines.
    pub problems: Vec<Problem>,
}

impl Command {
    /// The commands of a deck, and what is wrong in front of the first.
    pub fn all(deck: &str, text: &str) -> (Vec<Self>, Vec<Problem>) {
        if text.len() > MAX_DECK_BYTES {
            let message = messages::cs::deck_too_long(MAX_DECK_BYTES);
            return (
                Vec::new(),
                vec![Problem::new(message, Place::line(deck, 1))],
            );
        }
        let (statements, mut problems) = scan(deck, text);
        let mut lines = text.lines();
        let mut taken = 0;
        let mut ends = statements.iter().map(|s| s.line).skip(1);
        let ends: Vec<u32> = ends.by_ref().chain([u32::MAX]).collect();
        let mut commands = Vec::with_capacity(statements.len());
        for (statement, end) in statements.into_iter().zip(ends) {
            while taken + 1 < statement.line {
                lines.next();
                taken += 1;
            }
            let mut own = String::new();
            while taken + 1 < end
                && let Some(line) = lines.next()
            {
                own.push_str(line);
                own.push('\n');
                taken += 1;
            }
            commands.push(Self {
                statement,
                text: own,
                problems: Vec::new(),
            });
        }
        let mut left = Vec::new();
        for problem in problems.drain(..) {
            let line = problem.place.line;
            let behind = commands.partition_point(|command| command.statement.line <= line);
            match behind.checked_sub(1).and_then(|at| commands.get_mut(at)) {
                Some(command) => command.problems.push(problem),
                None => left.push(problem),
            }
        }
        (commands, left)
    }

    /// The line it begins on.
    pub fn line(&self) -> u32 {
        self.statement.line
    }

    /// The command written out; `None`: it is none.
    pub fn verb(&self) -> Option<&'static str> {
        whole(&self.statement.word)
    }

    /// The command as it was written.
    pub fn word(&self) -> &str {
        &self.statement.word
    }

    /// The operand was given, with a value or without.
    pub fn has(&self, keyword: &str) -> bool {
        self.operand(keyword).is_some()
    }

    /// The value of an operand in upper case.
    pub fn value(&self, keyword: &str) -> Option<String> {
        let value = self.operand(keyword)?.value.as_deref()?;
        Some(value.trim().to_ascii_uppercase())
    }

    /// The type and name of the resource it names.
    pub fn resource(&self) -> Option<(ResourceKind, &str)> {
        let mut all = self.statement.operands.iter();
        all.find_map(|operand| {
            let reserved = ["GROUP", "LIST", "TO", "AS"].contains(&operand.keyword.as_str());
            let kind = ResourceKind::by_keyword(&operand.keyword).filter(|_| !reserved)?;
            Some((kind, operand.value.as_deref()?))
        })
    }

    /// A name fits one with `*` and `+`.
    pub fn fits(pattern: &str, name: &str) -> bool {
        value::matches(pattern, name)
    }

    fn operand(&self, keyword: &str) -> Option<&Operand> {
        let mut all = self.statement.operands.iter();
        all.find(|o| {
            o.keyword == keyword || o.keyword.len() >= 3 && keyword.starts_with(&o.keyword)
        })
    }
}
