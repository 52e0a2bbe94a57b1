//! What goes wrong while a backup is written.

use std::fmt;
use std::io;
use transom_recovery::StoreError;

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
