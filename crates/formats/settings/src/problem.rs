//! What can be wrong with a transom.toml.

use std::fmt;
use transom_messages::{Message, si};

/// One thing wrong with the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingProblem {
    message: Message,
    /// Line in the file, 1-based; 0 when not known.
    pub line: usize,
    /// Column in characters, 1-based; 0 when not known.
    pub column: usize,
}

/// What would be a value; the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needed(pub(crate) String);

impl SettingProblem {
    /// A key that nobody knows.
    pub(crate) fn unknown(table: &str, key: &str, nearest: Option<&str>) -> Self {
        let hint = nearest
            .map(|n| format!("; the nearest known one is {n}"))
            .unwrap_or_default();
        si::key_unknown(table, key, hint).into()
    }

    /// A value that does not fit.
    pub(crate) fn value(key: &str, value: &str, Needed(why): Needed) -> Self {
        si::value_not_valid(key, format!("{value:?}"), why).into()
    }

    pub(crate) fn syntax(text: &str) -> Self {
        si::not_toml(text).into()
    }

    pub(crate) fn at(mut self, (line, column): (usize, usize)) -> Self {
        (self.line, self.column) = (line, column);
        self
    }
}

impl From<Message> for SettingProblem {
    fn from(message: Message) -> Self {
        Self {
            message,
            line: 0,
            column: 0,
        }
    }
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl std::error::Error for SettingProblem {}
