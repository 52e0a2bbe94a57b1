//! Forward recovery: what was committed after a backup is done again from the logs.
//!
//! What: [`forward_recover`] reads the forward recovery logs beside a store that was just restored
//! and applies the changes of committed units of work in the order in which they were made, up to a
//! moment or to the end. Everything is looked at before anything is changed. A run that is
//! interrupted is done again from its beginning: records end as the log says, however often. Not
//! here: restoring (`backup`), writing logs (the region).

mod apply;
mod log;
mod plan;
mod request;

pub(crate) use log::places;
pub use request::Forward;

use crate::backup_failure::BackupFailure;
use crate::time::utc;
use plan::{Asked, Plan, plan};
use std::collections::HashSet;
use std::ops::Bound;
use std::path::Path;
use transom_messages::{Message, bk};
use transom_recovery::{Direction, FORWARD, LogPlace, Restored, StoreError, UowStore, wait};

/// One log that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogApplied {
    /// Its name.
    pub name: String,
    /// Units of work.
    pub units: u64,
    /// Changes of records.
    pub changes: u64,
    /// Records that were not as the log says.
    pub surprises: u64,
    /// When the last unit of work ended, as a text.
    pub up_to: String,
}

/// Applies the logs of a store that was restored. Answers the logs that had something, and what the
/// operator should know.
///
/// # Errors
/// TXMBK0014E to TXMBK0020E, TXMBK0023E. Before TXMBK0020E nothing was changed.
pub fn forward_recover(
    forward: &Forward<'_>,
) -> Result<(Vec<LogApplied>, Vec<Message>), BackupFailure> {
    let dir = forward.dir.display();
    let store = forward.datasets.store();
    let failed = |e: StoreError| bk::not_recovered(&dir, e);
    let restored = wait(Restored::read(&**store)).map_err(failed)?;
    let restored = restored
        .filter(|restored| restored.open)
        .ok_or_else(|| bk::nothing_to_recover(&dir))?;
    let until_ms = forward.until_ms.unwrap_or(u64::MAX);
    if restored.applied.is_some_and(|before| before > until_ms) {
        return Err(bk::further_already(&dir).into());
    }
    let there = wait(in_backup(&**store)).map_err(failed)?;
    let asked = Asked {
        folder: forward.journals,
        until_ms,
        there: &there,
    };
    let mut plans = Vec::new();
    let mut notes = Vec::new();
    for place in all_places(forward.journals, &restored)? {
        let mut plan = plan(&asked, &place)?;
        notes.append(&mut plan.notes);
        if !plan.units.is_empty() {
            apply::check(forward, &plan)?;
            plans.push(plan);
        }
    }
    Restored::applying(&**store, until_ms).map_err(failed)?;
    let mut done = Vec::new();
    for plan in &plans {
        let applied = apply_one(forward, plan, restored.applied.is_none())?;
        if applied.surprises > 0 {
            notes.push(bk::not_as_logged(&plan.name, applied.surprises));
        }
        done.push(applied);
    }
    wait(store.checkpoint()).map_err(failed)?;
    Ok((done, notes))
}

fn apply_one(forward: &Forward<'_>, plan: &Plan, first: bool) -> Result<LogApplied, Message> {
    let (changes, surprises) = apply::apply(forward, plan)?;
    Ok(LogApplied {
        name: plan.name.clone(),
        units: plan.units.len() as u64,
        changes,
        // A second run finds what the first one did.
        surprises: if first { surprises } else { 0 },
        up_to: utc(plan.last_ms),
    })
}

/// Logs of the backup, and those that began after it.
fn all_places(journals: &Path, restored: &Restored) -> Result<Vec<LogPlace>, Message> {
    let names = log::names(journals).map_err(|e| bk::not_a_log(journals.display(), e))?;
    let mut places = restored.logs.clone();
    // One that was empty and is gone holds nothing.
    places.retain(|place| place.bytes > 0 || names.contains(&place.name));
    for name in names {
        if !places.iter().any(|place| place.name == name) {
            let (bytes, number) = (0, 0);
            places.push(LogPlace {
                name,
                bytes,
                number,
            });
        }
    }
    places.sort();
    Ok(places)
}

/// Units of work that were committed when the backup was made, and whose end may stand in a log
/// behind it.
async fn in_backup(store: &dyn UowStore) -> Result<HashSet<u64>, StoreError> {
    let mut found = HashSet::new();
    let mut last: Option<Vec<u8>> = None;
    loop {
        let from = last.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let rows = store.scan(None, FORWARD, from, &[], Direction::Forward, 1_000);
        let rows = match rows.await {
            Err(StoreError::NoTable(_)) => return Ok(found),
            rows => rows?,
        };
        let number = |key: &[u8]| key.first_chunk().map(|n| u64::from_be_bytes(*n));
        found.extend(rows.iter().filter_map(|row| number(&row.key)));
        match rows.last() {
            Some(row) => last = Some(row.key.clone()),
            None => return Ok(found),
        }
    }
}
