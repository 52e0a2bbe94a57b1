//! What ends a terminal's session before the script does.

use super::result::TerminalFailures;

/// Kinds of [`TerminalFailures`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Connect,
    Rejected,
    Timeout,
    Broken,
    Unexpected,
    Keyboard,
    Stream,
}

impl Kind {
    pub(crate) fn count(self, failures: &mut TerminalFailures) {
        *match self {
            Self::Connect => &mut failures.connect,
            Self::Rejected => &mut failures.rejected,
            Self::Timeout => &mut failures.timeout,
            Self::Broken => &mut failures.broken,
            Self::Unexpected => &mut failures.unexpected,
            Self::Keyboard => &mut failures.keyboard,
            Self::Stream => &mut failures.stream,
        } += 1;
    }
}

/// A failure with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    pub(crate) text: String,
}

impl Fault {
    pub(crate) fn new(kind: Kind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
        }
    }
}
