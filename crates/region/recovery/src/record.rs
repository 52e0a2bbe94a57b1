//! Records of a store: how they are looked for, locked and changed.
//!
//! What: the data of the store's facets. Why apart: they are spoken of far from any store. Not
//! here: who does it (`store`), units of work (`participant`).

use crate::StoreError;
use std::time::Instant;

/// One record with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Key, ordered as bytes.
    pub key: Vec<u8>,
    /// The record.
    pub record: Vec<u8>,
}

/// Which record [`Records::read`](crate::Records::read) looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// The record with exactly this key.
    Equal,
    /// The first record whose key is not lower.
    GreaterOrEqual,
    /// The first record whose key is higher.
    Greater,
    /// The first record whose key begins with these bytes.
    Generic,
}

/// How long to wait for a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Not at all: [`StoreError::Busy`].
    No,
    /// Until then (DTIMOUT): [`StoreError::Timeout`].
    Until(Instant),
    /// Until the lock is free.
    Forever,
}

/// Whether a read locks what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// Last committed state and own changes, no lock.
    None,
    /// For update: held until `unlock` (if unchanged), commit, backout or release.
    Update(Wait),
}

/// What happens to a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Written, whether there was one or not.
    Put(Vec<u8>),
    /// Added; [`StoreError::Duplicate`] if there is one.
    Insert(Vec<u8>),
    /// Deleted; [`StoreError::NotFound`] if there is none.
    Delete,
    /// Deleted if there is one.
    Erase,
}

impl Change {
    /// Bytes of the record it leaves.
    #[must_use]
    pub fn length(&self) -> usize {
        match self {
            Self::Put(record) | Self::Insert(record) => record.len(),
            Self::Delete | Self::Erase => 0,
        }
    }

    /// The record it leaves; `None`: there is none afterwards.
    #[must_use]
    pub fn into_record(self) -> Option<Vec<u8>> {
        match self {
            Self::Put(record) | Self::Insert(record) => Some(record),
            Self::Delete | Self::Erase => None,
        }
    }

    /// Whether it can be made whatever there is.
    #[must_use]
    pub fn is_unconditional(&self) -> bool {
        matches!(self, Self::Put(_) | Self::Erase)
    }

    /// Whether it can be made where there is a record, or none.
    pub fn check(&self, exists: bool) -> Result<(), StoreError> {
        match self {
            Self::Insert(_) if exists => Err(StoreError::Duplicate),
            Self::Delete if !exists => Err(StoreError::NotFound),
            _ => Ok(()),
        }
    }
}

/// One change of [`stage_all`](crate::Units::stage_all) or [`write_now`](crate::Units::write_now).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The table.
    pub table: String,
    /// Key of the record.
    pub key: Vec<u8>,
    /// What happens to it.
    pub change: Change,
}

impl Write {
    /// Puts the parts together.
    pub fn new(table: impl Into<String>, key: impl Into<Vec<u8>>, change: Change) -> Self {
        Self {
            table: table.into(),
            key: key.into(),
            change,
        }
    }

    /// Whether key and record have a length the store can hold.
    pub fn check_lengths(&self, key_max: usize, record_max: usize) -> Result<(), StoreError> {
        for (length, max) in [
            (self.key.len(), key_max),
            (self.change.length(), record_max),
        ] {
            if length > max {
                return Err(StoreError::TooLong { length, max });
            }
        }
        match self.key.is_empty() {
            true => Err(StoreError::Unsupported("hold an empty key")),
            false => Ok(()),
        }
    }
}

/// A record whose checksum is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Its table.
    pub table: String,
    /// Its key.
    pub key: Vec<u8>,
}

/// What a store can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// `prepare` works.
    pub two_phase: bool,
    /// A marker row decides instead of `prepare` (one SQL participant).
    pub marker_row: bool,
    /// Other processes can read it through a read-only map.
    pub shared_map: bool,
    /// A commit survives the process.
    pub durable: bool,
    /// Regions of other names may keep what is theirs in the same tables.
    pub several_regions: bool,
    /// Longest key in bytes.
    pub key_max: usize,
    /// Longest record in bytes.
    pub record_max: usize,
    /// How many records a scan should ask for when it reads ahead.
    pub batch_hint: usize,
}

/// Most bytes of keys and records one scan returns.
pub const SCAN_BYTES_MAX: usize = 1 << 20;
