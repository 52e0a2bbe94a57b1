//! Adding, rewriting and deleting records, with the entries of all alternate indexes.

use crate::dataset::{Dataset, Index};
use crate::define::Organization;
use crate::keys::ROOM;
use crate::{Access, Condition};
use std::ops::Bound;
use transom_recovery::{Change, Direction, Lock, Match, Row, UowId, Wait, Write};
use transom_types::{Find, Position};

/// Records one step of a generic delete locks.
const DELETE_BATCH: usize = 64;
/// Entries one step of a search among duplicates reads.
const DUPLICATE_BATCH: usize = 256;

impl Dataset {
    /// Adds a record. A KSDS takes the key from the record; an ESDS appends; an RRDS needs `slot`
    /// (from 1).
    pub async fn insert(
        &self,
        access: Access,
        slot: Option<u32>,
        record: &[u8],
    ) -> Result<Position, Condition> {
        self.check_change()?;
        self.check_record(record)?;
        let key = self.new_key(slot, record).await?;
        let mut writes = vec![self.write(&key, Change::Insert(record.to_vec()))];
        for index in &self.parts.upgrade {
            writes.extend(self.new_entry(index, record, &key).await?);
        }
        self.change(access, writes).await?;
        let alternate = self.through().and_then(|i| i.key_of(record));
        Ok(Position {
            key: alternate.unwrap_or(&key).to_vec(),
            base: key,
            arrival: 0,
        })
    }

    /// Replaces a record by one with the same key; the caller has read it for update.
    pub async fn rewrite(
        &self,
        access: Access,
        position: &Position,
        record: &[u8],
    ) -> Result<(), Condition> {
        self.check_change()?;
        self.check_record(record)?;
        let key = &position.base;
        if self.key_in(record).is_some_and(|k| k != key) {
            return Err(Condition::KeyChanged);
        }
        let old = self.current(access, key).await?;
        let organization = self.parts.cluster.organization;
        if organization == Organization::Esds && old.len() != record.len() {
            let (length, max) = (record.len(), old.len());
            return Err(Condition::Length { length, max });
        }
        let mut writes = vec![self.write(key, Change::Put(record.to_vec()))];
        for index in &self.parts.upgrade {
            let (before, after) = (
                index.definition.key_of(&old),
                index.definition.key_of(record),
            );
            if before != after {
                writes.extend(self.old_entry(index, access.uow, &old, position).await?);
                writes.extend(self.new_entry(index, record, key).await?);
            }
        }
        self.change(access, writes).await?;
        self.let_go(access, key);
        Ok(())
    }

    /// Whether nothing but the end of the store can refuse [`Dataset::rewrite`] of a record that
    /// the unit of work has just read for update, when length and key are right.
    #[must_use]
    pub fn rewrite_is_sure(&self, uow: UowId) -> bool {
        let cluster = &self.parts.cluster;
        let plain = matches!(cluster.organization, Organization::Ksds { .. })
            && self.parts.upgrade.is_empty()
            && self.parts.through.is_none()
            && self.check_change().is_ok();
        plain && self.store.room(uow, &self.parts.table) >= cluster.max + ROOM
    }

    /// Deletes a record that was read for update.
    pub async fn delete(&self, access: Access, position: &Position) -> Result<(), Condition> {
        self.check_change()?;
        if self.parts.cluster.organization == Organization::Esds {
            return Err(Condition::Invalid("records of an ESDS cannot be deleted"));
        }
        let key = &position.base;
        let old = self.current(access, key).await?;
        let mut writes = vec![self.write(key, Change::Delete)];
        for index in &self.parts.upgrade {
            writes.extend(self.old_entry(index, access.uow, &old, position).await?);
        }
        self.change(access, writes).await?;
        self.let_go(access, key);
        Ok(())
    }

    /// Deletes the record with a key without reading it before; true if more with the same
    /// alternate key follow.
    pub async fn delete_key(&self, access: Access, key: &[u8]) -> Result<bool, Condition> {
        let deleted = self.delete_found(access, key).await?;
        Ok(deleted.1)
    }

