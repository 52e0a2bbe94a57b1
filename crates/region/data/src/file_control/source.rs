//! Where a read without lock gets its records: from the store's map in this process, or from the
//! region.
//!
//! A task that changed the data set in its unit of work asks the region, which sees its changes; so
//! does a worker that cannot map the store. Not here: locks.

use super::access::Target;
use super::reading::now;
use std::sync::Arc;
use transom_datasets::{Batch, Condition, Dataset, Find, Found, Position, ReadOnlyStore, Start};
use transom_messages as messages;
use transom_recovery::Direction;
use transom_region_task::command::{Cx, Fail, raise};
use transom_types::Resp;
use transom_wire::definitions::FileJournal;
use transom_wire::file_control::{Action, records_of};
use transom_wire::language::read_batch;

/// The first record for a key. Condition: NOTFND 80.
pub(super) fn read(
    cx: &mut Cx<'_>,
    target: &Target,
    key: &[u8],
    find: Find,
) -> Result<Found, Fail> {
    if key.is_empty() {
        let mut first = Batch::default();
        fill(cx, target, Start::End, Direction::Forward, 1, &mut first)?;
        return first
            .take()
            .map_or_else(not_found, |seen| Ok(seen.to_found()));
    }
    let mine = mapped(cx, target).and_then(|(store, dataset)| {
        if find == Find::Equal && !target.shape.path {
            let record = dataset.read_mapped(&store, key);
            return Some(match record {
                Ok(Some(record)) => Ok(Found {
                    position: Position::of_base(key),
                    record,
                    duplicate: false,
                }),
                Ok(None) => Err(Condition::NotFound),
                Err(error) => Err(error.into()),
            });
        }
        now(dataset.read(None, key, find))
    });
    match mine {
        Some(Ok(found)) => Ok(found),
        Some(Err(Condition::NotFound)) => not_found(),
        // The region says what is wrong, and to the operator too.
        Some(Err(_)) | None => {
            let answer = target.ask(cx, Action::Read(key.to_vec(), find, None))?;
            records_of(&answer)
                .into_iter()
                .next()
                .map_or_else(not_found, Ok)
        }
    }
}

/// Up to `limit` records in order, into a batch; none: no more.
pub(super) fn fill(
    cx: &mut Cx<'_>,
    target: &Target,
    start: Start<'_>,
    direction: Direction,
    limit: u32,
    batch: &mut Batch,
) -> Result<(), Fail> {
    let mine = mapped(cx, target)
        .map(|(store, dataset)| dataset.fill(&store, start, direction, limit as usize, batch));
    if !matches!(mine, Some(Ok(()))) {
        // Only what the program gets is journaled.
        let limit = match target.entry.journals(FileJournal::Reads) {
            true => 1,
            false => limit,
        };
        let answer = target.ask(cx, Action::Scan(start.into(), direction, limit))?;
        read_batch(&answer, batch);
    }
    Ok(())
}

/// The file in this worker's map, when the map shows what the task must see.
fn mapped<'a>(cx: &'a mut Cx<'_>, target: &Target) -> Option<(Arc<ReadOnlyStore>, &'a Dataset)> {
    // The region keeps the journal of what is read.
    if cx.task.files.changed.contains(&target.shape.base)
        || target.entry.journals(FileJournal::Reads)
    {
        return None;
    }
    let reading = &mut cx.region.caches.reading;
    if let Err(error) = reading.dataset(
        &cx.region.facts.store_dir,
        target.name,
        target.shape.data_set(&target.entry.dsname),
        &target.shape,
    ) {
        // Said once: the folder is remembered.
        let text = messages::fc::store_not_mapped(&error);
        cx.host.log(text.line());
        return None;
    }
    let store = reading.store.clone()?;
    Some((store, reading.datasets.get(&target.name)?))
}

fn not_found<T>() -> Result<T, Fail> {
    raise(Resp::NOTFND, 80)
}
