//! Why a journal cannot be written.

use std::fmt;
use std::io;
use transom_types::JournalName;

/// Why nothing can be written to a journal.
#[derive(Debug)]
pub(crate) enum JournalError {
    /// No model makes one of this name.
    Unknown(JournalName),
    /// Its file.
    NotOpened(JournalName, io::Error),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no journal {name}"),
            Self::NotOpened(name, error) => {
                write!(f, "journal {name} cannot be opened: {error}")
            }
        }
    }
}
