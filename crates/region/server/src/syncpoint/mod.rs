//! Units of work: which task works in which, and how they end.
//!
//! What: a task's unit of work begins when something first asks for it ([`current`]) and ends by a
//! syncpoint, a backout or the end of the task; the [`SyncpointManager`] ends it at all who take
//! part. Services that must act when the outcome is known subscribe to it ([`subscribe`]); they
//! cannot refuse. Why here: the region process is the only writer of the store, so it owns the
//! units. Not here: locks, overlays, group commit and two-phase commit (`transom_recovery`), the
//! commands (`region/commands`).

mod inquire;

use super::Inner;
use super::clock::Clock;
use super::config::{DataConfig, StoreHandle};
use super::replier::{Replier, lock};
use super::starter::Ending;
use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::task::{Context, Poll, Waker};
use transom_datasets::LocalOptions;
use transom_messages::{self as messages, Operator};
use transom_recovery::guard::{read, write};
use transom_recovery::{
    InDoubt, Managed, MemoryStore, Outcome, Settings, StoreError, SyncpointManager, UowId,
    UowStore, wait,
};
use transom_types::{AbendCode, Applid, Resp};
use transom_wire::requests::RegionAnswer;
use transom_wire::syncpoint::Request;

/// Subscribers of one unit of work, and those who go aside; more are refused.
pub(crate) const SUBSCRIBERS_MAX: usize = 100_000;

/// Learns, once, on a thread of the region, how a unit of work ended: after a commit when it is
/// durable, after a backout when the changes are gone.
pub(crate) type Subscriber = Box<dyn FnOnce(&Arc<Inner>, Outcome) + Send>;

/// Runs after a commit before all subscribers, on a thread that may wait for a device.
type Aside = Box<dyn FnOnce(&Arc<Inner>) + Send>;

/// State of the service.
#[derive(Default)]
pub(crate) struct UnitsOfWork {
    /// `None` before the region has started and after it has stopped.
    open: RwLock<Option<Managed>>,
    applid: OnceLock<Applid>,
    /// Number of the next unit of work.
    next: AtomicU64,
    /// By task number.
    units: Mutex<HashMap<u32, Unit>>,
    committed: AtomicU64,
    backed_out: AtomicU64,
}

struct Unit {
    id: UowId,
    aside: Vec<Aside>,
    subscribers: Vec<Subscriber>,
}

impl UnitsOfWork {
    /// Opens the store. In-doubt units of earlier runs keep their locks. The error is a message.
    pub(super) fn open(
        &self,
        config: &DataConfig,
        applid: Applid,
        clock: &Arc<dyn Clock>,
        operator: &Operator,
    ) -> Result<(), String> {
        let opened =
            Managed::new(open_store(config)?, operator.clone()).map_err(|e| not_opened(&e))?;
        let doubtful = wait(opened.manager.in_doubt()).map_err(|e| not_opened(&e))?;
        for InDoubt { uow, .. } in &doubtful {
            opened.manager.retain(*uow);
        }
        let highest = doubtful.iter().map(|unit| unit.uow.number).max();
        // The clock keeps numbers of different runs apart: nobody begins a unit each nanosecond.
        let now = clock.unix_ns();
        self.next
            .store(now.max(highest.unwrap_or(0) + 1), Ordering::Relaxed);
        // Set once: a region opens its store once.
        let _first = self.applid.set(applid);
        *write(&self.open) = Some(opened);
        Ok(())
    }

    /// The store; `None` before the region has opened it and after it has stopped. Do not keep it.
    pub(crate) fn store(&self) -> Option<Arc<dyn UowStore>> {
        read(&self.open).as_ref().map(|open| open.store.clone())
    }

    /// Who ends units of work; `None` and not to be kept, as the store.
    pub(super) fn manager(&self) -> Option<Arc<dyn SyncpointManager>> {
        read(&self.open).as_ref().map(|open| open.manager.clone())
    }

    /// Lets go of the store: another region may open it. Units of work under way are lost, as after
    /// a crash.
    pub(super) fn close(&self) {
        *write(&self.open) = None;
    }

