//! What is wrong with a map source, and where.
//!
//! Why a type of its own: a source of a thousand lines is corrected in one go, so reading never
//! stops at the first mistake. Not here: what the ids mean (pages of the messages crate).

use std::fmt;
use transom_messages::Message;

/// One finding in a map source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Source as the caller named it.
    pub source: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Message id, for example `TXMBM0006E`.
    pub id: &'static str,
    /// The text, without id.
    pub text: String,
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The map is used, with a difference.
    Warning,
    /// The mapset is not used.
    Error,
}

impl Problem {
    /// From the last letter of the id.
    pub fn severity(&self) -> Severity {
        match self.id.as_bytes().last() {
            Some(b'W' | b'I') => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            source,
            line,
            column,
            id,
            text,
        } = self;
        write!(f, "{id} {source}:{line}:{column}: {text}")
    }
}

/// Place in a source, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Collects problems up to [`crate::MAX_PROBLEMS`].
#[derive(Debug)]
pub(crate) struct Problems {
    source: String,
    list: Vec<Problem>,
    errors: usize,
}

impl Problems {
    pub(crate) fn new(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            list: Vec::new(),
            errors: 0,
        }
    }

    pub(crate) fn add(&mut self, at: Place, message: Message) {
        let problem = Problem {
            source: self.source.clone(),
            line: at.line,
            column: at.column,
            id: message.id(),
            text: message.into_words(),
        };
        self.errors += usize::from(problem.severity() == Severity::Error);
        if self.list.len() < crate::MAX_PROBLEMS {
            self.list.push(problem);
        }
    }

    /// Errors so far; a mapset during which the number grew is not used.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// All problems in the order of the source.
    pub(crate) fn into_list(mut self) -> Vec<Problem> {
        self.list.sort_by_key(|p| (p.line, p.column));
        self.list
    }
}
