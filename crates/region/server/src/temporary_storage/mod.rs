//! Recoverable temporary storage: queues in the store, part of units of work.
//!
//! What: [`Queues::answer`] serves WRITEQ, READQ, DELETEQ and INQUIRE of queues whose model says
//! RECOVERY(YES). A unit of work that writes or deletes a queue holds its name to its end; reading
//! does not wait and sees what was committed and the task's own changes. Not here: queues in shared
//! memory (`crate::temporary_storage`).
//!
//! Limit: [`CURSORS_MAX`] queues whose place of READQ NEXT is kept; others begin at the first item.

mod auxiliary;
mod expiry;
pub(crate) mod spill;

use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::syncpoint::UnitsOfWork;
use std::collections::HashMap;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_messages as messages;
use transom_recovery::{Change, Direction, Lock, Match, StoreError, UowId, UowStore, Wait};
use transom_region_api::StatisticsGroup;
use transom_region_monitoring::group;
use transom_types::{AbendCode, Resp, TransId, TsQueueName};
use transom_wire::requests::RegionAnswer;
use transom_wire::temporary_storage::{Header, ITEMS_MAX, Read, Request, new_header};

/// Headers by name.
const QUEUES: &str = "ts/queues";
/// Items by name and number.
const ITEMS: &str = "ts/items";
/// Most queues whose cursor is kept.
pub(crate) const CURSORS_MAX: usize = 100_000;
/// Names read in one piece.
const BATCH: usize = 1_000;

/// The service.
pub(crate) struct Queues {
    kernel: Arc<Kernel>,
    uows: Arc<UnitsOfWork>,
    /// Item the last READQ of any task read; not part of units of work.
    cursors: Mutex<HashMap<TsQueueName, u32>>,
    /// Auxiliary items on disk.
    spill: spill::Spill,
}

impl Queues {
    /// Items on disk lie in this folder, so many bytes at most.
    pub(crate) fn new(
        kernel: Arc<Kernel>,
        uows: Arc<UnitsOfWork>,
        folder: Option<&Path>,
        auxiliary_bytes_max: u64,
    ) -> Self {
        Self {
            kernel,
            uows,
            cursors: Mutex::default(),
            spill: spill::Spill::new(folder, auxiliary_bytes_max),
        }
    }

    /// Bytes on disk.
    pub(crate) fn statistics(&self) -> StatisticsGroup {
        let ((now, peak, reached), limit) = self.spill.figures();
        group(
            "temporary storage",
            &[
                ("disk_bytes", now),
                ("disk_bytes_peak", peak),
                ("disk_bytes_limit", limit),
                ("times_at_disk_bytes_limit", reached),
            ],
        )
    }

    /// Places of READQ NEXT.
    pub(crate) fn cursors(&self) -> Vec<(TsQueueName, u32)> {
        let cursors = lock(&self.cursors);
        cursors.iter().map(|(name, item)| (*name, *item)).collect()
    }

    /// READQ NEXT goes on after this item.
    pub(crate) fn set_cursor(&self, name: TsQueueName, item: u32) {
        let mut cursors = lock(&self.cursors);
        if cursors.len() < CURSORS_MAX || cursors.contains_key(&name) {
            cursors.insert(name, item);
        }
    }
}

/// One command.
struct Command {
    queues: Arc<Queues>,
    store: Arc<dyn UowStore>,
    task: u32,
    name: TsQueueName,
}