    /// As `delete_key`, with the place of the record that is gone.
    pub async fn delete_found(
        &self,
        access: Access,
        key: &[u8],
    ) -> Result<(Position, bool), Condition> {
        if self.parts.cluster.organization == Organization::Esds {
            return Err(Condition::Invalid("records of an ESDS cannot be deleted"));
        }
        let found = self.read_for_update(access, key, Find::Equal).await?;
        self.delete(access, &found.position).await?;
        Ok((found.position, found.duplicate))
    }

    /// Deletes all records whose key begins so; how many. When it fails in between, records deleted
    /// before stay deleted in the unit of work (recoverable) or for good. Their number is the
    /// second of the error.
    pub async fn delete_generic(
        &self,
        access: Access,
        prefix: &[u8],
    ) -> Result<usize, (Condition, usize)> {
        self.delete_each(access, prefix, &mut |_| ()).await
    }

    /// As `delete_generic`; shows the place of each record that is gone.
    pub async fn delete_each(
        &self,
        access: Access,
        prefix: &[u8],
        deleted: &mut (dyn FnMut(&Position) + Send),
    ) -> Result<usize, (Condition, usize)> {
        let mut count = 0;
        if let Err(c) = self.check_key(prefix, Find::Generic) {
            return Err((c, 0));
        }
        loop {
            let found = self.under_prefix(access, prefix).await;
            let positions = found.map_err(|c| (c, count))?;
            if positions.is_empty() && count == 0 {
                return Err((Condition::NotFound, 0));
            }
            if positions.is_empty() {
                return Ok(count);
            }
            for position in positions {
                match self.delete(access, &position).await {
                    Ok(()) => {
                        count += 1;
                        deleted(&position);
                    }
                    // Another unit of work was faster.
                    Err(Condition::NotFound) => {}
                    Err(condition) => return Err((condition, count)),
                }
            }
        }
    }

    /// Deletes all records, those of its alternate indexes too; outside of any unit of work.
    pub async fn empty(&self) -> Result<(), Condition> {
        self.check_change()?;
        self.store.empty(&self.parts.table).await?;
        for index in &self.parts.upgrade {
            self.store.empty(&index.table).await?;
        }
        Ok(())
    }

    async fn under_prefix(
        &self,
        access: Access,
        prefix: &[u8],
    ) -> Result<Vec<Position>, Condition> {
        let through = self.parts.through.as_ref();
        let table = through.map_or(&self.parts.table, |i| &i.table);
        let order = through.map_or(self.order(), Index::order);
        let mut room = [0; ROOM];
        let rows = self.store.scan(
            Some(access.uow),
            table,
            Bound::Unbounded,
            order.stored(prefix, &mut room),
            Direction::Forward,
            DELETE_BATCH,
        );
        let rows = rows.await?;
        let position = |key: &[u8], record: &[u8]| match through {
            Some(index) => index.position(key, record),
            None => Some(Position::of_base(order.shown(key, &mut [0; ROOM]))),
        };
        Ok(rows
            .iter()
            .filter_map(|r| position(&r.key, &r.record))
            .collect())
    }

    async fn new_key(&self, slot: Option<u32>, record: &[u8]) -> Result<Vec<u8>, Condition> {
        match self.parts.cluster.organization {
            Organization::Ksds { .. } => {
                let key = self.key_in(record);
                key.map(<[u8]>::to_vec)
                    .ok_or(Condition::Invalid("the record has no key"))
            }
            Organization::Esds => {
                let length = record.len() as u64;
                let rba = self.store.allocate(&self.parts.table, length).await?;
                Ok(rba.to_be_bytes().to_vec())
            }
            Organization::Rrds => match slot {
                Some(slot) if slot > 0 => Ok(slot.to_be_bytes().to_vec()),
                _ => Err(Condition::Invalid("slot numbers begin with 1")),
            },
        }
    }

