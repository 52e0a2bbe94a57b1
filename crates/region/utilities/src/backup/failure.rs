//! Why a backup or a restore was not done.

use std::fmt;
use std::io;
use transom_messages::Message;
use transom_recovery::StoreError;

/// A backup or a restore that was not done.
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

/// What went wrong while a backup was written.
#[derive(Debug)]
pub(super) enum Fault {
    Device(io::Error),
    Store(StoreError),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Device(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
