//! What is wrong with a deck, and where.

use std::fmt;
use transom_types::nearest;

/// One finding in a deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Deck as the caller named it.
    pub deck: String,
    /// Line, from 1.
    pub line: u32,
    /// Message id, for example `TXMCS0003W`.
    pub id: &'static str,
    /// The text, without id.
    pub text: String,
    /// The statement changed nothing: it is done already, or what it is about is not there.
    pub changes_nothing: bool,
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something was accepted and has no effect.
    Information,
    /// The definition is used, with a difference.
    Warning,
    /// The statement has no effect.
    Error,
}

impl Problem {
    /// From the last letter of the id.
    pub fn severity(&self) -> Severity {
        match self.id.as_bytes().last() {
            Some(b'I') => Severity::Information,
            Some(b'W') => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}:{}: {}", self.id, self.deck, self.line, self.text)
    }
}

/// `; the nearest known one is X`, or nothing.
pub(crate) fn hint<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(wrong, known).map_or(String::new(), |word| {
        format!("; the nearest known one is {word}")
    })
}
