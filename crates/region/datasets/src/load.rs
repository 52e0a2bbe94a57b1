//! Filling a dataset: many records in few transactions.
//!
//! What: REPRO into a cluster, building an alternate index. Why: one flush per record would take
//! hours. Not here: reading files, code pages.

use crate::dataset::{Dataset, Index, Parts};
use crate::keys::ROOM;
use crate::write::add_entry;
use crate::{Access, Condition, define::Organization};
use std::ops::Bound;
use std::sync::Arc;
use transom_recovery::{Change, Direction, Row, StoreError, UowStore, Wait, Write};

/// Index entries one transaction adds.
const BUILD_BATCH: usize = 1_000;

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
        // Replacing needs the old record for its index entries, so it goes one by one when there
        // are indexes.
        if !replace || self.parts.upgrade.is_empty() {
            let mut writes = Vec::new();
            let mut keys = Vec::new();
            let mut arrivals = Vec::new();
            for index in &self.parts.upgrade {
                arrivals.push(arrivals_of(&self.store, index, records.len()).await?);
            }
            for record in records {
                let new = self.load_writes(record, replace, &mut arrivals).await;
                if let Ok((key, new)) = new {
                    keys.push(key);
                    writes.extend(new);
                }
            }
            if keys.len() == records.len() {
                match self.store.write_now(None, writes, Wait::No).await {
                    Ok(()) => return Ok(all(records.len())),
                    Err(StoreError::Duplicate) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        let mut done = Loaded::default();
        for (place, record) in records.iter().enumerate() {
            match self.load_one(access, record, replace).await {
                Ok(()) => done.loaded += 1,
                Err(condition @ (Condition::NoSpace(_) | Condition::Io(_))) => {
                    return Err(condition);
                }
                Err(condition) => done.rejected.push((place, condition)),
            }
        }
        Ok(done)
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
    ) -> Result<(Vec<u8>, Vec<Write>), Condition> {
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
        Ok((key, writes))
    }
}

fn all(loaded: usize) -> Loaded {
    Loaded {
        loaded,
        rejected: Vec::new(),
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
    let mut rejected = Vec::new();
    let mut from = Bound::Unbounded;
    loop {
        let bound = from.as_ref().map(Vec::as_slice);
        let forward = Direction::Forward;
        let rows = store
            .scan(None, &parts.table, bound, &[], forward, BUILD_BATCH)
            .await?;
        let Some(last) = rows.last() else {
            return Ok(rejected);
        };
        let next = Bound::Excluded(last.key.clone());
        let first = arrivals_of(store, index, rows.len()).await?;
        let order = &parts.cluster.extra.keys;
        let entry = |(row, place): (&Row, u64)| {
            let mut room = [0; ROOM];
            let key = order.shown(&row.key, &mut room);
            add_entry(index, &row.record, key, first + place)
        };
        let writes: Vec<Write> = rows.iter().zip(0..).filter_map(entry).collect();
        match store.write_now(None, writes, Wait::No).await {
            Err(StoreError::Duplicate) => {
                for row in &rows {
                    let one = entry((row, 0)).into_iter().collect();
                    match store.write_now(None, one, Wait::No).await {
                        Err(StoreError::Duplicate) => {
                            rejected.push(order.show(row.key.clone()));
                        }
                        other => other?,
                    }
                }
            }
            other => other?,
        }
        from = next;
    }
}
