//! Filling a dataset: many records in few transactions.
//!
//! What: REPRO into a cluster, building an alternate index. Why: one flush per record would take
//! hours. Not here: reading files, code pages.

use crate::dataset::{Dataset, Index, Parts};
use crate::keys::ROOM;
use crate::sort::{Pair, Sorted, Sorter};
use crate::write::add_entry;
use crate::{Access, Condition, define::Organization};
use std::ops::Bound;
use std::sync::Arc;
use transom_recovery::{Change, Direction, StoreError, UowStore, Wait, Write};

/// Records of the base read at a time.
const SCAN_BATCH: usize = 1_000;
/// Index entries one transaction adds.
const BUILD_BATCH: usize = 20_000;
/// Bytes of a place in the order of the base.
const PLACE: usize = 8;

/// A record to be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadRecord {
    /// Slot number, for an RRDS.
    pub slot: Option<u32>,
    /// The record.
    pub record: Vec<u8>,
}

/// What became of a load.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Records that are in the dataset now.
    pub loaded: usize,
    /// Place in the batch (from 0) of each record that is not, and why.
    pub rejected: Vec<(usize, Condition)>,
}

impl Dataset {
    /// Adds a batch in one transaction, outside of any unit of work; a few thousand records are a
    /// good batch. With `replace` a record takes the place of one with the same key. Records that
    /// cannot be added are named, the others are added. `access` owns the locks for the time of the
    /// call.
    pub async fn load(
        &self,
        access: Access,
        records: &[LoadRecord],
        replace: bool,
    ) -> Result<Loaded, Condition> {
        self.check_change()?;
        let access = Access {
            recoverable: false,
            ..access
        };
        let mut done = Loaded::default();
        // In order: of records with the same key the first one counts, or the last with `replace`.
        let mut parts = Vec::new();
        parts.push(0..records.len());
        while let Some(part) = parts.pop() {
            let some = &records[part.clone()];
            if self.load_at_once(some, replace).await? {
                done.loaded += some.len();
                continue;
            }
            if some.len() > 1 && self.loads_in_any_order() {
                let middle = part.start + some.len() / 2;
                parts.extend([middle..part.end, part.start..middle]);
                continue;
            }
            for (place, record) in part.zip(some) {
                match self.load_one(access, record, replace).await {
                    Ok(()) => done.loaded += 1,
                    Err(condition @ (Condition::NoSpace(_) | Condition::Io(_))) => {
                        return Err(condition);
                    }
                    Err(condition) => done.rejected.push((place, condition)),
                }
            }
        }
        Ok(done)
    }