    /// The record as the unit of work sees it, locked.
    async fn current(&self, access: Access, key: &[u8]) -> Result<Vec<u8>, Condition> {
        let lock = Lock::Update(access.wait);
        let (table, mut room) = (&self.parts.table, [0; ROOM]);
        let key = self.order().stored(key, &mut room);
        let row = self
            .store
            .read(Some(access.uow), table, key, Match::Equal, lock);
        row.await?.map(|r| r.record).ok_or(Condition::NotFound)
    }

    /// The entry of a new record, behind those with the same alternate key.
    pub(crate) async fn new_entry(
        &self,
        index: &Index,
        record: &[u8],
        base: &[u8],
    ) -> Result<Option<Write>, Condition> {
        let arrival = if index.definition.unique {
            0
        } else {
            self.store.allocate(&index.table, 1).await?
        };
        Ok(add_entry(index, record, base, arrival))
    }

    /// Away with the entry of a record. Among duplicates it is looked for unless the record was
    /// reached through it: only the entry knows its number.
    async fn old_entry(
        &self,
        index: &Index,
        uow: UowId,
        record: &[u8],
        position: &Position,
    ) -> Result<Option<Write>, Condition> {
        let Some(alternate) = index.definition.key_of(record) else {
            return Ok(None);
        };
        let erase = |key: Vec<u8>| Write::new(index.table.as_str(), key, Change::Erase);
        if index.definition.unique {
            return Ok(Some(erase(index.order().store(alternate.to_vec()))));
        }
        let through = self.parts.through.as_ref();
        let reached = through.is_some_and(|through| through.table == index.table);
        if reached && position.arrival > 0 && position.key == alternate {
            return Ok(Some(erase(index.entry_key(position))));
        }
        let base = &position.base;
        let mut room = [0; ROOM];
        let alternate = index.order().stored(alternate, &mut room);
        let mut from = Bound::Unbounded;
        loop {
            let bound = from.as_ref().map(Vec::as_slice);
            let (table, forward) = (&index.table, Direction::Forward);
            let scan =
                self.store
                    .scan(Some(uow), table, bound, alternate, forward, DUPLICATE_BATCH);
            let rows = scan.await?;
            let mine = |row: &&Row| {
                let position = index.position(&row.key, &row.record);
                position.is_some_and(|found| found.base == *base)
            };
            if let Some(found) = rows.iter().find(mine) {
                return Ok(Some(erase(found.key.clone())));
            }
            match rows.last() {
                Some(last) => from = Bound::Excluded(last.key.clone()),
                None => return Ok(None),
            }
        }
    }

    pub(crate) async fn change(&self, access: Access, writes: Vec<Write>) -> Result<(), Condition> {
        let Access {
            uow,
            recoverable,
            wait,
        } = access;
        if recoverable {
            self.store.stage_all(uow, writes, wait).await?;
        } else {
            self.store.write_now(Some(uow), writes, wait).await?;
        }
        Ok(())
    }

    /// Non-recoverable records are free after the change.
    fn let_go(&self, access: Access, key: &[u8]) {
        if !access.recoverable {
            let mut room = [0; ROOM];
            let key = self.order().stored(key, &mut room);
            self.store.unlock(access.uow, &self.parts.table, key);
        }
    }

    pub(crate) fn write(&self, key: &[u8], change: Change) -> Write {
        let mut room = [0; ROOM];
        let key = self.order().stored(key, &mut room);
        Write::new(self.parts.table.as_str(), key, change)
    }
}

impl Access {
    /// For work that waits for locks as long as it takes.
    #[must_use]
    pub fn patient(uow: UowId, recoverable: bool) -> Self {
        Self {
            uow,
            recoverable,
            wait: Wait::Forever,
        }
    }
}

/// The entry of a new record; there must not be one.
pub(crate) fn add_entry(index: &Index, record: &[u8], base: &[u8], arrival: u64) -> Option<Write> {
    let (key, entry) = index.entry(record, base, arrival)?;
    Some(Write::new(index.table.as_str(), key, Change::Insert(entry)))
}