/// A condition, or what the store said.
enum Failed {
    Condition(Resp),
    Store(StoreError),
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

type Answer = Result<RegionAnswer, Failed>;

impl Queues {
    /// Answers a worker.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let Some(request) = Request::decode(request) else {
            return replier.answer(&RegionAnswer::damaged());
        };
        let name = match &request {
            Request::Spill(..) | Request::Fetch(..) | Request::Free(..) => {
                return self.answer_auxiliary(replier, request);
            }
            Request::Write { name, .. }
            | Request::Read(name, _)
            | Request::Delete { name, .. }
            | Request::Inquire(name)
            | Request::DeleteNow(name) => *name,
            Request::List => TsQueueName::BLANK,
        };
        let Some(store) = self.uows.queues() else {
            let text = messages::ts::no_store();
            return replier.answer(&RegionAnswer::refused(Resp::IOERR, 0, text));
        };
        let command = Command {
            queues: self.clone(),
            store,
            task: replier.task_number(),
            name,
        };
        replier.answer_with(async move {
            let done = command.run(request).await;
            done.unwrap_or_else(|failed| command.refused(failed))
        });
    }

    /// Makes the tables, and looks for queues whose time is over from now on.
    pub(crate) async fn recover(self: &Arc<Self>) -> Result<(), StoreError> {
        self.begin_expiry();
        let Some(store) = self.uows.queues() else {
            return Ok(());
        };
        store.define(QUEUES).await?;
        store.define(ITEMS).await?;
        Ok(())
    }
}

impl Command {
    async fn run(&self, request: Request) -> Answer {
        match request {
            Request::Write {
                dtimout_ms,
                transid,
                rewrite,
                data,
                ..
            } => self.write(dtimout_ms, transid, rewrite, data).await,
            Request::Read(_, item) => self.read(item).await,
            Request::Delete { dtimout_ms, .. } => self.delete(dtimout_ms).await,
            Request::DeleteNow(_) => self.delete_now().await,
            Request::Inquire(_) => self.inquire().await,
            Request::List => self.list().await,
            // Answered without a store.
            Request::Spill(..) | Request::Fetch(..) | Request::Free(..) => {
                Ok(RegionAnswer::damaged())
            }
        }
    }

    async fn write(
        &self,
        dtimout_ms: u64,
        transid: TransId,
        rewrite: Option<u32>,
        data: Vec<u8>,
    ) -> Answer {
        let uow = self.queues.uows.current(self.task);
        self.store
            .lock(uow, QUEUES, self.name.as_bytes(), self.until(dtimout_ms))
            .await?;
        let header = self.header(Some(uow)).await?;
        let mut before = 0;
        let (mut header, item) = if let Some(item) = rewrite {
            let header = header.ok_or(Failed::Condition(Resp::QIDERR))?;
            if !(1..=header.count).contains(&item) {
                return Err(Failed::Condition(Resp::ITEMERR));
            }
            before = self.item(Some(uow), item).await?.map_or(0, |old| old.len());
            (header, item)
        } else {
            let mut header = header.unwrap_or_else(|| new_header(transid, false));
            if header.count >= ITEMS_MAX {
                return Err(Failed::Condition(Resp::ITEMERR));
            }
            header.count += 1;
            let item = header.count;
            (header, item)
        };
        header.item_written(data.len(), before);
        self.stage(uow, ITEMS, &self.key(item), Change::Put(data))
            .await?;
        let stored = Change::Put(header.encode());
        self.stage(uow, QUEUES, self.name.as_bytes(), stored)
            .await?;
        Ok(RegionAnswer::with(&header.count))
    }

    async fn read(&self, item: Option<u32>) -> Answer {
        let uow = self.queues.uows.existing(self.task);
        let header = self.header(uow).await?;
        let header = header.ok_or(Failed::Condition(Resp::QIDERR))?;
        let cursors = &self.queues.cursors;
        let item = match item {
            None => lock(cursors).get(&self.name).map_or(1, |cursor| cursor + 1),
            Some(item) => item,
        };
        if !(1..=header.count).contains(&item) {
            return Err(Failed::Condition(Resp::ITEMERR));
        }
        let data = self.item(uow, item).await?;
        let data = data.ok_or(Failed::Condition(Resp::ITEMERR))?;
        self.queues.set_cursor(self.name, item);
        let count = header.count;
        Ok(RegionAnswer::with(&Read { count, data }))
    }

