//! What is told about the files of a system directory.

use transom_messages::{Message, Problem};

/// One thing to tell the user about a file.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Nothing can start while it is there.
    pub is_error: bool,
    /// `file:line:column: TXM... text`.
    pub text: String,
}

impl Finding {
    /// Something that nothing can start with.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            text: text.into(),
        }
    }

    /// Something that is good to know.
    pub fn notice(text: impl Into<String>) -> Self {
        Self {
            is_error: false,
            text: text.into(),
        }
    }
}

impl From<Message> for Finding {
    /// An error.
    fn from(message: Message) -> Self {
        Self::error(message)
    }
}

impl From<&Problem> for Finding {
    /// With its place first.
    fn from(problem: &Problem) -> Self {
        Self {
            is_error: problem.is_error(),
            text: problem.place_first().to_string(),
        }
    }
}
