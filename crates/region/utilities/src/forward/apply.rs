//! Changing data sets as a log says.
//!
//! What: the second pass over a log; the changes of the units of work that count, in the order of
//! the log, committed some hundreds at a time. Not here: which ones count (`plan`), indexes and
//! keys (datasets).

use super::log;
use super::plan::Plan;
use super::request::Forward;
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use transom_datasets::{Access, Dataset, DatasetName};
use transom_journal::{Change, Entry};
use transom_messages::{Message, bk};
use transom_recovery::{UowId, Wait, wait};
use transom_types::Applid;

/// Changes one commit takes.
const BATCH: u32 = 500;

/// Looks whether the data sets of all changes are there, and whether the log says what to do.
pub(super) fn check(forward: &Forward<'_>, plan: &Plan) -> Result<(), Message> {
    each(forward, plan, &mut |dataset, number, changed| {
        let key = dataset.recovered_key(changed.key, changed.record);
        let found = key.map_err(|e| refused(plan, dataset, number, &e));
        found.map(|_| ())
    })
}

/// Applies; how many changes, and how many records were not as the log says.
pub(super) fn apply(forward: &Forward<'_>, plan: &Plan) -> Result<(u64, u64), Message> {
    let store = forward.datasets.store();
    let access = Access {
        uow: UowId::new(Applid::from_field(b"TXMFWD"), 1),
        recoverable: true,
        wait: Wait::No,
    };
    let (mut changes, mut surprises, mut open) = (0, 0, 0);
    let commit = || {
        let done = wait(store.commit(access.uow));
        done.map_err(|e| bk::not_recovered(forward.dir.display(), e))
    };
    let done = each(forward, plan, &mut |dataset, number, changed| {
        let was = wait(dataset.recover(access, changed.key, changed.record));
        let was = was.map_err(|e| refused(plan, dataset, number, &e))?;
        changes += 1;
        surprises += u64::from(was == changed.is_new);
        open += 1;
        if open == BATCH {
            open = 0;
            commit()?;
        }
        Ok(())
    });
    if let Err(message) = done {
        store.release(access.uow);
        return Err(message);
    }
    commit()?;
    Ok((changes, surprises))
}

/// A deletion by part of a key: the log does not say which records it took.
struct NotSaid;

impl fmt::Display for NotSaid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the log does not say which records were deleted")
    }
}

/// A record as it is from then on.
struct Changed<'a> {
    key: &'a [u8],
    /// None: it is gone.
    record: Option<&'a [u8]>,
    /// It was not there before.
    is_new: bool,
}

impl<'a> Changed<'a> {
    fn of(change: Change, key: &'a [u8], record: &'a [u8]) -> Result<Self, NotSaid> {
        let record = match change {
            Change::Added | Change::Updated => Some(record),
            Change::Deleted => None,
            Change::DeletedGeneric => {
                return Err(NotSaid);
            }
        };
        let is_new = change == Change::Added;
        Ok(Self {
            key,
            record,
            is_new,
        })
    }
}

type Visit<'v> = &'v mut dyn FnMut(&Dataset, u32, Changed<'_>) -> Result<(), Message>;

/// Shows the changes that count, each with its data set and the number of its record.
fn each(forward: &Forward<'_>, plan: &Plan, visit: Visit<'_>) -> Result<(), Message> {
    let mut data_sets: HashMap<[u8; 8], Dataset> = HashMap::new();
    let mut names: HashMap<[u8; 8], String> = HashMap::new();
    for (file, name) in &forward.files {
        names.insert(padded(file), name.clone());
    }
    let mut failed = None;
    let read = log::read(&plan.path, &mut |at, record| {
        if at > plan.end {
            return ControlFlow::Break(());
        }
        let number = record.number;
        let done = match Entry::of(record) {
            Some(Entry::DataSet { file, name }) => {
                names.insert(file, String::from_utf8_lossy(name).into_owned());
                data_sets.remove(&file);
                Ok(())
            }
            Some(Entry::Changed {
                uow,
                file,
                change,
                key,
                record: now,
            }) if plan.units.contains(&uow) => {
                let found = data_set(forward, plan, file, (&names, &mut data_sets));
                found.and_then(|data_set| {
                    let changed = Changed::of(change, key, now);
                    let changed = changed.map_err(|why| refused(plan, &data_set, number, &why))?;
                    visit(&data_set, number, changed)
                })
            }
            _ => Ok(()),
        };
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(message) => {
                failed = Some(message);
                ControlFlow::Break(())
            }
        }
    });
    read.map_err(|e| bk::not_a_log(&plan.name, e))?;
    failed.map_or(Ok(()), Err)
}

type Known<'k> = (
    &'k HashMap<[u8; 8], String>,
    &'k mut HashMap<[u8; 8], Dataset>,
);

fn data_set(
    forward: &Forward<'_>,
    plan: &Plan,
    file: [u8; 8],
    (names, open): Known<'_>,
) -> Result<Dataset, Message> {
    if let Some(data_set) = open.get(&file) {
        return Ok(data_set.clone());
    }
    let shown = String::from_utf8_lossy(&file).trim_end().to_owned();
    let name = names
        .get(&file)
        .ok_or_else(|| bk::file_not_known(&plan.name, shown))?;
    let found = DatasetName::new(name)
        .map_err(|e| e.to_string())
        .and_then(|name| forward.datasets.dataset(&name).map_err(|e| e.to_string()));
    let found = found.map_err(|why| bk::data_set_missing(&plan.name, name, why))?;
    open.insert(file, found.clone());
    Ok(found)
}

fn refused(plan: &Plan, dataset: &Dataset, number: u32, why: &dyn fmt::Display) -> Message {
    bk::not_applicable(&plan.name, number, &dataset.cluster().name, why)
}

fn padded(file: &str) -> [u8; 8] {
    let mut name = [b' '; 8];
    let bytes = file.as_bytes();
    let length = bytes.len().min(name.len());
    name[..length].copy_from_slice(&bytes[..length]);
    name
}