    async fn delete(&self, dtimout_ms: u64) -> Answer {
        let uow = self.queues.uows.current(self.task);
        self.store
            .lock(uow, QUEUES, self.name.as_bytes(), self.until(dtimout_ms))
            .await?;
        self.stage_deletion(uow).await
    }

    /// Whatever the task's own unit of work becomes.
    async fn delete_now(&self) -> Answer {
        let uow = self.queues.uows.separate();
        let done = async {
            self.store
                .lock(uow, QUEUES, self.name.as_bytes(), Wait::No)
                .await?;
            let done = self.stage_deletion(uow).await?;
            self.store.commit(uow).await?;
            Ok(done)
        };
        let done = done.await;
        if done.is_err() {
            self.store.release(uow);
        }
        match done {
            Err(Failed::Store(StoreError::Busy)) => Ok(RegionAnswer::refused(
                Resp::INVREQ,
                1,
                "the queue is in use",
            )),
            done => done,
        }
    }

    async fn stage_deletion(&self, uow: UowId) -> Answer {
        let header = self.header(Some(uow)).await?;
        let header = header.ok_or(Failed::Condition(Resp::QIDERR))?;
        for item in 1..=header.count {
            self.stage(uow, ITEMS, &self.key(item), Change::Delete)
                .await?;
        }
        self.stage(uow, QUEUES, self.name.as_bytes(), Change::Delete)
            .await?;
        lock(&self.queues.cursors).remove(&self.name);
        Ok(RegionAnswer::normal())
    }

    async fn inquire(&self) -> Answer {
        let header = self.header(None).await?;
        let header = header.ok_or(Failed::Condition(Resp::QIDERR))?;
        Ok(RegionAnswer::with(&header))
    }

    async fn list(&self) -> Answer {
        let mut names: Vec<TsQueueName> = Vec::new();
        loop {
            let last = names.last();
            let from = last.map_or(Bound::Unbounded, |name| {
                Bound::Excluded(&name.as_bytes()[..])
            });
            let rows = self
                .store
                .scan(None, QUEUES, from, b"", Direction::Forward, BATCH);
            let rows = rows.await?;
            if rows.is_empty() {
                return Ok(RegionAnswer::with(&names));
            }
            let keys = rows
                .iter()
                .filter_map(|row| TsQueueName::try_from(&row.key[..]).ok());
            names.extend(keys);
        }
    }

    async fn header(&self, uow: Option<UowId>) -> Result<Option<Header>, StoreError> {
        let row = self
            .store
            .read(uow, QUEUES, self.name.as_bytes(), Match::Equal, Lock::None)
            .await?;
        Ok(row.and_then(|row| Header::decode(&row.record)))
    }

    async fn item(&self, uow: Option<UowId>, item: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let row = self
            .store
            .read(uow, ITEMS, &self.key(item), Match::Equal, Lock::None)
            .await?;
        Ok(row.map(|row| row.record))
    }

    /// The name is locked, so nobody else holds a record of the queue.
    async fn stage(
        &self,
        uow: UowId,
        table: &str,
        key: &[u8],
        change: Change,
    ) -> Result<(), StoreError> {
        self.store.stage(uow, table, key, change, Wait::No).await
    }

    fn key(&self, item: u32) -> Vec<u8> {
        [&self.name.as_bytes()[..], &item.to_be_bytes()].concat()
    }

    fn refused(&self, failed: Failed) -> RegionAnswer {
        let error = match failed {
            Failed::Condition(resp) => return RegionAnswer::refused(resp, 0, ""),
            Failed::Store(error) => error,
        };
        let name = String::from_utf8_lossy(self.name.as_bytes());
        let text = messages::ts::refused(name.trim_end(), &error).to_string();
        let resp = match error {
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
    /// How long the task waits for a queue; 0: without end.
    fn until(&self, dtimout_ms: u64) -> Wait {
        match dtimout_ms {
            0 => Wait::Forever,
            ms => Wait::Until(self.queues.kernel.clock.after(Duration::from_millis(ms))),
        }
    }
}
