//! A group of batches in one transaction.

use super::error::{full, translate};
use super::folder::Inside;
use super::identity;
use super::layout::{ID, seal, tree_key};
use super::map::Tree;
use super::numbers::{Numbers, Turn};
use heed::{PutFlags, RwTxn};
use std::collections::HashMap;
use transom_recovery::{Action, Batch, EngineWrite, StoreError, fail_point};

/// Records of deleted tables one transaction takes away beside its own work.
pub(super) const SWEEP_BATCH: usize = 500;
/// From so many writes on their order is looked at.
const MANY: usize = 16;

/// One write transaction with its buffers.
pub(super) struct Group<'e> {
    inside: &'e Inside,
    txn: RwTxn<'e>,
    /// Bytes of the trees at its begin.
    before: u64,
    /// Of tables, where no table is changed in it; those that are written in it.
    turn: Option<Turn>,
    ids: HashMap<String, u32>,
    key: Vec<u8>,
    value: Vec<u8>,
    /// Nothing was written so far.
    unchanged: bool,
    /// Bytes that were.
    bytes: u64,
}

impl<'e> Group<'e> {
    /// Waits for the one write transaction there can be.
    pub(super) fn begin(inside: &'e Inside) -> Result<Self, StoreError> {
        let turn = inside.map.numbers().and_then(Numbers::turn);
        let txn = inside.map.env.write_txn().map_err(translate)?;
        Ok(Self {
            before: inside.bytes(&txn)?,
            txn,
            inside,
            turn,
            ids: HashMap::new(),
            key: Vec::new(),
            value: Vec::new(),
            unchanged: true,
            bytes: 0,
        })
    }

    /// Whether a commit would change nothing.
    pub(super) fn is_unchanged(&self) -> bool {
        self.unchanged
    }

    /// Bytes of what was written.
    pub(super) fn written(&self) -> u64 {
        self.bytes
    }

    /// Refused when it has made the trees longer, and longer than `limit` bytes.
    pub(super) fn must_fit(&self, limit: usize) -> Result<(), StoreError> {
        let bytes = self.inside.bytes(&self.txn)?;
        match bytes > self.before && bytes > limit as u64 {
            true => Err(full()),
            false => Ok(()),
        }
    }

    /// Makes it durable; bytes of the trees.
    pub(super) fn commit(self) -> Result<u64, StoreError> {
        fail_point("lmdb-commit-before")?;
        let bytes = self.inside.bytes(&self.txn)?;
        self.txn.commit().map_err(translate)?;
        fail_point("lmdb-commit-after").map(|()| bytes)
    }

    /// Checks a batch; nothing is written.
    pub(super) fn check(&mut self, batch: &Batch) -> Result<(), StoreError> {
        if self.appends(batch)? {
            return Ok(());
        }
        let mut seen: HashMap<(&str, &[u8]), bool> = HashMap::new();
        // Keys that ascend are different from each other.
        let several = batch.writes.len() > 1 && !ascends(batch);
        for write in &batch.writes {
            let needed = match write.action {
                Action::Insert(_) => Some(false),
                Action::Delete => Some(true),
                Action::Put(_) | Action::Erase => None,
            };
            let place = (&*write.table, write.key.as_slice());
            let id = self.id(&write.table)?;
            if let Some(needed) = needed {
                let exists = match seen.get(&place) {
                    Some(exists) => *exists,
                    None => self.exists(id, &write.key)?,
                };
                match needed {
                    false if exists => return Err(StoreError::Duplicate),
                    true if !exists => return Err(StoreError::NotFound),
                    _ => {}
                }
            }
            if several {
                let exists = matches!(write.action, Action::Put(_) | Action::Insert(_));
                seen.insert(place, exists);
            }
        }
        Ok(())
    }

    /// Writes a batch that was checked. Many writes go into the tree in its order: neighbours lie
    /// in the same pages, and a page is looked for and copied once.
    pub(super) fn write(&mut self, batch: &Batch) -> Result<(), StoreError> {
        fail_point("lmdb-write-before")?;
        let flags = match self.appends(batch)? {
            true => PutFlags::APPEND,
            false => PutFlags::empty(),
        };
        if batch.writes.len() < MANY || ascends(batch) {
            let mut writes = batch.writes.iter();
            writes.try_for_each(|write| self.write_one(write, flags))?;
        } else {
            let mut order: Vec<&EngineWrite> = batch.writes.iter().collect();
            // Writes of the same record stay in their order.
            order.sort_by(|one, other| place(one).cmp(&place(other)));
            let mut writes = order.into_iter();
            writes.try_for_each(|write| self.write_one(write, flags))?;
        }
        fail_point("lmdb-write-after")
    }

    /// Whether all of a batch of many is new and goes behind the last record of the tree.
    fn appends(&mut self, batch: &Batch) -> Result<bool, StoreError> {
        let many = batch.writes.len() >= MANY;
        let Some(first) = batch.writes.first().filter(|_| many) else {
            return Ok(false);
        };
        let new = |write: &EngineWrite| match write.action {
            Action::Put(_) | Action::Insert(_) => write.table == first.table,
            Action::Delete | Action::Erase => false,
        };
        if !batch.writes.iter().all(new) || !ascends(batch) {
            return Ok(false);
        }
        let id = self.id(&first.table)?;
        tree_key(id, &first.key, &mut self.key);
        let last = self.inside.map.records.last(&self.txn).map_err(translate)?;
        Ok(last.is_none_or(|(last, _)| last < self.key.as_slice()))
    }

