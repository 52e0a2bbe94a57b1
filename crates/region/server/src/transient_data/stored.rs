//! Recoverable intrapartition queues: records in the store.
//!
//! What: RECOVSTATUS(LOGICAL): part of the task's unit of work, which holds the writing end of the
//! queue from its first write and the reading end from its first read to its own end;
//! RECOVSTATUS(PHYSICAL): each command for itself. The table of a queue has its records by number.
//! Not here: triggers.

use super::TransientData;
use super::queue::{Asked, Done, Queue};
use crate::replier::{Replier, lock};
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use transom_messages as messages;
use transom_recovery::{Change, Direction, Outcome, Row, StoreError, UowId, UowStore, Wait, Write};
use transom_starts::trigger::Rules;
use transom_types::{AbendCode, Resp, TdQueueName};
use transom_wire::definitions::{TdKind, TdQueueEntry, TdRecovery};
use transom_wire::requests::RegionAnswer;
use transom_wire::transient_data::Action;

/// Table whose keys are the ends of queues; it has no records.
const ENDS: &str = "td/.ends";
/// Records DELETEQ deletes in one piece.
const BATCH: usize = 512;

/// A command on its way.
struct Command {
    service: Arc<TransientData>,
    store: Arc<dyn UowStore>,
    entry: TdQueueEntry,
    queue: Arc<Queue>,
    task: u32,
    wait: Wait,
    table: String,
}

impl TransientData {
    /// WRITEQ, READQ or DELETEQ.
    pub(super) fn answer_stored(self: &Arc<Self>, replier: Replier, action: Action, asked: Asked) {
        let Some(store) = self.uows.queues() else {
            let text = messages::td::no_store();
            return replier.answer(&RegionAnswer::refused(Resp::IOERR, 0, text));
        };
        let command = Command {
            service: self.clone(),
            store,
            table: table(&asked.entry),
            queue: asked.queue,
            task: replier.task_number(),
            wait: self.until(asked.dtimout),
            entry: asked.entry,
        };
        replier.answer_with(async move { command.run(action).await });
    }

    /// How long a task waits for a lock.
    fn until(&self, dtimout: Option<Duration>) -> Wait {
        dtimout.map_or(Wait::Forever, |limit| {
            Wait::Until(self.kernel.clock.after(limit))
        })
    }

    /// Makes the tables and counts what an earlier run left.
    pub(crate) async fn recover(self: &Arc<Self>) -> Result<(), StoreError> {
        let Some(store) = self.uows.queues() else {
            return Ok(());
        };
        for entry in self.installed(|entry| entry.kind == TdKind::Intra) {
            let queue = self.queue(entry.name);
            if entry.recovery != TdRecovery::No {
                ready(&*store, &entry, &queue).await?;
            }
            // A queue that is over its level starts its task now, not only at the next write.
            self.written(&entry, &queue, 0);
        }
        Ok(())
    }

    fn unit_ended(
        self: &Arc<Self>,
        key: (u32, TdQueueName),
        entry: &TdQueueEntry,
        outcome: Outcome,
    ) {
        let done = lock(&self.pending).remove(&key);
        let (Some(done), Outcome::Commit) = (done, outcome) else {
            return;
        };
        let queue = self.queue(entry.name);
        // Writes first: a unit of work may have taken what it wrote.
        lock(&queue.trigger).count += done.written;
        lock(&queue.trigger).taken(done.taken);
        if done.written > 0 {
            self.written(entry, &queue, 0);
        }
    }
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
    async fn run(&self, action: Action) -> RegionAnswer {
        // A queue installed while the region runs has no table yet.
        if let Err(error) = ready(&*self.store, &self.entry, &self.queue).await {
            return refused(&self.entry, error);
        }
        let logical = self.entry.recovery == TdRecovery::Logical;
        let done = match (action, logical) {
            (Action::Write(record), true) => self.write(record).await,
            (Action::Write(record), false) => self.write_now(record).await,
            (Action::Read { may_wait }, true) => self.read(may_wait).await,
            (Action::Read { .. }, false) => self.read_now().await,
            (Action::Delete, true) => self.delete().await,
            (Action::Delete, false) => self.delete_now().await,
            _ => Ok(RegionAnswer::refused(
                Resp::INVREQ,
                0,
                messages::ei::request_damaged(),
            )),
        };
        done.unwrap_or_else(|error| refused(&self.entry, error))
    }

    async fn write(&self, record: Vec<u8>) -> Result<RegionAnswer, StoreError> {
        let uow = self.service.uows.current(self.task);
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
        self.service.written(&self.entry, &self.queue, 1);
        Ok(RegionAnswer::normal())
    }

    async fn read(&self, may_wait: bool) -> Result<RegionAnswer, StoreError> {
        let wait = if may_wait { self.wait } else { Wait::No };
        let uow = self.service.uows.current(self.task);
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
        lock(&self.queue.trigger).found_empty(Rules::of(&self.entry));
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
        lock(&self.queue.trigger).found_empty(Rules::of(&self.entry));
        Ok(RegionAnswer::refused(Resp::QZERO, 0, ""))
    }

    async fn delete(&self) -> Result<RegionAnswer, StoreError> {
        let uow = self.service.uows.current(self.task);
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
        let [a, b, c, d] = *self.entry.name.as_bytes();
        [a, b, c, d, end]
    }

    fn holds_writing_end(&self) -> bool {
        let pending = lock(&self.service.pending);
        let done = pending.get(&(self.task, self.entry.name));
        done.is_some_and(|done| done.writes)
    }

    /// Remembers what the unit of work did; it counts when the unit is committed.
    fn note(&self, what: impl FnOnce(&mut Done)) -> Result<(), StoreError> {
        let key = (self.task, self.entry.name);
        {
            let mut pending = lock(&self.service.pending);
            if let Some(done) = pending.get_mut(&key) {
                what(done);
                return Ok(());
            }
            what(pending.entry(key).or_default());
        }
        let (service, entry) = (self.service.clone(), self.entry.clone());
        let learns = move |outcome| service.unit_ended(key, &entry, outcome);
        let uows = &self.service.uows;
        uows.subscribe(self.task, learns)
            .then_some(())
            .ok_or(StoreError::Limit("hooks of a unit of work"))
    }
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
