//! Looking for what does not fit together in a dataset.
//!
//! What: entries of alternate indexes against base records, records against their definition. Why:
//! a checksum says that a record is as it was written, not that its index entry is there. Not here:
//! checksums (stores), repair (BLDINDEX).

use crate::catalog::Entry;
use crate::dataset::Dataset;
use crate::keys::ROOM;
use crate::{Condition, DatasetName, Datasets, Start};
use std::ops::Bound;
use transom_recovery::{Direction, Lock, Match};
use transom_types::Position;

/// Records looked at together.
const BATCH: usize = 1_000;

/// Something that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// An index entry whose base record is not there, or has another alternate key now.
    Entry {
        /// The alternate key.
        key: Vec<u8>,
        /// The base key it points to.
        base: Vec<u8>,
    },
    /// An index entry that cannot be read.
    Unreadable(Vec<u8>),
    /// So many base records with an alternate key have no entry.
    Missing(u64),
    /// A base record that its definition does not allow; its key.
    Record(Vec<u8>),
}

impl Datasets {
    /// Compares an alternate index with its base; at most `limit` faults. Nobody may change the
    /// base meanwhile.
    pub async fn examine_index(
        &self,
        name: &DatasetName,
        limit: usize,
    ) -> Result<Vec<Fault>, Condition> {
        let Some(Entry::AlternateIndex(definition)) = self.entry(name) else {
            return Err(Condition::Refused(format!("{name} is no alternate index")));
        };
        let through = self.dataset(name)?;
        let Some(index) = through.parts.through.clone() else {
            return Err(Condition::NoDataset(name.to_string()));
        };
        let store = self.store();
        let mut faults = Vec::new();
        let mut good = 0;
        let mut from = Bound::Unbounded;
        while faults.len() < limit {
            let bound = from.as_ref().map(Vec::as_slice);
            let rows = store
                .scan(None, &index.table, bound, &[], Direction::Forward, BATCH)
                .await?;
            let Some(last) = rows.last() else {
                break;
            };
            let next = Bound::Excluded(last.key.clone());
            for row in &rows {
                let Some(Position { key, base, .. }) = index.position(&row.key, &row.record) else {
                    faults.push(Fault::Unreadable(row.key.clone()));
                    continue;
                };
                let table = through.table();
                let mut room = [0; ROOM];
                let at = through.order().stored(&base, &mut room);
                let found = store
                    .read(None, table, at, Match::Equal, Lock::None)
                    .await?;
                let fits = found.is_some_and(|f| definition.key_of(&f.record) == Some(&key[..]));
                match fits {
                    true => good += 1,
                    false => faults.push(Fault::Entry { key, base }),
                }
            }
            from = next;
        }
        if faults.len() >= limit {
            faults.truncate(limit);
            return Ok(faults);
        }
        let base = self.dataset(&definition.base)?;
        let mut wanted = 0;
        each(&base, |_, record| {
            wanted += u64::from(definition.key_of(record).is_some());
            true
        })
        .await?;
        if wanted > good {
            faults.push(Fault::Missing(wanted - good));
        }
        Ok(faults)
    }

    /// Compares the records of a cluster with its definition; at most `limit` faults.
    pub async fn examine_records(
        &self,
        name: &DatasetName,
        limit: usize,
    ) -> Result<Vec<Fault>, Condition> {
        let dataset = self.dataset(name)?;
        let mut faults = Vec::new();
        each(&dataset, |key, record| {
            let own = dataset.key_in(record).is_none_or(|k| k == key);
            if !own || dataset.check_record(record).is_err() {
                faults.push(Fault::Record(key.to_vec()));
            }
            faults.len() < limit
        })
        .await?;
        Ok(faults)
    }
}

/// Shows key and record of each base record until it is told to stop.
async fn each(
    dataset: &Dataset,
    mut seen: impl FnMut(&[u8], &[u8]) -> bool,
) -> Result<(), Condition> {
    let mut last: Option<Position> = None;
    loop {
        let start = last.as_ref().map_or(Start::At(&[]), Start::After);
        let found = dataset.scan(None, start, Direction::Forward, BATCH).await?;
        let Some(end) = found.last() else {
            return Ok(());
        };
        for one in &found {
            if !seen(&one.position.base, &one.record) {
                return Ok(());
            }
        }
        last = Some(end.position.clone());
    }
}
