//! Where REPRO and PRINT get records.

use super::files::{Other, RecordReader};
use crate::places::Target;
use crate::print::{Failure, failure};
use crate::runner::Runner;
use transom_datasets::{Dataset, DatasetName, Found, Organization, Position, Start};
use transom_idcams::Range;
use transom_idcams::listing;
use transom_idcams::record::MAX_RECORD;
use transom_messages::id;
use transom_recovery::{Direction, wait};

/// Records read from the store at a time.
const SCAN_BATCH: usize = 500;
/// Columns of a card.
const CARD: usize = 80;

/// One record with its place in a cluster.
pub(crate) struct Item {
    pub(crate) position: Option<Position>,
    pub(crate) record: Vec<u8>,
}

/// One source of records.
pub(crate) enum Input {
    Cluster(Box<ClusterInput>),
    File(Box<RecordReader>),
    /// Inside form, last one first.
    Cards(Vec<Vec<u8>>),
}

/// A cluster, or a base through a path, from the first record wanted on.
pub(crate) struct ClusterInput {
    dataset: Dataset,
    /// Read and not yet given, last one first.
    batch: Vec<Found>,
    last: Option<Position>,
    start: Option<Vec<u8>>,
    /// Highest key wanted, and no longer than it is given.
    end: Option<Vec<u8>>,
}

impl Input {
    pub(crate) fn open(
        runner: &mut Runner<'_>,
        target: Target,
        range: &Range,
        other: Other,
    ) -> Result<Self, Failure> {
        match target {
            Target::Catalog(name) => {
                let dataset = runner.datasets.dataset(&name).map_err(failure)?;
                Ok(Self::Cluster(Box::new(ClusterInput::new(
                    &name, dataset, range,
                )?)))
            }
            Target::File(spec) => {
                sequential(range, &spec.path.display().to_string())?;
                let mut notes = Vec::new();
                let reader = RecordReader::open(&spec, other, &mut notes)?;
                notes.iter().for_each(|note| runner.report.line(note));
                Ok(Self::File(Box::new(reader)))
            }
            Target::Instream(lines) => {
                sequential(range, "in-stream data")?;
                let cards = lines.iter().rev().map(|line| card(&line.text)).collect();
                Ok(Self::Cards(cards))
            }
            Target::Nothing => Ok(Self::Cards(Vec::new())),
        }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Item>, Failure> {
        let alone = |record| Item {
            position: None,
            record,
        };
        match self {
            Input::Cluster(cluster) => cluster.next(),
            Input::File(reader) => Ok(reader.next()?.map(alone)),
            Input::Cards(cards) => Ok(cards.pop().map(alone)),
        }
    }

    /// Bytes done and bytes in all, where they are known.
    pub(crate) fn progress(&self) -> Option<(u64, u64)> {
        match self {
            Input::File(reader) => Some((reader.position, reader.size)),
            _ => None,
        }
    }

    /// How PRINT calls a record of it.
    pub(crate) fn heading(&self, item: &Item, number: u64) -> String {
        match (self, &item.position) {
            (Input::Cluster(cluster), Some(position)) => match cluster.dataset.key_offset() {
                Some(_) => format!("KEY OF RECORD - {}", listing::key(&position.key)),
                None => match (position.rba(), position.rrn()) {
                    (Some(rba), _) => format!("RBA OF RECORD - {rba}"),
                    (None, rrn) => format!("RELATIVE RECORD NUMBER - {}", rrn.unwrap_or(0)),
                },
            },
            _ => format!("RECORD SEQUENCE NUMBER - {number}"),
        }
    }
}

/// A line of a job as a record of 80 bytes in ISO 8859-1.
fn card(text: &str) -> Vec<u8> {
    let mut record: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
        .collect();
    if record.len() < CARD {
        record.resize(CARD, b' ');
    }
    record
}

/// Only SKIP and COUNT choose records of a file.
fn sequential(range: &Range, name: &str) -> Result<(), Failure> {
    match by_place(range) {
        None => Ok(()),
        Some((word, _)) => Err(cannot(word, name)),
    }
}

fn cannot(word: &str, name: &str) -> Failure {
    Failure::new(12, id::not_usable_with(word, name))
}

/// The kind of range asked for: its first word, and whether it is by key, address or number.
fn by_place(range: &Range) -> Option<(&'static str, Option<Organization>)> {
    if range.from_key.is_some() || range.to_key.is_some() {
        return Some(("FROMKEY or TOKEY", None));
    }
    if range.from_address.is_some() || range.to_address.is_some() {
        return Some(("FROMADDRESS or TOADDRESS", Some(Organization::Esds)));
    }
    if range.from_number.is_some() || range.to_number.is_some() {
        return Some(("FROMNUMBER or TONUMBER", Some(Organization::Rrds)));
    }
    None
}

impl ClusterInput {
    fn new(name: &DatasetName, dataset: Dataset, range: &Range) -> Result<Self, Failure> {
        let keyed = dataset.key_offset().is_some();
        if let Some((word, wanted)) = by_place(range) {
            let fits = match wanted {
                None => keyed,
                Some(organization) => !keyed && dataset.cluster().organization == organization,
            };
            if !fits {
                return Err(cannot(word, name.as_str()));
            }
        }
        let rrn = |n: u64| u32::try_from(n).unwrap_or(u32::MAX).to_be_bytes().to_vec();
        let rba = |n: u64| n.to_be_bytes().to_vec();
        let key = |k: &transom_idcams::KeyValue| k.bytes.clone();
        let cut = |k: Vec<u8>| {
            k.get(..dataset.key_length())
                .map_or(k.clone(), <[u8]>::to_vec)
        };
        let start = range.from_key.as_ref().map(key).map(cut);
        let start = start
            .or(range.from_address.map(rba))
            .or(range.from_number.map(rrn));
        let end = range.to_key.as_ref().map(key).map(cut);
        let end = end
            .or(range.to_address.map(rba))
            .or(range.to_number.map(rrn));
        Ok(Self {
            dataset,
            batch: Vec::new(),
            last: None,
            start,
            end,
        })
    }

