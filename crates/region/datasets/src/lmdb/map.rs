//! The mapped environment and how it is read; the same in the region and in workers.

use super::error::translate;
use super::layout::{DATA, ID, RECORDS, tree_key, unseal};
use super::look::{Look, begin};
use super::numbers::{Numbers, Turn};
use super::readers::Place;
use super::{count, header};
use heed::types::Bytes;
use heed::{Database, Env, EnvFlags, EnvOpenOptions, RoTxn};
use std::fs::File;
use std::ops::Bound;
use std::path::Path;
use transom_recovery::{Damage, Direction, Row, Scan, StoreError, scan_range};

pub(super) type Tree = Database<Bytes, Bytes>;

/// Named trees of an environment.
const TREES: u32 = 4;
/// Threads and processes that can read at a time, unless told otherwise.
pub(super) const READERS_MAX: u32 = 4_096;
/// Records one read transaction of a long run looks at; a longer one would keep pages from being
/// used again.
const RUN_BATCH: usize = 10_000;
/// Times a count looks for the header of its state while groups are committed.
const COUNT_TRIES: usize = 8;

/// An open environment.
pub(super) struct Map {
    pub(super) env: Env,
    /// Table name to number.
    pub(super) tables: Tree,
    /// All records.
    pub(super) records: Tree,
    /// Bytes of a page.
    page: usize,
    /// Where this process says that it reads; none: in LMDB's table.
    place: Option<Place>,
    /// Of tables; none where another process changes them.
    numbers: Option<Numbers>,
}

/// Bytes of a page before those of a record that has pages of its own.
const OWN_PAGES_HEAD: usize = 16;
/// Longest record with checksum; a longer one is damage.
const VALUE_MAX: usize = 33 << 20;

/// Who opens an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// A reader with a place in LMDB's table: of a store that a region of an earlier version made.
    ReadOnly,
    /// A reader with a place of [`super::readers`], or one of a store that nobody writes.
    Placed,
    /// A writer whose commits are flushed.
    Flushed,
    /// A writer that has flushed to a log what it commits.
    Logged,
}

/// What is mapped for data of so many bytes: as much again. A change takes pages before it frees
/// any, and what it frees can be used again only after a checkpoint; data that are not too large
/// must not be refused for pages that hold none, and a full store must be emptied.
pub(super) fn mapped(limit: usize) -> usize {
    let reserve = limit.max(1 << 20);
    // LMDB wants whole pages.
    limit.saturating_add(reserve) & !0xFFFF
}

/// Opens the environment of a folder. The size is that of the first opener when not given.
#[allow(unsafe_code)]
pub(super) fn open_env(
    folder: &Path,
    size: Option<usize>,
    readers_max: u32,
    access: Access,
) -> Result<Env, StoreError> {
    let mut options = EnvOpenOptions::new();
    options.max_dbs(TREES).max_readers(readers_max);
    if let Some(size) = size {
        options.map_size(size);
    }
    let flags = match access {
        Access::ReadOnly => EnvFlags::READ_ONLY,
        Access::Placed => EnvFlags::READ_ONLY | EnvFlags::NO_LOCK,
        Access::Flushed => EnvFlags::empty(),
        Access::Logged => EnvFlags::NO_SYNC,
    };
    // SAFETY: READ_ONLY drops no guarantee. With NO_SYNC a loss of power damages the file; it is
    // never opened again before `durable` has set it back to a state that was flushed. With NO_LOCK
    // nobody keeps pages for this reader but the region, which keeps those of the checkpoint until
    // all have ended that have a place and began before the next one (`Durable::replace`); `begin`
    // takes no state that is being replaced. WRITE_MAP is never set.
    unsafe { options.flags(flags) };
    // SAFETY: the data file may be changed only through LMDB while it is mapped. The folder belongs
    // to the region: the only writer holds a lock on the file itself, workers map it for reading,
    // and nothing of ours truncates or replaces it. LMDB's lock file is mapped by the region
    // alone. heed refuses to open the same
    // environment twice in a process.
    let env = unsafe { options.open(folder) }.map_err(translate)?;
    // The folder may be one of links (`lock_file`).
    let data = folder.join(DATA);
    super::fault::explain(
        &data.canonicalize().unwrap_or(data),
        matches!(access, Access::ReadOnly | Access::Placed),
    );
    Ok(env)
}

impl Map {
    /// The parts of an environment.
    pub(super) fn new(env: Env, tables: Tree, records: Tree) -> Self {
        let page = env.stat().page_size as usize;
        Self {
            env,
            tables,
            records,
            page,
            place: None,
            numbers: None,
        }
    }

