//! What is wrong with a text, and where.

use std::fmt;
use transom_messages::Message;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 where a whole line is meant.
    pub column: u32,
    /// Message id, for example `TXMID0007E`.
    pub id: &'static str,
    /// The text, without id.
    pub text: String,
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something was accepted and has no effect.
    Information,
    /// The statement is used, with a difference.
    Warning,
    /// The statement has no effect.
    Error,
}

impl Problem {
    pub(crate) fn new(at: (u32, u32), message: Message) -> Self {
        Self {
            line: at.0,
            column: at.1,
            id: message.id(),
            text: message.into_words(),
        }
    }

    /// From the last letter of the id.
    pub fn severity(&self) -> Severity {
        match self.id.as_bytes().last() {
            Some(b'I') => Severity::Information,
            Some(b'W') => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// Whether the statement cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {} {}",
            self.line, self.column, self.id, self.text
        )
    }
}
