//! What every record store of a region offers.
//!
//! What: [`UowStore`] in its facets: reading ([`Records`]), changes in units of work ([`Units`])
//! and what keeps a store going ([`Upkeep`]). Why: files, queues and the syncpoint coordinator are
//! written once, for LMDB, memory and PostgreSQL. What a facet leaves to its default refuses, or
//! has nothing to do: a map for reading is a store in a few lines. Not here: any engine, RESP
//! codes, record formats.

use crate::{
    Caps, Change, Damage, Direction, Lock, Match, Participant, Row, StoreError, StoreFuture,
    StoreStats, SyncpointManager, UowId, Wait, Write, ready,
};
use std::fs::File;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a store says that can only be read.
pub const READ_ONLY: StoreError =
    StoreError::Unsupported("change anything: it is mapped for reading");

/// Opens a store for the system of this number. May block; called again while it answers
/// [`StoreError::Unavailable`].
pub type OpenStore = Box<dyn Fn(u64) -> Result<Arc<dyn UowStore>, StoreError> + Send + Sync>;

/// A store of tables of records with locks and units of work.
///
/// Table names are texts with a prefix for their use: `file/NAME`, `aix/NAME`, `ts/...`, `td/...`,
/// `catalog/...`; `uow/...` belongs to syncpoints. Keys and records are bytes; an empty key is not
/// allowed.
pub trait UowStore: Records + Units + Upkeep {
    /// Who ends units of work here, when others take part in them; `None`: the store alone.
    fn syncpoint_manager(&self) -> Option<Arc<dyn SyncpointManager>> {
        None
    }
}

/// Reading. Reads see the last committed state and, when `uow` is given, the unit's own changes
/// over it.
pub trait Records: Send + Sync {
    /// What this store can do.
    fn caps(&self) -> Caps;

    /// Names of all tables that begin with the prefix, in order.
    fn tables<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<String>>;

    /// Number of committed records of a table. Reads all keys: not for every command.
    fn count<'a>(&'a self, table: &'a str) -> StoreFuture<'a, u64>;

    /// One record, or none. With [`Lock::Update`] (which needs a unit of work) the record is locked
    /// first and read as it is then; nothing found leaves no new lock, except that [`Match::Equal`]
    /// never locks what is not there.
    fn read<'a>(
        &'a self,
        uow: Option<UowId>,
        table: &'a str,
        key: &'a [u8],
        select: Match,
        lock: Lock,
    ) -> StoreFuture<'a, Option<Row>>;

    /// Up to `limit` records from a bound on, only keys that begin with `prefix` (empty: all), own
    /// changes merged in. Fewer than `limit` may come because of [`SCAN_BYTES_MAX`]; none means
    /// there are no more. `Backward` with `Bound::Unbounded` begins at the highest key with the
    /// prefix.
    fn scan<'a>(
        &'a self,
        uow: Option<UowId>,
        table: &'a str,
        from: Bound<&'a [u8]>,
        prefix: &'a [u8],
        direction: Direction,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Row>>;

    /// Name of the store that holds the table when there are several; the store of the region
    /// itself has none.
    fn place(&self, _table: &str) -> &str {
        ""
    }
}

/// Locks and changes. Locks are exclusive, per table and key, first come first served; a unit waits
/// for one lock at a time.
pub trait Units: Participant {
    /// Locks a key, whether there is a record or not.
    fn lock<'a>(
        &'a self,
        _uow: UowId,
        _table: &'a str,
        _key: &'a [u8],
        _wait: Wait,
    ) -> StoreFuture<'a, ()> {
        ready(Err(READ_ONLY))
    }

    /// Gives a lock back; ignored when the unit of work changed the record or does not hold the
    /// lock.
    fn unlock(&self, _uow: UowId, _table: &str, _key: &[u8]) {}

    /// Changes a record in the unit of work, visible to it only until commit. Takes the lock if it
    /// is not held; a refused change gives a lock it took back.
    fn stage<'a>(
        &'a self,
        uow: UowId,
        table: &'a str,
        key: &'a [u8],
        change: Change,
        wait: Wait,
    ) -> StoreFuture<'a, ()> {
        self.stage_all(uow, vec![Write::new(table, key, change)], wait)
    }

    /// As `stage`, for several records that change together or not at all: a record and its index
    /// entries.
    fn stage_all(&self, _uow: UowId, _writes: Vec<Write>, _wait: Wait) -> StoreFuture<'_, ()> {
        ready(Err(READ_ONLY))
    }

    /// Bytes of keys and records that a unit of work can still stage in a table where nothing but
    /// the end of the store refuses a change of a record it has locked. 0: it is not known.
    fn room(&self, _uow: UowId, _table: &str) -> usize {
        0
    }

    /// Changes records at once, all or none, outside of any unit of work; durable on return. With
    /// an `owner` each key is locked for the time of the call (keys it holds stay held); without
    /// one no locks are looked at.
    fn write_now(
        &self,
        _owner: Option<UowId>,
        _writes: Vec<Write>,
        _wait: Wait,
    ) -> StoreFuture<'_, ()> {
        ready(Err(READ_ONLY))
    }

    /// Takes `amount` numbers of the table's counter and returns the first (0 at the beginning).
    /// Numbers taken by work that was committed never come again; numbers of work that was not may,
    /// after a restart.
    fn allocate<'a>(&'a self, _table: &'a str, _amount: u64) -> StoreFuture<'a, u64> {
        ready(Err(READ_ONLY))
    }
}

/// What keeps a store going; none of it is part of a unit of work.
pub trait Upkeep: Send + Sync {
    /// Makes sure a table exists; true if it was created. It is durable with what is written to the
    /// store next, at the latest.
    fn define<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool>;

    /// Deletes a table with its records and its counter; false if there was none. No unit of work
    /// may use it.
    fn drop_table<'a>(&'a self, _table: &'a str) -> StoreFuture<'a, bool> {
        ready(Err(READ_ONLY))
    }

    /// Deletes all records of a table at once and sets its counter to 0; not part of a unit of
    /// work.
    fn empty<'a>(&'a self, _table: &'a str) -> StoreFuture<'a, ()> {
        ready(Err(READ_ONLY))
    }

    /// Reads every record of the tables with the prefix and names the damaged ones, at most 10,000.
    fn verify<'a>(&'a self, _prefix: &'a str) -> StoreFuture<'a, Vec<Damage>> {
        ready(Ok(Vec::new()))
    }

    /// Everything committed so far is on the device.
    fn checkpoint(&self) -> StoreFuture<'_, ()> {
        ready(Err(READ_ONLY))
    }

    /// Writes a consistent copy into a new folder while work goes on.
    fn backup<'a>(&'a self, _folder: &'a Path) -> StoreFuture<'a, ()> {
        ready(Err(READ_ONLY))
    }

    /// A folder for files that are too long for memory and go with the process: on the disk of the
    /// data where that is this machine's.
    fn scratch(&self) -> PathBuf {
        std::env::temp_dir()
    }

    /// Names of other processes that have the store open now. None where a store belongs to one
    /// process.
    fn others(&self) -> StoreFuture<'_, Vec<String>> {
        ready(Ok(Vec::new()))
    }

    /// Memory in which workers that read the store through its map say when they do; they are
    /// given its descriptor. None without a map.
    fn reader_places(&self) -> Option<Arc<File>> {
        None
    }

    /// Counters and named limits.
    fn stats(&self) -> StoreStats {
        StoreStats::default()
    }
}
