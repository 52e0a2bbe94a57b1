//! START PROTECT: requests that belong to a unit of work and outlive the region.
//!
//! What: a request lies in the table [`TABLE`] from the commit of the unit of work that made it to
//! the commit of the one that retrieved it, or the end of its task. Not here: units of work
//! (`uows`), when requests expire.

use super::super::Inner;
use super::super::replier::{Replier, lock};
use super::super::syncpoint;
use super::schedule;
use std::ops::Bound;
use std::sync::Arc;
use transom_messages as messages;
use transom_recovery::{Change, Direction, Outcome, StoreError, Wait, Write};
use transom_types::Resp;
use transom_wire::interval::StartRequest;
use transom_wire::requests::RegionAnswer;

/// Key: id of the request; record: its bytes.
const TABLE: &str = "ic/start";
/// Requests read from the store in one piece.
const BATCH: usize = 256;

/// The request counts from the commit of the task's unit of work on.
pub(super) fn start(inner: &Arc<Inner>, replier: Replier, request: StartRequest) {
    let task = replier.task_number();
    let region = inner.clone();
    replier.answer_with(async move {
        match stage(&region, task, request).await {
            Ok(reqid) => RegionAnswer::with_data(reqid.to_vec()),
            Err(error) => refused(&error),
        }
    });
}

async fn stage(
    inner: &Arc<Inner>,
    task: u32,
    request: StartRequest,
) -> Result<[u8; 8], StoreError> {
    let store = inner.services.uows.store().ok_or(StoreError::Closed)?;
    let id = lock(&inner.services.intervals.book).new_id(inner.clock.unix_ns());
    let uow = syncpoint::current(inner, task);
    let (key, record) = (id.to_be_bytes(), request.encode());
    store
        .stage(uow, TABLE, &key, Change::Put(record), Wait::No)
        .await?;
    let reqid = request.reqid;
    let learns = move |inner: &Arc<Inner>, outcome| match outcome {
        Outcome::Commit => schedule(inner, id, request),
        Outcome::Backout => {}
    };
    syncpoint::subscribe(inner, task, learns)
        .then_some(reqid)
        .ok_or(StoreError::Limit("hooks of a unit of work"))
}

/// The task has the data: the stored request ends with its unit of work.
pub(super) async fn retrieved(inner: &Arc<Inner>, task: u32, id: u64) -> Result<(), RegionAnswer> {
    let Some(store) = inner.services.uows.store() else {
        return Ok(());
    };
    let uow = syncpoint::current(inner, task);
    let staged = store
        .stage(uow, TABLE, &id.to_be_bytes(), Change::Delete, Wait::No)
        .await;
    match staged {
        Ok(()) | Err(StoreError::NotFound) => Ok(()),
        Err(error) => Err(refused(&error)),
    }
}

/// The request is over, or cancelled.
pub(super) fn forget(inner: &Arc<Inner>, id: u64) {
    let (Some(store), Ok(runtime)) = (
        inner.services.uows.store(),
        tokio::runtime::Handle::try_current(),
    ) else {
        return;
    };
    let region = inner.clone();
    runtime.spawn(async move {
        let write = Write::new(TABLE, id.to_be_bytes(), Change::Delete);
        match store.write_now(None, vec![write], Wait::No).await {
            Ok(()) | Err(StoreError::NotFound) => {}
            Err(error) => region.tell(messages::ic::runs_again(&error)),
        }
    });
}

/// Schedules the requests an earlier run left. The region calls it once it can start tasks.
pub(in super::super) async fn recover(inner: &Arc<Inner>) -> Result<(), StoreError> {
    let kept = std::mem::take(&mut *lock(&inner.services.intervals.kept));
    for (id, mut request) in kept {
        request.due_ms = request.due_ms.max(inner.clock.unix_ms());
        schedule(inner, id, request);
    }
    let Some(store) = inner.services.uows.store() else {
        return Ok(());
    };
    store.define(TABLE).await?;
    let mut after: Option<Vec<u8>> = None;
    loop {
        let from = after
            .as_ref()
            .map_or(Bound::Unbounded, |key| Bound::Excluded(&key[..]));
        let rows = store.scan(None, TABLE, from, b"", Direction::Forward, BATCH);
        let rows = rows.await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = Some(last.key.clone());
        for row in &rows {
            let id = row.key[..].try_into().map(u64::from_be_bytes);
            let (Ok(id), Some(mut request)) = (id, StartRequest::decode(&row.record)) else {
                inner.tell(messages::ic::stored_request_damaged());
                continue;
            };
            request.due_ms = request.due_ms.max(inner.clock.unix_ms());
            schedule(inner, id, request);
        }
    }
}

fn refused(error: &StoreError) -> RegionAnswer {
    RegionAnswer::refused(Resp::IOERR, 0, messages::ic::not_protected(error))
}
