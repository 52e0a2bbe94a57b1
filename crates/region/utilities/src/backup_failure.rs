//! Why a backup, a restore or a forward recovery was not done.

use std::fmt;
use transom_messages::Message;

/// A backup, a restore or a forward recovery that was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFailure(Box<Message>);

impl fmt::Display for BackupFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for BackupFailure {}

impl From<Message> for BackupFailure {
    fn from(message: Message) -> Self {
        Self(Box::new(message))
    }
}
