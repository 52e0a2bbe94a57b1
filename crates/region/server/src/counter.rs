//! Named counters in the store: they outlive the region, however it ends.
//!
//! What: [`Counters::answer`] changes a counter, where workers can read it and no program can
//! store, and answers when the store has it; the start takes all of them up. Why the store and not
//! an orderly end: on z/OS counters lie in a coupling facility and know nothing of regions, so
//! neither kill -9 nor a cold start takes them away, and a number that was given never comes again.
//! One writer at a time writes what all tasks changed meanwhile, so many of them wait for one
//! flush. Not here: what a command makes of a counter (`transom_wire::counter`); a store in memory
//! keeps nothing.

use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::syncpoint::UnitsOfWork;
use std::collections::HashMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;
use transom_messages::{self as messages, Message};
use transom_recovery::{Change, Direction, StoreError, UowStore, Wait, Write};
use transom_types::Resp;
use transom_wire::counter::{Counter, CounterKey, Request};
use transom_wire::requests::RegionAnswer;

/// Counters read in one piece.
const BATCH: usize = 1_000;
/// First byte of a record: how the rest is written.
const FORM: u8 = 1;

/// The service.
pub(crate) struct Counters {
    kernel: Arc<Kernel>,
    uows: Arc<UnitsOfWork>,
    changed: Mutex<Changed>,
}

/// Counters that were changed since the writer last looked, with the tasks that wait for them.
#[derive(Default)]
struct Changed {
    waiting: HashMap<CounterKey, Vec<oneshot::Sender<bool>>>,
    /// A writer runs and looks once more before it ends.
    written: bool,
}

impl Counters {
    pub(crate) fn new(kernel: Arc<Kernel>, uows: Arc<UnitsOfWork>) -> Self {
        Self {
            kernel,
            uows,
            changed: Mutex::default(),
        }
    }

    /// Takes up the counters of earlier runs, before the first task.
    ///
    /// # Errors
    /// The region must not run: numbers would come twice.
    pub(crate) fn open_now(&self) -> Result<(), Message> {
        let Some(store) = self.store() else {
            return Ok(());
        };
        transom_recovery::wait(self.open(&*store)).map_err(|e| messages::sm::counters_not_read(&e))
    }

    async fn open(&self, store: &dyn UowStore) -> Result<(), StoreError> {
        let table = self.table();
        store.define(&table).await?;
        let mut after: Option<Vec<u8>> = None;
        loop {
            let from = after
                .as_ref()
                .map_or(Bound::Unbounded, |key| Bound::Excluded(&key[..]));
            let rows = store
                .scan(None, &table, from, b"", Direction::Forward, BATCH)
                .await?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            after = Some(last.key.clone());
            for row in &rows {
                let key = CounterKey::try_from(&row.key[..]).ok();
                let counter = match row.record.split_first() {
                    Some((&FORM, record)) => Counter::decode(record),
                    _ => None,
                };
                let sound = counter.filter(Counter::is_sound);
                let (Some(key), Some(counter)) = (key, sound) else {
                    return Err(StoreError::Damaged {
                        table,
                        key: row.key.clone(),
                    });
                };
                if !counter.install(self.kernel.shared(), &key) {
                    return Err(StoreError::Limit("shared storage for named counters"));
                }
            }
        }
    }

    /// Answers a worker.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let Some(request) = Request::decode(request) else {
            return replier.answer(&RegionAnswer::damaged());
        };
        let (tell, told) = oneshot::channel();
        let (number, begin) = {
            let mut changed = lock(&self.changed);
            let done = request.carry_out(self.kernel.shared());
            let store = self.store().filter(|_| done.is_ok());
            let begin = store.map(|store| {
                let key = *request.key();
                changed.waiting.entry(key).or_default().push(tell);
                let runs = std::mem::replace(&mut changed.written, true);
                (store, !runs)
            });
            (done, begin)
        };
        let number = match number {
            Ok(number) => number,
            Err((resp, resp2)) => return replier.answer(&RegionAnswer::refused(resp, resp2, "")),
        };
        let Some((store, writes)) = begin else {
            return replier.answer(&RegionAnswer::with(&number));
        };
        if writes {
            // Not part of the answer: a purge of the task that asked ends that, and others wait.
            let service = self.clone();
            tokio::spawn(async move { service.write(&*store).await });
        }
        replier.answer_with(async move {
            match told.await {
                Ok(true) => RegionAnswer::with(&number),
                _ => RegionAnswer::refused(Resp::INVREQ, 303, ""),
            }
        });
    }

    /// Writes until nobody has changed anything meanwhile.
    async fn write(&self, store: &dyn UowStore) {
        loop {
            let waiting = {
                let mut changed = lock(&self.changed);
                changed.written = !changed.waiting.is_empty();
                if !changed.written {
                    return;
                }
                std::mem::take(&mut changed.waiting)
            };
            // As they are now: what these tasks have changed is part of it.
            let table = self.table();
            let writes = waiting.keys().map(|key| {
                let now = Counter::find(self.kernel.shared(), key);
                let change = now.map_or(Change::Erase, |counter| {
                    Change::Put([&[FORM], &counter.encode()[..]].concat())
                });
                Write::new(&*table, *key, change)
            });
            let done = store.write_now(None, writes.collect(), Wait::No).await;
            if let Err(error) = &done {
                self.kernel.tell(messages::sm::counters_not_kept(error));
            }
            for task in waiting.into_values().flatten() {
                // A task that was purged does not listen.
                let _gone = task.send(done.is_ok());
            }
        }
    }

    /// The store, if it outlives the region.
    fn store(&self) -> Option<Arc<dyn UowStore>> {
        self.uows.store().filter(|store| store.caps().durable)
    }

    /// Regions that share a store keep apart what is their own.
    fn table(&self) -> String {
        format!("counters/{}", self.kernel.system.applid)
    }
}