    /// The same for the process that changes tables.
    pub(super) fn of_writer(self) -> Self {
        let numbers = Some(Numbers::default());
        Self { numbers, ..self }
    }

    /// The same for a process with a place; `env` was opened for one.
    pub(super) fn placed(self, place: Option<Place>) -> Self {
        Self { place, ..self }
    }

    /// A read transaction; closed again before the call that made it returns.
    pub(super) fn read(&self) -> Result<Look<'_>, StoreError> {
        begin(&self.env, self.place.as_ref())
    }

    /// Numbers of tables, where this process changes them.
    pub(super) fn numbers(&self) -> Option<&Numbers> {
        self.numbers.as_ref()
    }

    /// A read transaction and the number of a table in it.
    pub(super) fn read_table(&self, table: &str) -> Result<(Look<'_>, u32), StoreError> {
        let turn = self.numbers.as_ref().and_then(Numbers::turn);
        let txn = self.read()?;
        let id = self.id_in(turn, &txn, table)?;
        Ok((txn, id))
    }

    /// Number of a table in a state that was opened in a turn.
    pub(super) fn id_in(
        &self,
        turn: Option<Turn>,
        txn: &RoTxn<'_>,
        table: &str,
    ) -> Result<u32, StoreError> {
        let known = self.numbers.as_ref().zip(turn);
        let Some((numbers, turn)) = known.filter(|(numbers, turn)| numbers.is_still(*turn)) else {
            return self.id(txn, table);
        };
        if let Some(id) = numbers.find(turn, table) {
            return Ok(id);
        }
        let id = self.id(txn, table)?;
        numbers.keep(turn, table, id);
        Ok(id)
    }

    /// Whether there is a table.
    pub(super) fn has(&self, table: &str) -> Result<(), StoreError> {
        let known = self.numbers.as_ref().and_then(|n| n.find(n.turn()?, table));
        match known {
            Some(_) => Ok(()),
            None => self.read_table(table).map(drop),
        }
    }

    /// Number of a table.
    pub(super) fn id(&self, txn: &RoTxn<'_>, table: &str) -> Result<u32, StoreError> {
        let found = self.tables.get(txn, table.as_bytes()).map_err(translate)?;
        let id = found
            .and_then(|v| v.try_into().ok())
            .map(u32::from_be_bytes);
        id.ok_or_else(|| StoreError::NoTable(table.to_owned()))
    }

    /// One record.
    pub(super) fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let (txn, id) = self.read_table(table)?;
        if key.len() + ID > self.env.max_key_size() {
            return Ok(None);
        }
        let mut wanted = Vec::with_capacity(ID + key.len());
        tree_key(id, key, &mut wanted);
        let Some(value) = self.records.get(&txn, &wanted).map_err(translate)? else {
            return Ok(None);
        };
        match self.record(&wanted, value) {
            Some(record) => Ok(Some(record.to_vec())),
            None => Err(damaged(table, key)),
        }
    }

    /// Records of a range; true when the range ends with them.
    pub(super) fn scan(&self, table: &str, scan: Scan<'_>) -> Result<(Vec<Row>, bool), StoreError> {
        let mut found = Vec::with_capacity(scan.limit.min(64));
        let ended = self.visit(table, scan, &mut |key, record| {
            found.push(Row {
                key: key.to_vec(),
                record: record.to_vec(),
            });
        })?;
        Ok((found, ended))
    }

    /// As `scan`, without copies.
    pub(super) fn visit(
        &self,
        table: &str,
        scan: Scan<'_>,
        visit: &mut dyn FnMut(&[u8], &[u8]),
    ) -> Result<bool, StoreError> {
        let (txn, id) = self.read_table(table)?;
        let Some((low, high)) = scan_range(&scan) else {
            return Ok(true);
        };
        let low = tree_bound(id, low, || Bound::Included(id.to_be_bytes().to_vec()));
        let high = tree_bound(id, high, || match id.checked_add(1) {
            Some(next) => Bound::Excluded(next.to_be_bytes().to_vec()),
            None => Bound::Unbounded,
        });
        let range = (as_slice(&low), as_slice(&high));
        match scan.direction {
            Direction::Forward => {
                let rows = self.records.range(&txn, &range).map_err(translate)?;
                self.show(table, rows, &scan, visit)
            }
            Direction::Backward => {
                let rows = self.records.rev_range(&txn, &range).map_err(translate)?;
                self.show(table, rows, &scan, visit)
            }
        }
    }

    /// The record of a value, if it is sound. A damaged page can give it any length: reading beyond
    /// the file would end the process, so where it lies is looked at before what it says.
    fn record<'v>(&self, tree_key: &[u8], value: &'v [u8]) -> Option<&'v [u8]> {
        let at = value.as_ptr() as usize & (self.page - 1);
        let room = match at {
            OWN_PAGES_HEAD => VALUE_MAX,
            _ => self.page - at,
        };
        (value.len() <= room).then(|| unseal(tree_key, value))?
    }

    /// Names of all tables.
    pub(super) fn names(&self) -> Result<Vec<String>, StoreError> {
        let txn = self.read()?;
        let mut names = Vec::new();
        for row in self.tables.iter(&txn).map_err(translate)? {
            let (name, _) = row.map_err(translate)?;
            names.push(String::from_utf8_lossy(name).into_owned());
        }
        Ok(names)
    }

    /// Number of records of a table.
    pub(super) fn count(&self, table: &str) -> Result<u64, StoreError> {
        if let Some(count) = self.count_pages(table)? {
            return Ok(count);
        }
        let mut count = 0;
        self.run(table, |_, _| {
            count += 1;
            true
        })?;
        Ok(count)
    }

    /// As its pages tell it; none where they do not.
    pub(super) fn count_pages(&self, table: &str) -> Result<Option<u64>, StoreError> {
        let Ok(file) = File::open(self.env.path().join(DATA)) else {
            return Ok(None);
        };
        for _ in 0..COUNT_TRIES {
            let txn = self.read()?;
            let id = self.id(&txn, table)?;
            // Not there: two groups were committed in between.
            if let Some(header) = header::committed_by(&file, txn.id() as u64) {
                return Ok(count::count(&file, &header, RECORDS, id));
            }
        }
        Ok(None)
    }

    /// Damaged records of the tables with a prefix, at most `limit`.
    pub(super) fn verify(&self, prefix: &str, limit: usize) -> Result<Vec<Damage>, StoreError> {
        let mut found = Vec::new();
        for table in self.names()?.into_iter().filter(|n| n.starts_with(prefix)) {
            let checked = self.run(&table, |key, value| {
                if self.record(key, value).is_none() {
                    let key = key.get(ID..).unwrap_or_default().to_vec();
                    let table = table.clone();
                    found.push(Damage { table, key });
                }
                found.len() < limit
            });
            match checked {
                // Dropped meanwhile.
                Err(StoreError::NoTable(_)) => {}
                other => other?,
            }
        }
        Ok(found)
    }

    /// Shows tree keys and values of a table, many short transactions, until the visitor says no.
    fn run(
        &self,
        table: &str,
        mut visit: impl FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        let mut from: Option<Vec<u8>> = None;
        loop {
            let txn = self.read()?;
            let id = self.id(&txn, table)?.to_be_bytes();
            let low = match &from {
                Some(key) => Bound::Excluded(key.as_slice()),
                None => Bound::Included(id.as_slice()),
            };
            let range = (low, Bound::Unbounded);
            let rows = self.records.range(&txn, &range).map_err(translate)?;
            let mut reached = None;
            for row in rows.take(RUN_BATCH) {
                let (key, value) = row.map_err(translate)?;
                if !key.starts_with(&id) || !visit(key, value) {
                    return Ok(());
                }
                reached = Some(key);
            }
            match reached {
                Some(key) => from = Some(key.to_vec()),
                None => return Ok(()),
            }
        }
    }

    /// Shows records until a limit of the scan is reached; true at the end of the range.
    fn show<'t>(
        &self,
        table: &str,
        rows: impl Iterator<Item = heed::Result<(&'t [u8], &'t [u8])>>,
        scan: &Scan<'_>,
        visit: &mut dyn FnMut(&[u8], &[u8]),
    ) -> Result<bool, StoreError> {
        let (mut count, mut bytes) = (0, 0);
        for row in rows {
            let (tree_key, value) = row.map_err(translate)?;
            let key = tree_key.get(ID..).unwrap_or_default();
            bytes += key.len() + value.len();
            if count >= scan.limit || (bytes > scan.bytes_max && count > 0) {
                return Ok(false);
            }
            let record = self
                .record(tree_key, value)
                .ok_or_else(|| damaged(table, key))?;
            visit(key, record);
            count += 1;
        }
        Ok(true)
    }
}

fn damaged(table: &str, key: &[u8]) -> StoreError {
    StoreError::Damaged {
        table: table.to_owned(),
        key: key.to_vec(),
    }
}

fn tree_bound(
    id: u32,
    bound: Bound<Vec<u8>>,
    end: impl FnOnce() -> Bound<Vec<u8>>,
) -> Bound<Vec<u8>> {
    let with_id = |key: Vec<u8>| [id.to_be_bytes().as_slice(), &key].concat();
    match bound {
        Bound::Unbounded => end(),
        other => other.map(with_id),
    }
}

fn as_slice(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    bound.as_ref().map(Vec::as_slice)
}
