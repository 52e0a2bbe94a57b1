//! Where REPRO puts records: clusters in batches, files.
//!
//! What: records in the order of their keys go to a cluster as they come; from the first one on
//! that does not, they are sorted first. Not here: how (`sorting`).

use super::files::{Other, RecordWriter};
use super::input::Item;
use super::sorting::{Sorting, Taken};
use crate::places::Target;
use crate::print::{Failure, failure};
use crate::runner::Runner;
use transom_datasets::{
    Access, Condition, Dataset, DatasetName, LoadRecord, Organization, Position, Start,
};
use transom_idcams::{Repro, listing};
use transom_messages::{Message, id};
use transom_recovery::{Direction, wait};

/// Records written to the store at a time, and where alternate indexes are kept up to date: there
/// each of a batch with a refused one is loaded on its own.
const LOAD_BATCH: usize = 20_000;
const LOAD_BATCH_INDEXED: usize = 2_000;
/// Bytes written to the store at a time.
const LOAD_BYTES: usize = 8 << 20;

/// Where records go.
pub(crate) enum Output {
    Cluster(Box<ClusterOutput>),
    File(Box<RecordWriter>),
    Nothing,
}

/// A cluster that is being filled.
pub(crate) struct ClusterOutput {
    name: DatasetName,
    dataset: Dataset,
    replace: bool,
    batch: Vec<LoadRecord>,
    bytes: usize,
    /// Number of the first record of the batch.
    first: u64,
    /// Number of the next record.
    number: u64,
    /// There was no record when it began.
    was_empty: bool,
    /// As it lies in the store, the key of the last record in order.
    last: Option<Vec<u8>>,
    /// The last one that was written.
    written: Option<Vec<u8>>,
    sorting: Option<Box<Sorting>>,
    /// Slot of the next record of an RRDS.
    slot: u32,
    pub(crate) loaded: u64,
    pub(crate) refused: u32,
    error_limit: u32,
}

impl Output {
    pub(crate) fn open(
        runner: &mut Runner<'_>,
        target: Target,
        other: Other,
        repro: &Repro,
    ) -> Result<Self, Failure> {
        match target {
            Target::Catalog(name) => {
                let dataset = runner.datasets.dataset(&name).map_err(failure)?;
                let output = ClusterOutput::new(name, dataset, repro)?;
                Ok(Self::Cluster(Box::new(output)))
            }
            Target::File(spec) => {
                let mut notes = Vec::new();
                let writer = RecordWriter::create(&spec, other, &mut notes)?;
                notes.iter().for_each(|note| runner.report.line(note));
                runner.temporary.note(&writer.path, writer.format);
                Ok(Self::File(Box::new(writer)))
            }
            Target::Instream(_) | Target::Nothing => Ok(Self::Nothing),
        }
    }
}

impl ClusterOutput {
    fn new(name: DatasetName, dataset: Dataset, repro: &Repro) -> Result<Self, Failure> {
        if repro.reuse {
            if !dataset.cluster().reuse {
                return Err(Failure::new(12, id::not_reusable(name)));
            }
            wait(dataset.empty()).map_err(failure)?;
        }
        let highest =
            wait(dataset.scan(None, Start::End, Direction::Backward, 1)).map_err(failure)?;
        let was_empty = highest.is_empty();
        let highest = highest.first().and_then(|f| f.position.rrn()).unwrap_or(0);
        Ok(Self {
            name,
            dataset,
            replace: repro.replace,
            batch: Vec::new(),
            bytes: 0,
            first: 1,
            number: 1,
            was_empty,
            last: None,
            written: None,
            sorting: None,
            slot: highest.saturating_add(1),
            loaded: 0,
            refused: 0,
            error_limit: repro.error_limit,
        })
    }

