//! Where REPRO puts records: clusters in batches, files.

use super::files::{Other, RecordWriter};
use super::input::Item;
use crate::places::Target;
use crate::print::{Failure, failure};
use crate::runner::Runner;
use transom_datasets::{
    Access, Condition, Dataset, DatasetName, LoadRecord, Organization, Position, Start,
};
use transom_idcams::{Repro, listing};
use transom_messages::{Message, id};
use transom_recovery::{Direction, wait};

/// Records written to the store at a time.
const LOAD_BATCH: usize = 2000;
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
        let highest = highest.first().and_then(|f| f.position.rrn()).unwrap_or(0);
        Ok(Self {
            name,
            dataset,
            replace: repro.replace,
            batch: Vec::new(),
            bytes: 0,
            first: 1,
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
        self.bytes += item.record.len();
        self.batch.push(LoadRecord {
            slot,
            record: item.record,
        });
        if self.batch.len() >= LOAD_BATCH || self.bytes >= LOAD_BYTES {
            self.flush(runner)?;
        }
        Ok(())
    }

    pub(crate) fn flush(&mut self, runner: &mut Runner<'_>) -> Result<(), Failure> {
        let batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        let access = Access::patient(super::loader(), false);
        let done = wait(self.dataset.load(access, &batch, self.replace)).map_err(failure)?;
        self.loaded += done.loaded as u64;
        for (place, condition) in &done.rejected {
            self.refused += 1;
            let number = self.first + *place as u64;
            let record = batch.get(*place).map_or(&[][..], |r| r.record.as_slice());
            let text = self.refusal(number, record, condition);
            runner.report.line(text);
            if self.refused >= self.error_limit {
                return Err(Failure::new(12, id::too_many_refused(self.refused)));
            }
        }
        self.first += batch.len() as u64;
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
