//! What parsing, layout and conversion complain with: one message id, one place in the source, one
//! sentence. It is data, not an `Error` chain: a copybook with three mistakes gives three problems
//! and still a usable value.

use std::fmt;
use transom_messages::Message;

/// How bad a [`Problem`] is. `Warning`: the value is usable and means what the text says apart from
/// the named clause. `Error`: the value has a hole (an item left out or given a default), so it
/// must not be put into service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Warning,
    Error,
}

/// One complaint about a copybook or its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Message id such as `TXMCB0004E`; each has a page in the messages crate.
    pub id: &'static str,
    /// 1-based line in the text given to the parser; 0 when there is no source.
    pub line: u32,
    /// 1-based column counted in characters; 0 when there is no source.
    pub column: u32,
    /// The message text without the id.
    pub text: String,
}

impl Problem {
    /// A problem at a place. The message says how bad it is.
    pub fn new(message: Message, line: u32, column: u32) -> Problem {
        Problem {
            id: message.id(),
            line,
            column,
            text: message.into_words(),
        }
    }

    /// The severity letter of the id.
    pub fn severity(&self) -> Severity {
        if self.id.ends_with('W') || self.id.ends_with('I') {
            Severity::Warning
        } else {
            Severity::Error
        }
    }

    /// Whether the value that came with this problem has a hole.
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{} {}", self.id, self.text)
        } else {
            write!(
                f,
                "{}:{}: {} {}",
                self.line, self.column, self.id, self.text
            )
        }
    }
}

impl std::error::Error for Problem {}