    /// Makes sure a table exists; true if it is new.
    pub(super) fn define(&mut self, table: &str) -> Result<bool, StoreError> {
        match self.id(table) {
            Err(StoreError::NoTable(_)) => {}
            other => return other.map(|_| false),
        }
        fail_point("lmdb-define")?;
        let id = self.next_id()?;
        let tables = self.inside.map.tables;
        self.put(tables, table.as_bytes(), &id.to_be_bytes())?;
        Ok(true)
    }

    /// Takes a table's number away; its records are swept later.
    pub(super) fn discard(&mut self, table: &str) -> Result<bool, StoreError> {
        let id = match self.id(table) {
            Err(StoreError::NoTable(_)) => return Ok(false),
            other => other?,
        };
        self.ids.remove(table);
        let tables = self.inside.map.tables;
        let trash = self.inside.trash;
        let gone = tables.delete(&mut self.txn, table.as_bytes());
        gone.map_err(translate)?;
        self.put(trash, &id.to_be_bytes(), &[])?;
        Ok(true)
    }

    /// Deletes so many records of tables that are no more; true when there was nothing to sweep.
    pub(super) fn sweep(&mut self, most: usize) -> Result<bool, StoreError> {
        let trash = self.inside.trash;
        let first = trash.first(&self.txn).map_err(translate)?;
        let Some((id, _)) = first.map(|(k, v)| (k.to_vec(), v.to_vec())) else {
            return Ok(true);
        };
        fail_point("lmdb-sweep")?;
        self.unchanged = false;
        let records = self.inside.map.records;
        let mut keys = Vec::new();
        for row in records.prefix_iter(&self.txn, &id).map_err(translate)? {
            keys.push(row.map_err(translate)?.0.to_vec());
            if keys.len() == most {
                break;
            }
        }
        for key in &keys {
            records.delete(&mut self.txn, key).map_err(translate)?;
        }
        if keys.len() < most {
            trash.delete(&mut self.txn, &id).map_err(translate)?;
        }
        Ok(false)
    }

    /// Gives a store an identity that was made before there were any.
    pub(super) fn identify(&mut self) -> Result<(), StoreError> {
        identity::choose(self.inside.meta, &mut self.txn)
    }

    /// A change without effect.
    pub(super) fn touch(&mut self) -> Result<(), StoreError> {
        self.put(self.inside.meta, TOUCHED, &[])
    }

    fn write_one(&mut self, write: &EngineWrite, flags: PutFlags) -> Result<(), StoreError> {
        self.unchanged = false;
        let id = self.id(&write.table)?;
        tree_key(id, &write.key, &mut self.key);
        let records = self.inside.map.records;
        match &write.action {
            Action::Put(record) | Action::Insert(record) => {
                seal(&self.key, record, &mut self.value);
                self.bytes += (self.key.len() + self.value.len()) as u64;
                let put = records.put_with_flags(&mut self.txn, flags, &self.key, &self.value);
                put.map_err(translate)
            }
            Action::Delete | Action::Erase => {
                let gone = records.delete(&mut self.txn, &self.key);
                gone.map(|_| ()).map_err(translate)
            }
        }
    }

    fn exists(&mut self, id: u32, key: &[u8]) -> Result<bool, StoreError> {
        if key.len() + ID > self.inside.map.env.max_key_size() {
            return Ok(false);
        }
        tree_key(id, key, &mut self.key);
        let found = self.inside.map.records.get(&self.txn, &self.key);
        Ok(found.map_err(translate)?.is_some())
    }

    fn id(&mut self, table: &str) -> Result<u32, StoreError> {
        if let Some(id) = self.ids.get(table) {
            return Ok(*id);
        }
        let id = self.inside.map.id_in(self.turn, &self.txn, table)?;
        self.ids.insert(table.to_owned(), id);
        Ok(id)
    }

    /// Numbers are never used again, so that leftovers of a deleted table belong to nobody.
    fn next_id(&mut self) -> Result<u32, StoreError> {
        let meta = self.inside.meta;
        let stored = meta.get(&self.txn, NEXT_ID).map_err(translate)?;
        let id = stored
            .and_then(|v| v.try_into().ok())
            .map_or(1, u32::from_be_bytes);
        let next = id.checked_add(1).ok_or(StoreError::Limit("tables"))?;
        self.put(meta, NEXT_ID, &next.to_be_bytes())?;
        Ok(id)
    }

    fn put(&mut self, tree: Tree, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        tree.put(&mut self.txn, key, value).map_err(translate)
    }
}

/// Where a write lies in the tree; tables in any order.
fn place(write: &EngineWrite) -> (&str, &[u8]) {
    (&write.table, &write.key)
}

/// Whether each write lies behind the one before.
fn ascends(batch: &Batch) -> bool {
    batch
        .writes
        .is_sorted_by(|one, other| place(one) < place(other))
}

const NEXT_ID: &[u8] = b"next table";
const TOUCHED: &[u8] = b"touched";
