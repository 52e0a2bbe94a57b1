//! What holds the bytes of an [`EngineStore`](crate::EngineStore).
//!
//! What: tables of ordered keys, point reads, scans and atomic durable batches. Why: locks,
//! overlays and group commit exist once and the engines stay small. Not here: locks, units of work,
//! record formats.

use crate::{Damage, LimitStat, Match, Row, Space, StoreError};
use std::fs::File;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use transom_types::Direction;

/// What an engine can do.
#[derive(Debug, Clone, Copy)]
pub struct EngineCaps {
    /// A batch survives the process. Such engines get a thread that writes groups; others write at
    /// once.
    pub durable: bool,
    /// Other processes can map it.
    pub shared_map: bool,
    /// Longest key in bytes.
    pub key_max: usize,
    /// Longest record in bytes.
    pub record_max: usize,
}

/// A range of keys to read.
#[derive(Debug, Clone, Copy)]
pub struct Scan<'a> {
    /// Where to begin.
    pub from: Bound<&'a [u8]>,
    /// Only keys that begin with these bytes.
    pub prefix: &'a [u8],
    /// Order.
    pub direction: Direction,
    /// Most records.
    pub limit: usize,
    /// Most bytes of keys and records; one record comes in any case.
    pub bytes_max: usize,
}

impl<'a> Scan<'a> {
    /// The first record a match other than an equal key selects.
    pub fn first(key: &'a [u8], select: Match) -> Self {
        Self {
            from: match select {
                Match::Greater => Bound::Excluded(key),
                _ => Bound::Included(key),
            },
            prefix: if select == Match::Generic { key } else { &[] },
            direction: Direction::Forward,
            limit: 1,
            bytes_max: usize::MAX,
        }
    }
}

/// What a write does in the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Written whether there is a record or not.
    Put(Vec<u8>),
    /// Written; the batch fails with [`StoreError::Duplicate`] if there is a record.
    Insert(Vec<u8>),
    /// Deleted; the batch fails with [`StoreError::NotFound`] if there is no record.
    Delete,
    /// Deleted if there is a record.
    Erase,
}

/// One write of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineWrite {
    /// The table.
    pub table: Arc<str>,
    /// Key of the record.
    pub key: Vec<u8>,
    /// What happens.
    pub action: Action,
}

/// Writes that happen together or not at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// In order.
    pub writes: Vec<EngineWrite>,
}

/// What is left to do when nobody waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tend {
    /// More.
    Again,
    /// More, after a while.
    After(Duration),
    /// Nothing before the next commit.
    Done,
}

/// Ordered tables with atomic batches. Calls block; writes come from one thread at a time.
pub trait Engine: Send + Sync + 'static {
    /// What it can do.
    fn caps(&self) -> EngineCaps;

    /// Creates a table; false if it exists.
    fn define(&self, table: &str) -> Result<bool, StoreError>;

    /// Deletes a table and its records; false if there is none.
    fn drop_table(&self, table: &str) -> Result<bool, StoreError>;

    /// Deletes all records of a table.
    fn empty(&self, table: &str) -> Result<(), StoreError>;

    /// Names of all tables in order.
    fn tables(&self) -> Result<Vec<String>, StoreError>;

    /// Number of records.
    fn count(&self, table: &str) -> Result<u64, StoreError>;

    /// Refused when there is no such table.
    fn has(&self, table: &str) -> Result<(), StoreError> {
        self.get(table, &[]).map(drop)
    }

    /// One record.
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Records of a range; true when the range ends with them.
    fn scan(&self, table: &str, scan: Scan<'_>) -> Result<(Vec<Row>, bool), StoreError>;

    /// Applies batches in one durable transaction; one result per batch. A batch that fails its own
    /// checks (duplicate, not found, no table) has no effect and does not stop the others.
    /// `NoSpace` and `Io` hit all.
    fn apply(&self, batches: &[Batch]) -> Vec<Result<(), StoreError>>;

    /// Who waited for what was applied last has been answered: what need not keep anybody waiting
    /// is done now.
    fn answered(&self) {}

    /// Reads everything, at most `limit` damages.
    fn verify(&self, prefix: &str, limit: usize) -> Result<Vec<Damage>, StoreError>;

    /// Flushes what is not flushed yet.
    fn checkpoint(&self) -> Result<(), StoreError>;

    /// Consistent copy into a new folder.
    fn backup(&self, folder: &Path) -> Result<(), StoreError>;

    /// See [`Upkeep::scratch`](crate::Upkeep::scratch).
    fn scratch(&self) -> PathBuf {
        std::env::temp_dir()
    }

    /// Limits of its own: map size, for instance.
    fn limits(&self) -> Vec<LimitStat>;

    /// What data and file need; none without a file.
    fn space(&self) -> Option<Space> {
        None
    }

    /// Does a step of what can wait, since nobody waits for a commit: some milliseconds.
    fn tend(&self) -> Result<Tend, StoreError> {
        Ok(Tend::Done)
    }

    /// See [`Upkeep::reader_places`](crate::Upkeep::reader_places).
    fn reader_places(&self) -> Option<Arc<File>> {
        None
    }
}

/// Whether a key belongs to a scan's prefix.
pub(crate) fn in_prefix(key: &[u8], prefix: &[u8]) -> bool {
    key.starts_with(prefix)
}

/// The first key behind all keys with the prefix; `None` when there is no such key.
#[must_use]
pub fn prefix_end(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|b| *b != 0xFF)?;
    let mut end = prefix.get(..=last)?.to_vec();
    *end.last_mut()? += 1;
    Some(end)
}

/// Lower and upper bound of keys.
pub type KeyRange = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// Bounds of a scan as one range of keys; empty when low is beyond high.
#[must_use]
pub fn scan_range(scan: &Scan<'_>) -> Option<KeyRange> {
    let from = scan.from.map(<[u8]>::to_vec);
    let prefix_low = Bound::Included(scan.prefix.to_vec());
    let prefix_high = prefix_end(scan.prefix).map_or(Bound::Unbounded, Bound::Excluded);
    let (low, high) = match scan.direction {
        Direction::Forward => (higher(prefix_low, from), prefix_high),
        Direction::Backward => (prefix_low, lower(prefix_high, from)),
    };
    let empty = match (&low, &high) {
        (Bound::Included(l), Bound::Included(h)) => l > h,
        (Bound::Included(l) | Bound::Excluded(l), Bound::Included(h) | Bound::Excluded(h)) => {
            l >= h
        }
        _ => false,
    };
    (!empty).then_some((low, high))
}

fn higher(prefix: Bound<Vec<u8>>, from: Bound<Vec<u8>>) -> Bound<Vec<u8>> {
    match (&prefix, &from) {
        (_, Bound::Unbounded) => prefix,
        (Bound::Included(p), Bound::Included(f) | Bound::Excluded(f)) if p > f => prefix,
        _ => from,
    }
}

fn lower(prefix: Bound<Vec<u8>>, from: Bound<Vec<u8>>) -> Bound<Vec<u8>> {
    match (&prefix, &from) {
        (_, Bound::Unbounded) => prefix,
        (Bound::Excluded(p), Bound::Included(f) | Bound::Excluded(f)) if p <= f => prefix,
        _ => from,
    }
}