    /// Takes a record; writes when there are enough.
    pub(crate) fn put(&mut self, runner: &mut Runner<'_>, item: Item) -> Result<(), Failure> {
        let slot = (self.dataset.cluster().organization == Organization::Rrds).then(|| {
            let given = item.position.as_ref().and_then(Position::rrn);
            let slot = given.unwrap_or(self.slot);
            self.slot = slot.saturating_add(1);
            slot
        });
        let number = self.number;
        self.number += 1;
        if self.sorting.is_none() && self.is_behind(&item.record) {
            self.sort()?;
        }
        if let Some(sorting) = &mut self.sorting {
            return match sorting.put(&self.dataset, number, &item.record)? {
                true => Ok(()),
                // It cannot get better: what came before it is loaded.
                false => self.flush(runner),
            };
        }
        self.bytes += item.record.len();
        self.batch.push(LoadRecord {
            slot,
            record: item.record,
        });
        let most = match self.dataset.loads_in_any_order() {
            true => LOAD_BATCH,
            false => LOAD_BATCH_INDEXED,
        };
        if self.batch.len() >= most || self.bytes >= LOAD_BYTES {
            self.flush(runner)?;
        }
        Ok(())
    }

    /// Whether a record does not come behind the last one, where that matters.
    fn is_behind(&mut self, record: &[u8]) -> bool {
        if !self.dataset.loads_in_any_order() {
            return false;
        }
        let Ok(key) = self.dataset.load_key(record) else {
            return false;
        };
        let behind = self.last.as_ref().is_some_and(|last| key <= *last);
        self.last = Some(key);
        behind
    }

    /// From now on records are sorted; so are those that were not written yet.
    fn sort(&mut self) -> Result<(), Failure> {
        let taken = match self.was_empty {
            true => Taken::UpTo(self.written.clone().unwrap_or_default()),
            false => Taken::Any,
        };
        let left = self.error_limit.saturating_sub(self.refused);
        let mut sorting = Sorting::new(&self.dataset, self.replace, taken, left);
        for (record, number) in std::mem::take(&mut self.batch).iter().zip(self.first..) {
            sorting.put(&self.dataset, number, &record.record)?;
        }
        self.bytes = 0;
        self.sorting = Some(Box::new(sorting));
        Ok(())
    }

    /// Writes what was sorted.
    fn end_sort(&mut self, runner: &mut Runner<'_>, sorting: Sorting) -> Result<(), Failure> {
        let done = sorting.load(&self.dataset)?;
        self.loaded += done.loaded;
        for (number, record, condition) in &done.refused {
            self.refuse(runner, *number, record, condition)?;
        }
        Ok(())
    }

    fn refuse(
        &mut self,
        runner: &mut Runner<'_>,
        number: u64,
        record: &[u8],
        condition: &Condition,
    ) -> Result<(), Failure> {
        self.refused += 1;
        let text = self.refusal(number, record, condition);
        runner.report.line(text);
        match self.refused >= self.error_limit {
            true => Err(Failure::new(12, id::too_many_refused(self.refused))),
            false => Ok(()),
        }
    }

    /// Writes what was taken. After the last record, or when no more is to come.
    pub(crate) fn flush(&mut self, runner: &mut Runner<'_>) -> Result<(), Failure> {
        if let Some(sorting) = self.sorting.take() {
            return self.end_sort(runner, *sorting);
        }
        let batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        let access = Access::patient(super::loader(), false);
        let done = wait(self.dataset.load(access, &batch, self.replace)).map_err(failure)?;
        self.loaded += done.loaded as u64;
        for (place, condition) in &done.rejected {
            let number = self.first + *place as u64;
            let record = batch.get(*place).map_or(&[][..], |r| r.record.as_slice());
            self.refuse(runner, number, record, condition)?;
        }
        self.first += batch.len() as u64;
        self.written.clone_from(&self.last);
        Ok(())
    }

    fn refusal(&self, number: u64, record: &[u8], condition: &Condition) -> Message {
        match condition {
            Condition::Duplicate => {
                let key = match self.dataset.cluster().organization {
                    Organization::Ksds {
                        key_offset,
                        key_length,
                    } => record
                        .get(key_offset..key_offset + key_length)
                        .map_or(String::new(), listing::key),
                    Organization::Esds | Organization::Rrds => String::new(),
                };
                id::key_exists(number, key)
            }
            Condition::Length { length, max } => {
                let range = match self.dataset.cluster().organization {
                    Organization::Ksds {
                        key_offset,
                        key_length,
                    } => format!("{} to {max}", key_offset + key_length),
                    Organization::Esds | Organization::Rrds => format!("1 to {max}"),
                };
                id::record_length(number, length, &self.name, range)
            }
            other => id::store_answered(other),
        }
    }
}
