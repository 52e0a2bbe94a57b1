//! Recoverable intrapartition queues: records in the store.
//!
//! What: RECOVSTATUS(LOGICAL): part of the task's unit of work, which holds the writing end of the
//! queue from its first write and the reading end from its first read to its own end;
//! RECOVSTATUS(PHYSICAL): each command for itself. The table of a queue has its records by number.
//! Not here: triggers.

use super::super::Inner;
use super::super::replier::{Replier, lock};
use super::super::syncpoint;
use super::{Asked, Queue, ati, installed};
use std::collections::HashMap;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use transom_messages as messages;
use transom_recovery::{Change, Direction, Outcome, Row, StoreError, UowId, UowStore, Wait, Write};
use transom_types::{AbendCode, Resp};
use transom_wire::definitions::{TdKind, TdQueueEntry, TdRecovery};
use transom_wire::requests::RegionAnswer;
use transom_wire::transient_data::Action;

/// Table whose keys are the ends of queues; it has no records.
const ENDS: &str = "td/.ends";
/// Records DELETEQ deletes in one piece.
const BATCH: usize = 512;

/// What units of work did, by task and queue.
pub(super) type Pending = HashMap<(u32, [u8; 4]), Done>;

/// What one unit of work did to a queue.
#[derive(Default)]
pub(super) struct Done {
    written: u64,
    taken: u64,
    /// It holds the writing end.
    writes: bool,
}

/// A command on its way.
struct Command {
    region: Arc<Inner>,
    store: Arc<dyn UowStore>,
    entry: TdQueueEntry,
    queue: Arc<Queue>,
    task: u32,
    wait: Wait,
    table: String,
}

/// WRITEQ, READQ or DELETEQ.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, action: Action, asked: Asked) {
    let Some(store) = inner.services.uows.store() else {
        let text = messages::td::no_store();
        return replier.answer(&RegionAnswer::refused(Resp::IOERR, 0, text));
    };
    let command = Command {
        region: inner.clone(),
        store,
        table: table(&asked.entry),
        queue: asked.queue,
        task: replier.task_number(),
        wait: until(inner, asked.dtimout),
        entry: asked.entry,
    };
    replier.answer_with(async move {
        // A queue installed while the region runs has no table yet.
        if let Err(error) = ready(&*command.store, &command.entry, &command.queue).await {
            return refused(&command.entry, error);
        }
        let logical = command.entry.recovery == TdRecovery::Logical;
        let done = match (action, logical) {
            (Action::Write(record), true) => command.write(record).await,
            (Action::Write(record), false) => command.write_now(record).await,
            (Action::Read { may_wait }, true) => command.read(may_wait).await,
            (Action::Read { .. }, false) => command.read_now().await,
            (Action::Delete, true) => command.delete().await,
            (Action::Delete, false) => command.delete_now().await,
            _ => Ok(RegionAnswer::refused(
                Resp::INVREQ,
                0,
                messages::ei::request_damaged(),
            )),
        };
        done.unwrap_or_else(|error| refused(&command.entry, error))
    });
}

/// Makes the tables and counts what an earlier run left.
pub(in super::super) async fn recover(inner: &Arc<Inner>) -> Result<(), StoreError> {
    let Some(store) = inner.services.uows.store() else {
        return Ok(());
    };
    for entry in installed(inner, |entry| entry.kind == TdKind::Intra) {
        let queue = inner.services.transient.queue(entry.name);
        if entry.recovery != TdRecovery::No {
            ready(&*store, &entry, &queue).await?;
        }
        // A queue that is over its level starts its task now, not only at the next write.
        written(inner, &entry, &queue, 0);
    }
    Ok(())
}

/// Makes the table of a queue and counts its records, once.
async fn ready(
    store: &dyn UowStore,
    entry: &TdQueueEntry,
    queue: &Queue,
) -> Result<(), StoreError> {
    if queue.ready.load(Ordering::Acquire) {
        return Ok(());
    }
    let table = table(entry);
    store.define(ENDS).await?;
    store.define(&table).await?;
    let count = store.count(&table).await?;
    if !queue.ready.swap(true, Ordering::AcqRel) {
        lock(&queue.trigger).count = count;
    }
    Ok(())
}

impl Command {
    async fn write(&self, record: Vec<u8>) -> Result<RegionAnswer, StoreError> {
        let uow = syncpoint::current(&self.region, self.task);
        self.store
            .lock(uow, ENDS, &self.end(b'W'), self.wait)
            .await?;
        self.note(|done| done.writes = true)?;
        let number = self.store.allocate(&self.table, 1).await?;
        let key = number.to_be_bytes();
        self.store
            .stage(uow, &self.table, &key, Change::Put(record), self.wait)
            .await?;
        self.note(|done| done.written += 1)?;
        Ok(RegionAnswer::normal())
    }

    async fn write_now(&self, record: Vec<u8>) -> Result<RegionAnswer, StoreError> {
        let number = self.store.allocate(&self.table, 1).await?;
        let write = Write::new(&*self.table, number.to_be_bytes(), Change::Put(record));
        self.store.write_now(None, vec![write], self.wait).await?;
        written(&self.region, &self.entry, &self.queue, 1);
        Ok(RegionAnswer::normal())
    }

    async fn read(&self, may_wait: bool) -> Result<RegionAnswer, StoreError> {
        let wait = if may_wait { self.wait } else { Wait::No };
        let uow = syncpoint::current(&self.region, self.task);
        self.store.lock(uow, ENDS, &self.end(b'R'), wait).await?;
        if let Some(row) = self.first(Some(uow)).await? {
            return self.take(uow, row).await;
        }
        if !self.holds_writing_end() {
            // Records of another unit of work may be about to come: wait for its end, then look
            // again.
            let end = self.end(b'W');
            self.store.lock(uow, ENDS, &end, wait).await?;
            let row = self.first(Some(uow)).await;
            self.store.unlock(uow, ENDS, &end);
            if let Some(row) = row? {
                return self.take(uow, row).await;
            }
        }
        lock(&self.queue.trigger).found_empty(ati::rules(&self.entry));
        Ok(RegionAnswer::refused(Resp::QZERO, 0, ""))
    }

