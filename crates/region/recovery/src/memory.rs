//! An engine that keeps its tables in memory.
//!
//! What: ordered maps behind one lock. Why: tests, and queues or files that need not survive. Not
//! here: durability of any kind.

use crate::engine::{Action, Batch, Engine, EngineCaps, EngineWrite, Scan, in_prefix, scan_range};
use crate::guard::{read, write};
use crate::{Damage, Direction, LimitStat, Row, StoreError};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::RwLock;

type Table = BTreeMap<Vec<u8>, Vec<u8>>;
type Tables = BTreeMap<String, Table>;

/// Longest key, the same as LMDB's so that tests see the same limits.
const KEY_MAX: usize = 600;
/// Longest record.
const RECORD_MAX: usize = 32 << 20;

/// Tables in memory, at most `bytes_max` of keys and records.
pub struct MemoryEngine {
    tables: RwLock<Tables>,
    used: std::sync::atomic::AtomicU64,
    peak: std::sync::atomic::AtomicU64,
    reached: std::sync::atomic::AtomicU64,
    bytes_max: u64,
}

use std::sync::atomic::Ordering::Relaxed;

impl MemoryEngine {
    /// No tables yet; batches beyond `bytes_max` get `NoSpace`.
    #[must_use]
    pub fn new(bytes_max: u64) -> Self {
        Self {
            tables: RwLock::default(),
            used: 0.into(),
            peak: 0.into(),
            reached: 0.into(),
            bytes_max,
        }
    }

    fn apply_one(&self, tables: &mut Tables, batch: &Batch) -> Result<(), StoreError> {
        let mut undo: Vec<(&EngineWrite, Option<Vec<u8>>)> = Vec::new();
        for write in &batch.writes {
            match self.apply_write(tables, write) {
                Ok(old) => undo.push((write, old)),
                Err(error) => {
                    self.take_back(tables, undo);
                    return Err(error);
                }
            }
        }
        self.peak.fetch_max(self.used.load(Relaxed), Relaxed);
        if self.used.load(Relaxed) > self.bytes_max {
            self.reached.fetch_add(1, Relaxed);
            self.take_back(tables, undo);
            return Err(StoreError::NoSpace(format!(
                "memory store is limited to {} bytes",
                self.bytes_max
            )));
        }
        Ok(())
    }

    /// The record that was there before.
    fn apply_write(
        &self,
        tables: &mut Tables,
        write: &EngineWrite,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let table = tables
            .get_mut(&*write.table)
            .ok_or_else(|| StoreError::NoTable(write.table.to_string()))?;
        let exists = table.contains_key(&write.key);
        let new = match &write.action {
            Action::Insert(_) if exists => return Err(StoreError::Duplicate),
            Action::Delete if !exists => return Err(StoreError::NotFound),
            Action::Put(record) | Action::Insert(record) => Some(record.clone()),
            Action::Delete | Action::Erase => None,
        };
        Ok(self.set(table, &write.key, new))
    }

    fn take_back(&self, tables: &mut Tables, undo: Vec<(&EngineWrite, Option<Vec<u8>>)>) {
        for (write, old) in undo.into_iter().rev() {
            if let Some(table) = tables.get_mut(&*write.table) {
                self.set(table, &write.key, old);
            }
        }
    }

    fn set(&self, table: &mut Table, key: &[u8], record: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let size = |r: &Vec<u8>| (key.len() + r.len()) as u64;
        if let Some(record) = &record {
            self.used.fetch_add(size(record), Relaxed);
        }
        let old = match record {
            Some(record) => table.insert(key.to_vec(), record),
            None => table.remove(key),
        };
        if let Some(old) = &old {
            self.used.fetch_sub(size(old), Relaxed);
        }
        old
    }

    fn forget(&self, table: &Table) {
        let bytes: usize = table.iter().map(|(k, v)| k.len() + v.len()).sum();
        self.used.fetch_sub(bytes as u64, Relaxed);
    }
}

impl Engine for MemoryEngine {
    fn caps(&self) -> EngineCaps {
        EngineCaps {
            durable: false,
            shared_map: false,
            key_max: KEY_MAX,
            record_max: RECORD_MAX,
        }
    }

    fn define(&self, table: &str) -> Result<bool, StoreError> {
        let mut tables = write(&self.tables);
        let new = !tables.contains_key(table);
        tables.entry(table.to_owned()).or_default();
        Ok(new)
    }

    fn drop_table(&self, table: &str) -> Result<bool, StoreError> {
        let dropped = write(&self.tables).remove(table);
        Ok(dropped.inspect(|t| self.forget(t)).is_some())
    }

    fn empty(&self, table: &str) -> Result<(), StoreError> {
        let mut tables = write(&self.tables);
        let table = tables
            .get_mut(table)
            .ok_or_else(|| StoreError::NoTable(table.to_owned()))?;
        self.forget(&std::mem::take(table));
        Ok(())
    }

    fn tables(&self) -> Result<Vec<String>, StoreError> {
        Ok(read(&self.tables).keys().cloned().collect())
    }

    fn count(&self, table: &str) -> Result<u64, StoreError> {
        let tables = read(&self.tables);
        let found = tables.get(table);
        found
            .map(|t| t.len() as u64)
            .ok_or_else(|| StoreError::NoTable(table.to_owned()))
    }

    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let tables = read(&self.tables);
        let found = tables.get(table);
        let found = found.ok_or_else(|| StoreError::NoTable(table.to_owned()))?;
        Ok(found.get(key).cloned())
    }

    fn scan(&self, table: &str, scan: Scan<'_>) -> Result<(Vec<Row>, bool), StoreError> {
        let tables = read(&self.tables);
        let found = tables.get(table);
        let found = found.ok_or_else(|| StoreError::NoTable(table.to_owned()))?;
        let Some(range) = scan_range(&scan) else {
            return Ok((Vec::new(), true));
        };
        let rows = found.range(range);
        Ok(match scan.direction {
            Direction::Forward => collect(rows, &scan),
            Direction::Backward => collect(rows.rev(), &scan),
        })
    }

    fn apply(&self, batches: &[Batch]) -> Vec<Result<(), StoreError>> {
        let mut tables = write(&self.tables);
        let all = batches.iter();
        all.map(|b| self.apply_one(&mut tables, b)).collect()
    }

    fn verify(&self, _prefix: &str, _limit: usize) -> Result<Vec<Damage>, StoreError> {
        Ok(Vec::new())
    }

    fn checkpoint(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn backup(&self, _folder: &Path) -> Result<(), StoreError> {
        Err(StoreError::Unsupported("be copied: it is in memory only"))
    }

    fn limits(&self) -> Vec<LimitStat> {
        vec![LimitStat {
            name: "store memory bytes",
            now: self.used.load(Relaxed),
            peak: self.peak.load(Relaxed),
            limit: self.bytes_max,
            reached: self.reached.load(Relaxed),
        }]
    }
}

fn collect<'a>(
    rows: impl Iterator<Item = (&'a Vec<u8>, &'a Vec<u8>)>,
    scan: &Scan<'_>,
) -> (Vec<Row>, bool) {
    let mut found = Vec::new();
    let mut bytes = 0;
    for (key, record) in rows {
        bytes += key.len() + record.len();
        if found.len() >= scan.limit || (bytes > scan.bytes_max && !found.is_empty()) {
            return (found, false);
        }
        debug_assert!(in_prefix(key, scan.prefix), "the range has the prefix");
        found.push(Row {
            key: key.clone(),
            record: record.clone(),
        });
    }
    (found, true)
}
