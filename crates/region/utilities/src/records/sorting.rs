//! Records for a cluster that do not come in the order of its keys.
//!
//! What: they are sorted, and those that cannot be loaded are found as if they had come one after
//! the other: of records with the same key the first one counts, or the last with REPLACE, and
//! behind the one too many nothing is loaded. Why: in the order of their keys a page is written
//! once, in any other about once per record. Not here: sorting (datasets), messages (`output`).

use crate::print::{Failure, failure};
use crate::records::loader;
use std::collections::BTreeMap;
use transom_datasets::{Access, Condition, Dataset, Find, LoadRecord, Sorted, Sorter};
use transom_messages::id;
use transom_recovery::wait;

/// Bytes of the number behind a key.
const NUMBER: usize = 8;
/// Records loaded at a time.
const BATCH: usize = 20_000;
/// Bytes loaded at a time.
const BYTES: usize = 8 << 20;

/// Records that wait for the last one.
pub(crate) struct Sorting {
    sorter: Sorter,
    replace: bool,
    /// There may be records with these keys in the data set: all keys, or up to this one.
    taken: Taken,
    refused: Refused,
}

/// Keys a data set may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Any.
    Any,
    /// None behind this one, as they lie in the store.
    UpTo(Vec<u8>),
}

/// What became of the records.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) loaded: u64,
    /// In the order they came: number, record, why.
    pub(crate) refused: Vec<(u64, Vec<u8>, Condition)>,
}

/// The first so many that cannot be loaded.
struct Refused {
    limit: usize,
    found: BTreeMap<u64, (Vec<u8>, Condition)>,
}

impl Refused {
    fn add(&mut self, number: u64, record: &[u8], condition: Condition) {
        if self.last().is_some_and(|last| number > last) {
            return;
        }
        self.found.insert(number, (record.to_vec(), condition));
        if self.found.len() > self.limit {
            self.found.pop_last();
        }
    }

    /// The one too many: nothing behind it is loaded.
    fn last(&self) -> Option<u64> {
        let full = self.found.len() >= self.limit;
        self.found.keys().next_back().copied().filter(|_| full)
    }
}

impl Sorting {
    /// For a data set; `limit`: refused records that end the load.
    pub(crate) fn new(dataset: &Dataset, replace: bool, taken: Taken, limit: u32) -> Self {
        Self {
            sorter: dataset.sorter(),
            replace,
            taken,
            refused: Refused {
                limit: (limit as usize).max(1),
                found: BTreeMap::new(),
            },
        }
    }

    /// Takes a record; false when no more need come.
    pub(crate) fn put(
        &mut self,
        dataset: &Dataset,
        number: u64,
        record: &[u8],
    ) -> Result<bool, Failure> {
        match dataset.load_key(record) {
            Ok(mut key) => {
                key.extend_from_slice(&number.to_be_bytes());
                self.sorter.push(&key, record).map_err(sorting)?;
            }
            Err(condition) => self.refused.add(number, record, condition),
        }
        Ok(self.refused.last().is_none())
    }

    /// Loads them.
    pub(crate) fn load(mut self, dataset: &Dataset) -> Result<Outcome, Failure> {
        let sorted = self.sorter.finish().map_err(sorting)?;
        if !self.replace {
            find_refused(dataset, &sorted, &self.taken, &mut self.refused)?;
        }
        let mut outcome = Outcome::default();
        let last = self.refused.last().unwrap_or(u64::MAX);
        let mut batch: Vec<LoadRecord> = Vec::new();
        let mut bytes = 0;
        let mut pass = sorted.pass().map_err(sorting)?;
        // One with the same key may take its place yet.
        let mut waits: Option<(Vec<u8>, Vec<u8>)> = None;
        loop {
            let next = pass.step().map_err(sorting)?;
            let ended = next.is_none();
            if let Some((key, record)) = next {
                let (key, number) = numbered(key);
                if number > last || (!self.replace && self.refused.found.contains_key(&number)) {
                    continue;
                }
                let record = record.to_vec();
                match &mut waits {
                    Some((waiting, old)) if *waiting == key => {
                        *old = record;
                        // Both were processed.
                        outcome.loaded += 1;
                    }
                    Some((waiting, old)) => {
                        batch.push(loadable(std::mem::replace(old, record)));
                        waiting.clear();
                        waiting.extend_from_slice(key);
                    }
                    None => waits = Some((key.to_vec(), record)),
                }
            } else {
                batch.extend(waits.take().map(|(_, record)| loadable(record)));
            }
            bytes += batch.last().map_or(0, |record| record.record.len());
            if batch.len() >= BATCH || bytes >= BYTES || (ended && !batch.is_empty()) {
                let access = Access::patient(loader(), false);
                let done = wait(dataset.load(access, &batch, self.replace)).map_err(failure)?;
                outcome.loaded += done.loaded as u64;
                if let Some((_, condition)) = done.rejected.into_iter().next() {
                    // Somebody else wrote it meanwhile.
                    return Err(failure(condition));
                }
                batch.clear();
                bytes = 0;
            }
            if ended {
                break;
            }
        }
        let refused = self.refused.found.into_iter();
        outcome.refused = refused.map(|(number, (r, why))| (number, r, why)).collect();
        Ok(outcome)
    }
}

/// Finds records whose key another one has.
fn find_refused(
    dataset: &Dataset,
    sorted: &Sorted,
    taken: &Taken,
    refused: &mut Refused,
) -> Result<(), Failure> {
    let mut pass = sorted.pass().map_err(sorting)?;
    let (mut key_before, mut is_first) = (Vec::new(), true);
    while let Some((key, record)) = pass.step().map_err(sorting)? {
        let (key, number) = numbered(key);
        let again = !std::mem::take(&mut is_first) && key_before == key;
        let there = match taken {
            Taken::UpTo(last) if key > &last[..] => false,
            _ => !again && exists(dataset, record)?,
        };
        if again || there {
            refused.add(number, record, Condition::Duplicate);
        }
        key_before.clear();
        key_before.extend_from_slice(key);
    }
    Ok(())
}

fn exists(dataset: &Dataset, record: &[u8]) -> Result<bool, Failure> {
    let offset = dataset.key_offset().unwrap_or(0);
    let key = record.get(offset..offset + dataset.key_length());
    match wait(dataset.read(None, key.unwrap_or_default(), Find::Equal)) {
        Ok(_) => Ok(true),
        Err(Condition::NotFound) => Ok(false),
        Err(condition) => Err(failure(condition)),
    }
}

fn loadable(record: Vec<u8>) -> LoadRecord {
    LoadRecord { slot: None, record }
}

/// A key, and the number behind it.
fn numbered(key: &[u8]) -> (&[u8], u64) {
    match key.split_last_chunk::<NUMBER>() {
        Some((key, number)) => (key, u64::from_be_bytes(*number)),
        None => (key, 0),
    }
}

/// What the file of a sort answered.
fn sorting(error: std::io::Error) -> Failure {
    Failure::new(12, id::store_answered(format!("sorting: {error}")))
}