    /// Units of work committed and backed out so far, and those under way.
    pub(super) fn counts(&self) -> (u64, u64, usize) {
        (
            self.committed.load(Ordering::Relaxed),
            self.backed_out.load(Ordering::Relaxed),
            lock(&self.units).len(),
        )
    }

    fn take(&self, task_number: u32) -> Option<Unit> {
        lock(&self.units).remove(&task_number)
    }
}

/// Units of work under way: task and number.
pub(super) fn under_way(inner: &Inner) -> Vec<(u32, u64)> {
    let units = lock(&inner.services.uows.units);
    let facts = |(task, unit): (&u32, &Unit)| (*task, unit.id.number);
    units.iter().map(facts).collect()
}

/// The unit of work of a task; begins it when there is none. The worker has to set `task.uow_open`,
/// or nobody commits it.
pub(crate) fn current(inner: &Inner, task_number: u32) -> UowId {
    let uows = &inner.services.uows;
    let mut units = lock(&uows.units);
    let unit = units.entry(task_number).or_insert_with(|| Unit {
        id: separate(inner),
        aside: Vec::new(),
        subscribers: Vec::new(),
    });
    unit.id
}

/// A unit of work that belongs to no task. Who asks for it has to end it.
pub(crate) fn separate(inner: &Inner) -> UowId {
    let uows = &inner.services.uows;
    UowId::new(
        uows.applid.get().copied().unwrap_or(Applid::BLANK),
        uows.next.fetch_add(1, Ordering::Relaxed),
    )
}

/// The unit of work of a task, if it has begun.
pub(crate) fn existing(inner: &Inner, task_number: u32) -> Option<UowId> {
    let units = lock(&inner.services.uows.units);
    units.get(&task_number).map(|unit| unit.id)
}

/// Subscribes to the end of the task's unit of work; who came first learns first. `false`: the
/// limit [`SUBSCRIBERS_MAX`] is reached, and it will not learn of it.
#[must_use]
pub(crate) fn subscribe(
    inner: &Inner,
    task_number: u32,
    learns: impl FnOnce(&Arc<Inner>, Outcome) + Send + 'static,
) -> bool {
    let one: Subscriber = Box::new(learns);
    add(inner, task_number, one, |unit| &mut unit.subscribers)
}

/// Subscribes to a commit only, on a thread that may wait for a device: before [`subscribe`]d ones
/// and before the task goes on. `false` as there.
#[must_use]
pub(crate) fn subscribe_aside(
    inner: &Inner,
    task_number: u32,
    learns: impl FnOnce(&Arc<Inner>) + Send + 'static,
) -> bool {
    let one: Aside = Box::new(learns);
    add(inner, task_number, one, |unit| &mut unit.aside)
}

fn add<T>(
    inner: &Inner,
    task_number: u32,
    one: T,
    all: impl FnOnce(&mut Unit) -> &mut Vec<T>,
) -> bool {
    current(inner, task_number);
    let mut units = lock(&inner.services.uows.units);
    let Some(all) = units.get_mut(&task_number).map(all) else {
        return false;
    };
    let room = all.len() < SUBSCRIBERS_MAX;
    if room {
        all.push(one);
    }
    room
}

/// Answers a worker: COMMIT or BACKOUT.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let commits = match Request::decode(request) {
        Some(Request::Commit) => true,
        Some(Request::Backout) => false,
        Some(other) => return inquire::answer(inner, replier, other),
        None => return replier.answer(&RegionAnswer::damaged()),
    };
    let unit = inner.services.uows.take(replier.task_number());
    let (Some(unit), Some(open)) = (unit, read(&inner.services.uows.open).clone()) else {
        return replier.answer(&RegionAnswer::normal());
    };
    let region = inner.clone();
    match commits {
        true => to_the_end(replier, commit(region, open, unit)),
        false => to_the_end(replier, async move {
            back_out(&region, &*open.manager, unit).await;
            RegionAnswer::normal()
        }),
    }
}

