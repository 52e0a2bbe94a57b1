//! What every record store of a region offers.
//!
//! What: the trait [`UowStore`] and its data. Why: files, queues and the syncpoint coordinator are
//! written once, for LMDB, memory and PostgreSQL. Not here: any engine, RESP codes, record formats.

use crate::{StoreError, StoreStats, UowId};
use std::future::Future;
use std::ops::Bound;
use std::path::Path;
use std::pin::Pin;
use std::time::{Instant, SystemTime};
use transom_types::Direction;

/// Answer of a store. Needs no particular executor; local stores have it ready at the first poll
/// unless a lock has to be waited for or a disk flushed. Dropping it while it waits for a lock
/// gives up the wait (on PostgreSQL: at the end of the unit of work); dropping a commit does not
/// stop the commit.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// One record with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Key, ordered as bytes.
    pub key: Vec<u8>,
    /// The record.
    pub record: Vec<u8>,
}

/// Which record [`UowStore::read`] looks for.
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

/// One change of [`UowStore::stage_all`] or [`UowStore::write_now`].
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
}

/// How a unit of work ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its changes become visible and durable.
    Commit,
    /// Its changes are forgotten.
    Backout,
}

/// A prepared unit of work whose outcome is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InDoubt {
    /// Its name.
    pub uow: UowId,
    /// What the coordinator gave to `prepare`: participants, for instance.
    pub info: Vec<u8>,
    /// When it was prepared.
    pub since: SystemTime,
    /// Its locks are retained: others get [`StoreError::Locked`] at once.
    pub retained: bool,
    /// Set when the outcome is known and a partner could not be told yet.
    pub untold: Option<Untold>,
}

/// A partner that does not know yet how a unit of work ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untold {
    /// Name of the partner.
    pub partner: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// What a unit of work has in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Nothing.
    None,
    /// Locks or a place to read from; nothing to be made durable.
    Locks,
    /// Changes.
    Changes,
    /// Changes that are prepared.
    Prepared,
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
    /// Longest key in bytes.
    pub key_max: usize,
    /// Longest record in bytes.
    pub record_max: usize,
    /// How many records a scan should ask for when it reads ahead.
    pub batch_hint: usize,
}

/// A store of tables of records with locks and units of work.
///
/// Table names are texts with a prefix for their use: `file/NAME`, `aix/NAME`, `ts/...`, `td/...`,
/// `catalog/...`; `uow/...` belongs to syncpoints. Keys and records are bytes; an empty key is not
/// allowed.
///
/// A unit of work begins with its first lock or change and needs no call for that. Reads see the
/// last committed state and, when `uow` is given, the unit's own changes over it. Locks are
/// exclusive, per table and key, first come first served; a unit waits for one lock at a time.
pub trait UowStore: Send + Sync {
    /// What this store can do.
    fn caps(&self) -> Caps;

    /// Makes sure a table exists; true if it was created. Durable on return.
    fn define<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool>;

    /// Deletes a table with its records and its counter; false if there was none. No unit of work
    /// may use it.
    fn drop_table<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool>;

    /// Deletes all records of a table at once and sets its counter to 0; not part of a unit of
    /// work.
    fn empty<'a>(&'a self, table: &'a str) -> StoreFuture<'a, ()>;

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

    /// Locks a key, whether there is a record or not.
    fn lock<'a>(
        &'a self,
        uow: UowId,
        table: &'a str,
        key: &'a [u8],
        wait: Wait,
    ) -> StoreFuture<'a, ()>;

    /// Gives a lock back; ignored when the unit of work changed the record or does not hold the
    /// lock.
    fn unlock(&self, uow: UowId, table: &str, key: &[u8]);

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
    fn stage_all(&self, uow: UowId, writes: Vec<Write>, wait: Wait) -> StoreFuture<'_, ()>;

    /// Changes records at once, all or none, outside of any unit of work; durable on return. With
    /// an `owner` each key is locked for the time of the call (keys it holds stay held); without
    /// one no locks are looked at.
    fn write_now(
        &self,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> StoreFuture<'_, ()>;

    /// Takes `amount` numbers of the table's counter and returns the first (0 at the beginning).
    /// Numbers taken by work that was committed never come again; numbers of work that was not may,
    /// after a restart.
    fn allocate<'a>(&'a self, table: &'a str, amount: u64) -> StoreFuture<'a, u64>;

    /// Makes a unit of work survive a restart without deciding it. `info` comes back in
    /// [`InDoubt`].
    fn prepare<'a>(&'a self, uow: UowId, info: &'a [u8]) -> StoreFuture<'a, ()>;

    /// Makes the changes of a unit of work visible and durable, then releases its locks. Prepared
    /// or not. A unit of work that never did anything is committed at once.
    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()>;

    /// Forgets the changes of a unit of work and releases its locks. Prepared or not.
    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()>;

    /// Prepared units of work, those of earlier runs included.
    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>>;

    /// Makes the locks of a prepared unit of work retained: whoever waits for one gets
    /// [`StoreError::Locked`].
    fn retain(&self, uow: UowId);

    /// Ends a unit of work in doubt; [`StoreError::NotFound`] if it is not prepared.
    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()>;

    /// What the unit of work has here.
    fn part(&self, uow: UowId) -> Part;

    /// Name of the store that holds the table when there are several; the store of the region
    /// itself has none.
    fn place(&self, _table: &str) -> &str {
        ""
    }

    /// What tells this store from all others, also after a restart; `None` if nothing does.
    fn identity(&self) -> Option<String> {
        None
    }

    /// The owner is dead: ends its wait, forgets its changes, releases its locks. Prepared work
    /// stays, with its locks retained; a commit under way goes on.
    fn release(&self, uow: UowId);

    /// Reads every record of the tables with the prefix and names the damaged ones, at most 10,000.
    fn verify<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<Damage>>;

    /// Everything committed so far is on the device.
    fn checkpoint(&self) -> StoreFuture<'_, ()>;

    /// Writes a consistent copy into a new folder while work goes on.
    fn backup<'a>(&'a self, folder: &'a Path) -> StoreFuture<'a, ()>;

    /// Names of other processes that have the store open now. None where a store belongs to one
    /// process.
    fn others(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// A process that reads the store through its map has died: frees what it held. Nothing to do
    /// without a map.
    fn reader_died(&self) {}

    /// Counters and named limits.
    fn stats(&self) -> StoreStats;
}

/// Most bytes of keys and records one scan returns.
pub const SCAN_BYTES_MAX: usize = 1 << 20;