    async fn take(&self, uow: UowId, row: Row) -> Result<RegionAnswer, StoreError> {
        self.store
            .stage(uow, &self.table, &row.key, Change::Delete, self.wait)
            .await?;
        self.note(|done| done.taken += 1)?;
        Ok(RegionAnswer::with_data(row.record))
    }

    async fn read_now(&self) -> Result<RegionAnswer, StoreError> {
        while let Some(row) = self.first(None).await? {
            let delete = Write::new(&*self.table, row.key, Change::Delete);
            match self.store.write_now(None, vec![delete], self.wait).await {
                Ok(()) => {
                    lock(&self.queue.trigger).taken(1);
                    return Ok(RegionAnswer::with_data(row.record));
                }
                // Another task took it.
                Err(StoreError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        lock(&self.queue.trigger).found_empty(ati::rules(&self.entry));
        Ok(RegionAnswer::refused(Resp::QZERO, 0, ""))
    }

    async fn delete(&self) -> Result<RegionAnswer, StoreError> {
        let uow = syncpoint::current(&self.region, self.task);
        self.store
            .lock(uow, ENDS, &self.end(b'R'), self.wait)
            .await?;
        self.store
            .lock(uow, ENDS, &self.end(b'W'), self.wait)
            .await?;
        self.note(|done| done.writes = true)?;
        loop {
            let rows = self.rows(Some(uow), BATCH).await?;
            if rows.is_empty() {
                return Ok(RegionAnswer::normal());
            }
            for row in rows {
                self.take(uow, row).await?;
            }
        }
    }

    async fn delete_now(&self) -> Result<RegionAnswer, StoreError> {
        self.store.empty(&self.table).await?;
        let mut trigger = lock(&self.queue.trigger);
        let count = trigger.count;
        trigger.taken(count);
        Ok(RegionAnswer::normal())
    }

    async fn first(&self, uow: Option<UowId>) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(uow, 1).await?.into_iter().next())
    }

    async fn rows(&self, uow: Option<UowId>, limit: usize) -> Result<Vec<Row>, StoreError> {
        let from = Bound::Unbounded;
        let direction = Direction::Forward;
        self.store
            .scan(uow, &self.table, from, b"", direction, limit)
            .await
    }

    fn end(&self, end: u8) -> [u8; 5] {
        let [a, b, c, d] = self.entry.name;
        [a, b, c, d, end]
    }

    fn holds_writing_end(&self) -> bool {
        let pending = lock(&self.region.services.transient.pending);
        let done = pending.get(&(self.task, self.entry.name));
        done.is_some_and(|done| done.writes)
    }

    /// Remembers what the unit of work did; it counts when the unit is committed.
    fn note(&self, what: impl FnOnce(&mut Done)) -> Result<(), StoreError> {
        let key = (self.task, self.entry.name);
        {
            let mut pending = lock(&self.region.services.transient.pending);
            if let Some(done) = pending.get_mut(&key) {
                what(done);
                return Ok(());
            }
            what(pending.entry(key).or_default());
        }
        let entry = self.entry.clone();
        let learns = move |inner: &Arc<Inner>, outcome| match outcome {
            Outcome::Commit => committed(inner, key, &entry),
            Outcome::Backout => {
                lock(&inner.services.transient.pending).remove(&key);
            }
        };
        syncpoint::subscribe(&self.region, self.task, learns)
            .then_some(())
            .ok_or(StoreError::Limit("hooks of a unit of work"))
    }
}

fn committed(inner: &Arc<Inner>, key: (u32, [u8; 4]), entry: &TdQueueEntry) {
    let done = lock(&inner.services.transient.pending).remove(&key);
    let Some(done) = done else { return };
    let queue = inner.services.transient.queue(entry.name);
    // Writes first: a unit of work may have taken what it wrote.
    lock(&queue.trigger).count += done.written;
    lock(&queue.trigger).taken(done.taken);
    if done.written > 0 {
        written(inner, entry, &queue, 0);
    }
}

/// Records came: starts the task of the queue when its level is reached.
pub(super) fn written(inner: &Arc<Inner>, entry: &TdQueueEntry, queue: &Queue, records: u64) {
    let cycle = lock(&queue.trigger).written(records, ati::rules(entry));
    if let Some(cycle) = cycle {
        ati::start(inner, entry, cycle);
    }
}

/// How long a task waits for a lock.
fn until(inner: &Inner, dtimout: Option<Duration>) -> Wait {
    dtimout.map_or(Wait::Forever, |limit| Wait::Until(inner.clock.after(limit)))
}

fn table(entry: &TdQueueEntry) -> String {
    format!("td/{}", entry.text())
}

fn refused(entry: &TdQueueEntry, error: StoreError) -> RegionAnswer {
    let text = messages::td::refused(entry.text(), &error).to_string();
    let resp = match error {
        StoreError::Busy => Resp::QBUSY,
        StoreError::Locked => Resp::LOCKED,
        StoreError::NoSpace(_) | StoreError::Limit(_) => Resp::NOSPACE,
        StoreError::TooLong { .. } => Resp::LENGERR,
        StoreError::Timeout | StoreError::Deadlock | StoreError::Released => {
            return RegionAnswer::abend(AbendCode::AKCS, text);
        }
        _ => Resp::IOERR,
    };
    RegionAnswer::refused(resp, 0, text)
}
