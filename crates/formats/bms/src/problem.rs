//! Problems of a map source on their way to the caller, bounded in number.
//!
//! Why: a source of a thousand lines is corrected in one go, so reading never stops at the first
//! mistake. Not here: what a problem is (`transom-messages`).

use transom_messages::{Message, Problem};

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
        let problem = Problem::new(message, &self.source).at(at.line, at.column);
        self.errors += usize::from(problem.is_error());
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
        self.list.sort_by_key(|p| (p.place.line, p.place.column));
        self.list
    }
}
