//! The page of a message: what a reader finds under its id.

use crate::Severity;

/// A message page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub(crate) id: &'static str,
    pub(crate) domain: &'static str,
    /// What the message says, inserts in braces: `program {program} was not found`.
    pub text: &'static str,
    /// What it means.
    pub explanation: &'static str,
    /// What Transom does.
    pub system_action: &'static str,
    /// What the reader can do.
    pub user_response: &'static str,
}

impl Page {
    /// The whole id: `TXMPG0012E`.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The two letters of the domain: `PG`.
    pub fn domain(&self) -> &'static str {
        self.id.get(3..5).unwrap_or("")
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        Severity::of(self.id)
    }
}
