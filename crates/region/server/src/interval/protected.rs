//! START PROTECT: requests that belong to a unit of work and outlive the region.
//!
//! What: a request lies in the table [`TABLE`] from the commit of the unit of work that made it to
//! the commit of the one that retrieved it, or the end of its task. Not here: units of work
//! (`syncpoint`), when requests expire.

use super::Intervals;
use crate::replier::{Replier, lock};
use std::ops::Bound;
use std::sync::Arc;
use transom_messages as messages;
use transom_recovery::{Change, Direction, Outcome, StoreError, Wait, Write};
use transom_types::{ReqId, Resp};
use transom_wire::interval::StartRequest;
use transom_wire::requests::RegionAnswer;

/// Key: id of the request; record: its bytes.
const TABLE: &str = "ic/start";
/// Requests read from the store in one piece.
const BATCH: usize = 256;

impl Intervals {
    /// The request counts from the commit of the task's unit of work on.
    pub(super) fn start_protected(self: &Arc<Self>, replier: Replier, request: StartRequest) {
        let task = replier.task_number();
        let service = self.clone();
        replier.answer_with(async move {
            match service.stage(task, request).await {
                Ok(reqid) => RegionAnswer::with(&reqid),
                Err(error) => refused(&error),
            }
        });
    }

    async fn stage(
        self: &Arc<Self>,
        task: u32,
        request: StartRequest,
    ) -> Result<ReqId, StoreError> {
        let store = self.uows.queues().ok_or(StoreError::Closed)?;
        let id = lock(&self.book).new_id(self.kernel.clock.unix_ns());
        let uow = self.uows.current(task);
        let (key, record) = (id.to_be_bytes(), request.encode());
        store
            .stage(uow, TABLE, &key, Change::Put(record), Wait::No)
            .await?;
        let reqid = request.reqid;
        let service = self.clone();
        let learns = move |outcome| match outcome {
            Outcome::Commit => service.schedule(id, request),
            Outcome::Backout => {}
        };
        self.uows
            .subscribe(task, learns)
            .then_some(reqid)
            .ok_or(StoreError::Limit("hooks of a unit of work"))
    }

    /// The task has the data: the stored request ends with its unit of work.
    pub(super) async fn retrieved(&self, task: u32, id: u64) -> Result<(), RegionAnswer> {
        let Some(store) = self.uows.queues() else {
            return Ok(());
        };
        let uow = self.uows.current(task);
        let staged = store
            .stage(uow, TABLE, &id.to_be_bytes(), Change::Delete, Wait::No)
            .await;
        match staged {
            Ok(()) | Err(StoreError::NotFound) => Ok(()),
            Err(error) => Err(refused(&error)),
        }
    }

    /// The request is over, or cancelled.
    pub(super) fn forget(&self, id: u64) {
        let (Some(store), Ok(runtime)) =
            (self.uows.queues(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let kernel = self.kernel.clone();
        runtime.spawn(async move {
            let write = Write::new(TABLE, id.to_be_bytes(), Change::Delete);
            match store.write_now(None, vec![write], Wait::No).await {
                Ok(()) | Err(StoreError::NotFound) => {}
                Err(error) => kernel.tell(messages::ic::runs_again(&error)),
            }
        });
    }

    /// Schedules the requests an earlier run left. The region calls it once it can start tasks.
    pub(crate) async fn recover(self: &Arc<Self>) -> Result<(), StoreError> {
        let kept = std::mem::take(&mut *lock(&self.kept));
        for (id, request) in kept {
            self.schedule_again(id, request);
        }
        let Some(store) = self.uows.queues() else {
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
                match (id, StartRequest::read(&row.record)) {
                    (Ok(id), Some(request)) => self.schedule_again(id, request),
                    _ => self.kernel.tell(messages::ic::stored_request_damaged()),
                }
            }
        }
    }

    /// What was due while no region ran is due now.
    fn schedule_again(self: &Arc<Self>, id: u64, mut request: StartRequest) {
        request.due_ms = request.due_ms.max(self.kernel.clock.unix_ms());
        self.schedule(id, request);
    }
}

fn refused(error: &StoreError) -> RegionAnswer {
    RegionAnswer::refused(Resp::IOERR, 0, messages::ic::not_protected(error))
}