async fn commit(inner: Arc<Inner>, open: Managed, unit: Unit) -> RegionAnswer {
    let Managed { store, manager } = open;
    let Err(error) = manager.commit(unit.id).await else {
        inner
            .services
            .uows
            .committed
            .fetch_add(1, Ordering::Relaxed);
        run_aside(&inner, unit.aside).await;
        tell(&inner, unit.subscribers, Outcome::Commit);
        return RegionAnswer::normal();
    };
    let unknown = matches!(error, StoreError::Unknown(_));
    if unknown || matches!(error, StoreError::Io(_) | StoreError::Closed) {
        // A failed flush: whether the change is on the disk shows only at the next start.
        let text = messages::rm::outcome_not_known(unit.id, &error);
        inner.tell(text.clone());
        if unknown {
            // A partner that is away; what the region itself keeps can be trusted.
            manager.release(unit.id);
        } else if store.caps().shared_map {
            // The disk of the region itself: nothing it says is to be trusted any more.
            inner.services.shutdown.ask(true);
        }
        return RegionAnswer::abend(AbendCode::from_field(b"ASP1"), text);
    }
    let text = messages::rm::not_committed(unit.id, &error);
    inner.tell(text.clone());
    back_out(&inner, &*manager, unit).await;
    RegionAnswer::refused(Resp::ROLLEDBACK, 0, text)
}

/// The thread that serves the tasks of the region must not wait for a device.
async fn run_aside(inner: &Arc<Inner>, aside: Vec<Aside>) {
    if aside.is_empty() {
        return;
    }
    let region = inner.clone();
    let work = move || aside.into_iter().for_each(|learns| learns(&region));
    match tokio::runtime::Handle::try_current() {
        // A panic was said where it happened.
        Ok(runtime) => drop(runtime.spawn_blocking(work).await),
        Err(_) => work(),
    }
}

fn tell(inner: &Arc<Inner>, subscribers: Vec<Subscriber>, outcome: Outcome) {
    let all = subscribers.into_iter();
    all.for_each(|learns| learns(inner, outcome));
}

async fn back_out(inner: &Arc<Inner>, manager: &dyn SyncpointManager, unit: Unit) {
    if manager.backout(unit.id).await.is_err() {
        // What the store cannot back out in order it forgets; locks must not stay.
        manager.release(unit.id);
    }
    inner
        .services
        .uows
        .backed_out
        .fetch_add(1, Ordering::Relaxed);
    tell(inner, unit.subscribers, Outcome::Backout);
}

/// A task is over: what it left open is backed out.
pub(super) fn task_ended(inner: &Arc<Inner>, task_number: u32, ending: Ending) {
    if ending == Ending::WorkerDied
        && let Some(store) = inner.services.uows.store()
    {
        // The place of the worker among the readers of the store is free again.
        store.reader_died();
    }
    let Some(unit) = inner.services.uows.take(task_number) else {
        return;
    };
    if let Some(manager) = inner.services.uows.manager() {
        manager.release(unit.id);
    }
    tell(inner, unit.subscribers, Outcome::Backout);
}

/// Answers when the future is ready; unlike `Replier::answer_with` no purge drops it, since half an
/// end of a unit of work must not stay.
fn to_the_end(replier: Replier, future: impl Future<Output = RegionAnswer> + Send + 'static) {
    let mut future = Box::pin(future);
    let mut context = Context::from_waker(Waker::noop());
    if let Poll::Ready(answer) = future.as_mut().poll(&mut context) {
        return replier.answer(&answer);
    }
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn(async move { replier.answer(&future.await) })),
        Err(_) => replier.answer(&wait(future)),
    }
}

fn open_store(config: &DataConfig) -> Result<Arc<dyn UowStore>, String> {
    if let Some(StoreHandle(store)) = &config.opened {
        return Ok(store.clone());
    }
    let Some(folder) = &config.store else {
        return Ok(Arc::new(MemoryStore::in_memory(config.memory_bytes_max)));
    };
    let options = LocalOptions {
        map_bytes: config.map_bytes,
        ..LocalOptions::default()
    };
    match transom_datasets::open_local(folder, options, Settings::default()) {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(not_opened(&error)),
    }
}

/// Folder of a store that workers can map for reading; empty: they have to ask.
pub(super) fn readable_dir(config: &DataConfig) -> String {
    let folder = config.store.as_ref().and_then(|folder| folder.to_str());
    folder.unwrap_or_default().to_owned()
}

fn not_opened(error: &StoreError) -> String {
    messages::rm::store_not_opened(error).to_string()
}
