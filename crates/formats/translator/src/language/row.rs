//! A row of the table: what it is about, and what becomes of it.
//!
//! Not here: the rows.

use transom_messages::tr;

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Statement,
    Function,
    Register,
    Usage,
    Clause,
    Structure,
    /// Compiler-directing statement.
    Directing,
    /// `>>` directive.
    Directive,
    CompilerOption,
}

/// What becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The compiler does it as z/OS does.
    Works,
    /// The translator or the run time adds what the compiler lacks or does otherwise.
    Supplied,
    /// Accepted; there is nothing for it to do.
    NoEffect,
    /// Accepted with a message that it has no effect.
    Warned,
    /// An error.
    Refused,
}

impl Status {
    /// As the page has it.
    pub(super) fn shown(self) -> String {
        match self {
            Status::Works => "works".to_owned(),
            Status::Supplied => "supplied".to_owned(),
            Status::NoEffect => "no effect".to_owned(),
            Status::Warned => format!("no effect, {}", tr::option_without_effect("", "").id()),
            Status::Refused => format!("refused, {}", tr::not_supported("", "").id()),
        }
    }
}

/// One part of the language.
#[derive(Debug)]
pub struct Row {
    pub kind: Kind,
    pub name: &'static str,
    pub status: Status,
    /// What a user should know, or do instead.
    pub note: &'static str,
    /// How a source shows it, where something is done about it.
    pub(crate) found: &'static [&'static str],
}