    fn next(&mut self) -> Result<Option<Item>, Failure> {
        if self.batch.is_empty() {
            let start = match (&self.last, &self.start) {
                (Some(last), _) => Start::After(last),
                (None, Some(key)) => Start::At(key),
                (None, None) => Start::At(&[]),
            };
            let forward = Direction::Forward;
            let mut batch =
                wait(self.dataset.scan(None, start, forward, SCAN_BATCH)).map_err(failure)?;
            self.last = batch
                .last()
                .map(|f| f.position.clone())
                .or(self.last.take());
            batch.reverse();
            self.batch = batch;
        }
        let Some(found) = self.batch.pop() else {
            return Ok(None);
        };
        let key = &found.position.key;
        if let Some(end) = &self.end
            && self
                .dataset
                .is_behind(key.get(..end.len()).unwrap_or(key), end)
        {
            self.batch.clear();
            return Ok(None);
        }
        Ok(Some(Item {
            position: Some(found.position),
            record: found.record,
        }))
    }
}

/// Record lengths of a target, for the file on the other side.
pub(crate) fn lengths(runner: &Runner<'_>, target: &Target) -> Other {
    match target {
        Target::Catalog(name) => {
            let Ok(dataset) = runner.datasets.dataset(name) else {
                return Other::default();
            };
            let cluster = dataset.cluster();
            Other {
                max: Some(cluster.max),
                fixed: (cluster.average == cluster.max).then_some(cluster.max),
            }
        }
        Target::Instream(_) => Other {
            max: Some(CARD),
            fixed: Some(CARD),
        },
        Target::File(spec) => {
            let declared = match spec.declared {
                Some(transom_idcams::record::FileFormat::Fixed(length)) => {
                    Some(length.min(MAX_RECORD))
                }
                _ => None,
            };
            Other {
                max: declared,
                fixed: declared,
            }
        }
        Target::Nothing => Other::default(),
    }
}