    /// Adds records in one transaction; false when that cannot be done with all of them.
    async fn load_at_once(&self, records: &[LoadRecord], replace: bool) -> Result<bool, Condition> {
        // Replacing needs the old record for its index entries, so it goes one by one when there
        // are indexes.
        if replace && !self.parts.upgrade.is_empty() {
            return Ok(false);
        }
        let mut writes = Vec::new();
        let mut arrivals = Vec::new();
        for index in &self.parts.upgrade {
            arrivals.push(arrivals_of(&self.store, index, records.len()).await?);
        }
        let mut fit = true;
        for record in records {
            match self.load_writes(record, replace, &mut arrivals).await {
                Ok(new) => writes.extend(new),
                Err(_) => fit = false,
            }
        }
        if !fit {
            return Ok(false);
        }
        match self.store.write_now(None, writes, Wait::No).await {
            Ok(()) => Ok(true),
            Err(StoreError::Duplicate) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether records may be loaded in another order than they come: a KSDS without indexes.
    #[must_use]
    pub fn loads_in_any_order(&self) -> bool {
        let keyed = matches!(self.cluster().organization, Organization::Ksds { .. });
        keyed && self.parts.upgrade.is_empty()
    }

    /// What orders records of such a data set as they lie in the store; who loads many sorts them
    /// by it. Refused: the record does not belong there.
    pub fn load_key(&self, record: &[u8]) -> Result<Vec<u8>, Condition> {
        self.check_record(record)?;
        let key = self.key_in(record).unwrap_or_default();
        Ok(self.order().store(key.to_vec()))
    }

    /// A sorter that keeps what memory has no room for beside the data set.
    #[must_use]
    pub fn sorter(&self) -> Sorter {
        Sorter::new(&self.store.scratch())
    }

    async fn load_one(
        &self,
        access: Access,
        record: &LoadRecord,
        replace: bool,
    ) -> Result<(), Condition> {
        let inserted = self.insert(access, record.slot, &record.record).await;
        match inserted {
            Err(Condition::Duplicate) if replace => {}
            other => return other.map(|_| ()),
        }
        let key = match record.slot {
            Some(slot) => slot.to_be_bytes().to_vec(),
            None => self.key_in(&record.record).unwrap_or_default().to_vec(),
        };
        let position = crate::Position::of_base(&key);
        self.rewrite(access, &position, &record.record).await
    }

    async fn load_writes(
        &self,
        record: &LoadRecord,
        replace: bool,
        arrivals: &mut [u64],
    ) -> Result<Vec<Write>, Condition> {
        self.check_record(&record.record)?;
        let key = match (self.cluster().organization, record.slot) {
            (Organization::Rrds, Some(slot)) => slot.to_be_bytes().to_vec(),
            (Organization::Rrds, None) => return Err(Condition::Invalid("slot number is missing")),
            (Organization::Esds, _) => {
                let length = record.record.len() as u64;
                let rba = self.store.allocate(&self.parts.table, length).await?;
                rba.to_be_bytes().to_vec()
            }
            (Organization::Ksds { .. }, _) => {
                self.key_in(&record.record).unwrap_or_default().to_vec()
            }
        };
        let change = if replace {
            Change::Put(record.record.clone())
        } else {
            Change::Insert(record.record.clone())
        };
        let mut writes = vec![self.write(&key, change)];
        for (index, arrival) in self.parts.upgrade.iter().zip(arrivals) {
            writes.extend(add_entry(index, &record.record, &key, *arrival));
            *arrival += 1;
        }
        Ok(writes)
    }
}

/// The first of so many places among duplicates.
async fn arrivals_of(
    store: &Arc<dyn UowStore>,
    index: &Index,
    amount: usize,
) -> Result<u64, Condition> {
    if index.definition.unique {
        return Ok(0);
    }
    Ok(store.allocate(&index.table, amount as u64).await?)
}

/// Makes the entries of an index anew from the base (BLDINDEX), duplicates in the order of their
/// base keys. Base keys of records that have no entry because their alternate key is not unique.
pub(crate) async fn build(
    store: &Arc<dyn UowStore>,
    parts: &Parts,
    index: &Index,
) -> Result<Vec<Vec<u8>>, Condition> {
    store.empty(&index.table).await?;
    let entries = entries(store, parts, index).await?;
    let mut pass = entries.pass().map_err(sorting)?;
    let mut rejected: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut batch: Vec<Pair> = Vec::with_capacity(BUILD_BATCH);
    let mut last = Vec::new();
    loop {
        let next = pass.next().transpose().map_err(sorting)?;
        let ended = next.is_none();
        if let Some((mut key, base)) = next {
            let place = key.split_off(key.len() - PLACE);
            match key == last {
                true => rejected.push((place, base)),
                false => {
                    last.clone_from(&key);
                    batch.push((key, base));
                }
            }
        }
        if batch.len() >= BUILD_BATCH || (ended && !batch.is_empty()) {
            for (_, base) in add(store, index, std::mem::take(&mut batch)).await? {
                // Somebody else has written that entry meanwhile.
                rejected.push((Vec::new(), base));
            }
        }
        if ended {
            break;
        }
    }
    // In the order of the base again.
    rejected.sort();
    Ok(rejected.into_iter().map(|(_, base)| base).collect())
}

/// All entries of an index in their order. A place in the order of the base is behind each key:
/// among equal ones the first record of the base comes first.
async fn entries(
    store: &Arc<dyn UowStore>,
    parts: &Parts,
    index: &Index,
) -> Result<Sorted, Condition> {
    let order = &parts.cluster.extra.keys;
    let mut sorter = Sorter::new(&store.scratch());
    let mut from = Bound::Unbounded;
    let mut place = 0_u64;
    loop {
        let bound = from.as_ref().map(Vec::as_slice);
        let forward = Direction::Forward;
        let rows = store
            .scan(None, &parts.table, bound, &[], forward, SCAN_BATCH)
            .await?;
        let Some(last) = rows.last() else {
            return sorter.finish().map_err(sorting);
        };
        from = Bound::Excluded(last.key.clone());
        let first = arrivals_of(store, index, rows.len()).await?;
        for (row, arrival) in rows.iter().zip(first..) {
            let mut room = [0; ROOM];
            let base = order.shown(&row.key, &mut room);
            if let Some((mut key, entry)) = index.entry(&row.record, base, arrival) {
                key.extend_from_slice(&place.to_be_bytes());
                sorter.push(&key, &entry).map_err(sorting)?;
            }
            place += 1;
        }
    }
}

/// Writes entries; those that cannot be written because there is one.
async fn add(
    store: &Arc<dyn UowStore>,
    index: &Index,
    batch: Vec<Pair>,
) -> Result<Vec<Pair>, Condition> {
    let write = |(key, base): &Pair| {
        let insert = Change::Insert(base.clone());
        Write::new(index.table.as_str(), key.as_slice(), insert)
    };
    let writes = batch.iter().map(write).collect();
    let mut refused = Vec::new();
    match store.write_now(None, writes, Wait::No).await {
        Err(StoreError::Duplicate) => {}
        written => return written.map(|()| refused).map_err(Condition::from),
    }
    for pair in batch {
        match store.write_now(None, vec![write(&pair)], Wait::No).await {
            Err(StoreError::Duplicate) => refused.push(pair),
            other => other?,
        }
    }
    Ok(refused)
}

/// What the file of a sort answered.
fn sorting(error: std::io::Error) -> Condition {
    let text = format!("sorting: {error}");
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            Condition::NoSpace(text)
        }
        _ => Condition::Io(text),
    }
}
