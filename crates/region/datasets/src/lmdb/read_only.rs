//! The store of a region, read by another process.
//!
//! What: a [`UowStore`] over a read-only map: reads and scans of committed records, no unit of
//! work, no lock, no change. Why: most file commands read, and a look into the map costs a
//! microsecond where a question to the region costs many. No transaction stays open between calls,
//! so a worker can be killed at any time without holding up the region for longer than until its
//! death is seen. Not here: own changes (a task that has some asks the region).

use super::error::translate;
use super::layout::{ID, RECORDS};
use super::lock_file;
use super::look::begin;
use super::map::{Access, Map, READERS_MAX, open_env};
use super::readers::Place;
use std::ops::Bound;
use std::path::Path;
use transom_recovery::{
    Caps, Damage, Direction, Lock, Match, Part, Participant, READ_ONLY, Records, Row,
    SCAN_BYTES_MAX, Scan, StoreError, StoreFuture, Units, UowId, UowStore, Upkeep, ready,
};

/// Committed records of a region's store. Every answer is ready at the first poll.
pub struct ReadOnlyStore {
    map: Map,
}

impl ReadOnlyStore {
    /// Maps the store of a folder for a utility: what a region changes meanwhile keeps its room
    /// until this is dropped.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_with(folder, Place::of_utility(folder)?)
    }

    /// Maps the store that a region has opened, in a worker. `places` is the path of the descriptor
    /// the region has given it ([`reader_places`](transom_recovery::Engine::reader_places)).
    /// After a fork open it in the child, not before.
    pub fn open_in_worker(folder: &Path, places: &Path) -> Result<Self, StoreError> {
        Self::open_with(folder, Some(Place::of_worker(places)?))
    }

    fn open_with(folder: &Path, place: Option<Place>) -> Result<Self, StoreError> {
        let access = match place.is_none() && folder.join(lock_file::NAME).exists() {
            // Of a region of an earlier version: LMDB's table, as long as it was made.
            true => Access::ReadOnly,
            // Without a place it is a copy, or of nobody.
            false => Access::Placed,
        };
        let env = open_env(folder, None, READERS_MAX, access)?;
        let look = begin(&env, place.as_ref())?;
        let tree = |name| {
            let opened = env.open_database(&look, Some(name)).map_err(translate)?;
            opened.ok_or_else(|| StoreError::Io(format!("{} is no store", folder.display())))
        };
        let (tables, records) = (tree("tables")?, tree(RECORDS)?);
        // Keeps the handles of the two trees.
        look.keep()?;
        Ok(Self {
            map: Map::new(env, tables, records).placed(place),
        })
    }

    /// One record, without a future.
    pub fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.map.get(table, key)
    }

    /// Records of a range, without a future; true when the range ends with them.
    pub fn scan_rows(&self, table: &str, scan: Scan<'_>) -> Result<(Vec<Row>, bool), StoreError> {
        self.map.scan(table, scan)
    }

    /// Shows keys and records of a range without copying them; true when the range ends with them.
    /// The visitor must not use this store: the transaction is open while it runs.
    pub fn visit(
        &self,
        table: &str,
        scan: Scan<'_>,
        visit: &mut dyn FnMut(&[u8], &[u8]),
    ) -> Result<bool, StoreError> {
        self.map.visit(table, scan, visit)
    }

    fn find(&self, table: &str, key: &[u8], select: Match) -> Result<Option<Row>, StoreError> {
        if select == Match::Equal {
            let record = self.map.get(table, key)?;
            return Ok(record.map(|record| Row {
                key: key.to_vec(),
                record,
            }));
        }
        Ok(self.map.scan(table, Scan::first(key, select))?.0.pop())
    }
}

impl UowStore for ReadOnlyStore {}

impl Records for ReadOnlyStore {
    fn caps(&self) -> Caps {
        Caps {
            two_phase: false,
            marker_row: false,
            shared_map: true,
            durable: true,
            several_regions: false,
            key_max: self.map.env.max_key_size() - ID,
            record_max: 0,
            batch_hint: 64,
        }
    }

    fn tables<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<String>> {
        let names = self.map.names();
        ready(names.map(|n| n.into_iter().filter(|n| n.starts_with(prefix)).collect()))
    }

    fn count<'a>(&'a self, table: &'a str) -> StoreFuture<'a, u64> {
        ready(self.map.count(table))
    }

    fn read<'a>(
        &'a self,
        _uow: Option<UowId>,
        table: &'a str,
        key: &'a [u8],
        select: Match,
        lock: Lock,
    ) -> StoreFuture<'a, Option<Row>> {
        match lock {
            Lock::None => ready(self.find(table, key, select)),
            Lock::Update(_) => ready(Err(READ_ONLY)),
        }
    }

    fn scan<'a>(
        &'a self,
        _uow: Option<UowId>,
        table: &'a str,
        from: Bound<&'a [u8]>,
        prefix: &'a [u8],
        direction: Direction,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Row>> {
        let scan = Scan {
            from,
            prefix,
            direction,
            limit,
            bytes_max: SCAN_BYTES_MAX,
        };
        ready(self.map.scan(table, scan).map(|found| found.0))
    }
}

impl Units for ReadOnlyStore {}

impl Participant for ReadOnlyStore {
    fn part(&self, _: UowId) -> Part {
        Part::None
    }

    fn commit(&self, _: UowId) -> StoreFuture<'_, ()> {
        ready(Err(READ_ONLY))
    }

    fn backout(&self, _: UowId) -> StoreFuture<'_, ()> {
        ready(Err(READ_ONLY))
    }

    fn release(&self, _: UowId) {}
}

impl Upkeep for ReadOnlyStore {
    /// Tables cannot be made, but one that exists is there.
    fn define<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        let known = self.map.read().and_then(|txn| self.map.id(&txn, table));
        ready(known.map(|_| false))
    }

    fn verify<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<Damage>> {
        ready(self.map.verify(prefix, 10_000))
    }
}
