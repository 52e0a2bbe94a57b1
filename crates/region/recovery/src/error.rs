//! Why a store refused.
//!
//! What: one enum for all stores. Why: file control and queues map it to conditions without knowing
//! the engine. Not here: RESP and RESP2.

use std::fmt;

/// Why an operation of a store did not happen. After every error but `Io` and `Closed` the store
/// goes on, and the unit of work is as it was before the operation, unless said otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// The table is not defined. Its name.
    NoTable(String),
    /// There is no record to delete.
    NotFound,
    /// There is a record with that key already.
    Duplicate,
    /// Another unit of work holds the lock and the caller does not wait
    /// ([`Wait::No`](crate::Wait::No)).
    Busy,
    /// The lock is retained by a unit of work in doubt; waiting would not help.
    Locked,
    /// The lock was not free before the deadline.
    Timeout,
    /// Waiting would close a circle of units of work that wait for each other. The caller backs
    /// out.
    Deadlock,
    /// Disk or map is full. The unit of work keeps its changes and locks: back out, or make room
    /// and commit again.
    NoSpace(String),
    /// The device failed. After a failed flush the store takes no more changes until it is opened
    /// again.
    Io(String),
    /// The stored record does not have its checksum.
    Damaged {
        /// Table of the record.
        table: String,
        /// Key of the record.
        key: Vec<u8>,
    },
    /// Key or record is longer than the store can hold.
    TooLong {
        /// Bytes given.
        length: usize,
        /// Most bytes possible.
        max: usize,
    },
    /// A named limit of the store is reached.
    Limit(&'static str),
    /// The unit of work is prepared: it can only be committed or backed out.
    Prepared,
    /// The caller abandoned the unit of work ([`release`](crate::UowStore::release)) while it
    /// waited.
    Released,
    /// The store cannot be reached now; nothing was changed. Units of work that used it can only be
    /// backed out.
    Unavailable(String),
    /// Whether the unit of work was committed cannot be found out now; it is whole or not at all.
    Unknown(String),
    /// These are not the data that belong here.
    Wrong(String),
    /// Another region has these data open. Who, as far as known.
    InUse(String),
    /// The store was closed or stopped after a device error.
    Closed,
    /// The store cannot do this.
    Unsupported(&'static str),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTable(name) => write!(f, "table {name} is not defined"),
            Self::NotFound => f.write_str("there is no such record"),
            Self::Duplicate => f.write_str("a record with this key exists"),
            Self::Busy => f.write_str("the record is locked by another unit of work"),
            Self::Locked => f.write_str("the record is locked by a unit of work in doubt"),
            Self::Timeout => f.write_str("the lock was not free in time"),
            Self::Deadlock => f.write_str("waiting for the lock would be a deadlock"),
            Self::NoSpace(text) => write!(f, "no space: {text}"),
            Self::Io(text) => write!(f, "device error: {text}"),
            Self::Damaged { table, key } => {
                write!(f, "record of {table} with key X'")?;
                key.iter().try_for_each(|b| write!(f, "{b:02X}"))?;
                f.write_str("' is damaged")
            }
            Self::TooLong { length, max } => {
                write!(f, "{length} bytes are too long, at most {max} are possible")
            }
            Self::Limit(name) => write!(f, "limit {name} is reached"),
            Self::Prepared => f.write_str("the unit of work is prepared"),
            Self::Released => f.write_str("the unit of work was abandoned"),
            Self::Unavailable(text) => write!(f, "the store cannot be reached: {text}"),
            Self::Unknown(text) => write!(f, "the outcome is not known: {text}"),
            Self::Wrong(text) => f.write_str(text),
            Self::InUse(who) => write!(f, "the data are in use by {who}"),
            Self::Closed => f.write_str("the store is closed"),
            Self::Unsupported(what) => write!(f, "this store cannot {what}"),
        }
    }
}

impl std::error::Error for StoreError {}
