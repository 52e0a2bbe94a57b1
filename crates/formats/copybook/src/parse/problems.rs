//! Problems on their way to the caller, bounded in number.
//!
//! Why: errors beyond the limit still count, so that the best of several formats is known. Not
//! here: what a problem is ([`crate::problem`]).

use super::limits::MAX_PROBLEMS;
use transom_messages::Message;
use transom_messages::Problem;

/// Problems found so far, at most [`MAX_PROBLEMS`].
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub(crate) list: Vec<Problem>,
    pub(crate) errors: usize,
}

impl Problems {
    pub(crate) fn add(&mut self, message: Message, line: u32, column: u32) {
        let problem = Problem::new(message, (line, column));
        self.errors += usize::from(problem.is_error());
        if self.list.len() < MAX_PROBLEMS {
            self.list.push(problem);
        }
    }
}
