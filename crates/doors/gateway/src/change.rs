//! Changes to what is installed, and why one is refused.
//!
//! Not here: making them (`state`), who asks for them (`deploy`, `gateway`).

use crate::definition::{ApiDefinition, ServiceDefinition};
use crate::security::Policy;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, io};

/// Installed APIs or services at most: a bound for memory and for the time of a swap.
pub(crate) const INSTALLED_MAX: usize = 10_000;

/// Why a change was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// What is offered is wrong in itself.
    Invalid(String),
    /// It contradicts what is installed.
    Conflict(String),
    /// There is nothing of that name.
    Unknown,
    /// The file system refused.
    Storage(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(text) | Self::Conflict(text) | Self::Storage(text) => f.write_str(text),
            Self::Unknown => f.write_str("not installed"),
        }
    }
}

/// What the file system did not do with an archive.
#[derive(Debug)]
pub(crate) enum StorageError {
    Write(PathBuf, io::Error),
    Remove(PathBuf, io::Error),
    /// The folder it was in.
    Folder(io::Error),
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(file, e) => write!(f, "{} cannot be written: {e}", file.display()),
            Self::Remove(file, e) => write!(f, "{} cannot be removed: {e}", file.display()),
            Self::Folder(e) => e.fmt(f),
        }
    }
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        Self::Storage(error.to_string())
    }
}

/// One step of a change.
pub(crate) enum Change {
    /// Install or replace a service.
    Service(Box<ServiceDefinition>, Arc<Policy>, bool),
    /// Install or replace an API.
    Api(Box<ApiDefinition>, Arc<Policy>, bool),
    /// Take a service away.
    RemoveService(String),
    /// Take an API away.
    RemoveApi(String),
}
