//! What file control learns when an operation did not happen.
//!
//! What: conditions in the words of file control. Why: RESP and RESP2 depend on the command, the
//! reason does not. Not here: RESP numbers.

use crate::name::DatasetNameError;
use std::fmt;
use transom_recovery::StoreError;

/// Why an operation on a dataset did not happen; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// No record has the key (NOTFND).
    NotFound,
    /// The key, or a unique alternate key, exists (DUPREC).
    Duplicate,
    /// The record is too long, too short for its key, or not of the fixed length (LENGERR). Longest
    /// possible.
    Length {
        /// Bytes given.
        length: usize,
        /// Longest record, or the fixed length.
        max: usize,
    },
    /// A rewritten record has another key (INVREQ).
    KeyChanged,
    /// The organization does not have this operation, or the key has a wrong length (INVREQ). What
    /// is wrong.
    Invalid(&'static str),
    /// The data set was made read only by ALTER INHIBIT (INVREQ).
    ReadOnly,
    /// Disk or map is full (NOSPACE).
    NoSpace(String),
    /// Held by a unit of work in doubt (LOCKED).
    Locked,
    /// Held by another unit of work and NOSUSPEND was given (RECORDBUSY).
    Busy,
    /// Not free before the deadline (the task ends with AKCS or the like).
    Timeout,
    /// Waiting would be a deadlock (the task ends with AFCF or the like).
    Deadlock,
    /// The task was ended while it waited.
    Released,
    /// Index and base do not agree, or an entry is damaged (ILLOGIC). What is wrong.
    Damaged(String),
    /// The store failed, or the bytes of a record are damaged (IOERR).
    Io(String),
    /// There is no such dataset, or it was deleted (NOTOPEN). Its name.
    NoDataset(String),
    /// A name that shall be defined exists. The name.
    Exists(String),
    /// Something refers to what shall be deleted, or a definition cannot be. Why.
    Refused(String),
}

impl From<DatasetNameError> for Condition {
    fn from(error: DatasetNameError) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<StoreError> for Condition {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::NotFound,
            StoreError::Duplicate => Self::Duplicate,
            StoreError::Busy => Self::Busy,
            StoreError::Locked => Self::Locked,
            StoreError::Timeout => Self::Timeout,
            StoreError::Deadlock => Self::Deadlock,
            StoreError::Released => Self::Released,
            StoreError::TooLong { length, max } => Self::Length { length, max },
            StoreError::NoTable(name) => Self::NoDataset(name),
            StoreError::Damaged { .. } => {
                Self::Io(format!("{error}; `transom verify` names all that are"))
            }
            StoreError::NoSpace(_) | StoreError::Limit(_) => Self::NoSpace(error.to_string()),
            StoreError::Prepared => Self::Invalid("the unit of work has ended"),
            StoreError::Unsupported(what) => Self::Invalid(what),
            StoreError::Io(_)
            | StoreError::Closed
            | StoreError::Unavailable(_)
            | StoreError::Unknown(_)
            | StoreError::Wrong(_)
            | StoreError::InUse(_) => Self::Io(error.to_string()),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such record"),
            Self::Duplicate => f.write_str("a record with this key exists"),
            Self::Length { length, max } => {
                write!(
                    f,
                    "a record of {length} bytes does not fit, the dataset has {max}"
                )
            }
            Self::KeyChanged => f.write_str("the key of the record was changed"),
            Self::Invalid(text) => f.write_str(text),
            Self::ReadOnly => f.write_str("the dataset can only be read (INHIBIT)"),
            Self::Locked => f.write_str("the record is locked by a unit of work in doubt"),
            Self::Busy => f.write_str("the record is locked by another unit of work"),
            Self::Timeout => f.write_str("the record was not free in time"),
            Self::Deadlock => f.write_str("waiting for the record would be a deadlock"),
            Self::Released => f.write_str("the task was ended while it waited"),
            Self::NoDataset(name) => write!(f, "{name} is not defined"),
            Self::Exists(name) => write!(f, "{name} is already defined"),
            Self::NoSpace(text) | Self::Damaged(text) | Self::Io(text) | Self::Refused(text) => {
                f.write_str(text)
            }
        }
    }
}

impl std::error::Error for Condition {}
