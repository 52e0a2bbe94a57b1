//! Units of work: which task works in which, and how they end.
//!
//! What: a task's unit of work begins when something first asks for it ([`current`]) and ends by a
//! syncpoint, a backout or the end of the task. Services that must act when the outcome is known
//! leave a hook ([`at_commit`], [`at_backout`]). Why here: the region process is the only writer of
//! the store, so it owns the units. Not here: locks, overlays and group commit
//! (`transom_recovery`), the commands (`crate::syncpoint`).

mod inquire;

use super::Inner;
use super::clock::Clock;
use super::config::{DataConfig, StoreHandle};
use super::services::{Replier, lock};
use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockWriteGuard};
use std::task::{Context, Poll, Wake, Waker};
use transom_datasets::LocalOptions;
use transom_messages as messages;
use transom_recovery::{InDoubt, MemoryStore, Settings, StoreError, UowId, UowStore};
use transom_types::{AbendCode, Applid, Resp};
use transom_wire::requests::RegionAnswer;
use transom_wire::syncpoint::Request;

/// Hooks of one unit of work; [`at_commit`] and [`at_backout`] refuse more.
pub(crate) const HOOKS_MAX: usize = 100_000;

/// Runs once, on a thread of the region, after the outcome is durable.
pub(crate) type Hook = Box<dyn FnOnce(&Arc<Inner>) + Send>;

/// State of the service.
#[derive(Default)]
pub(crate) struct UnitsOfWork {
    /// `None` before the region has started and after it has stopped.
    store: RwLock<Option<Arc<dyn UowStore>>>,
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
    at_commit_aside: Vec<Hook>,
    at_commit: Vec<Hook>,
    at_backout: Vec<Hook>,
}

impl UnitsOfWork {
    /// Opens the store. In-doubt units of earlier runs keep their locks. The error is a message.
    pub(super) fn open(
        &self,
        config: &DataConfig,
        applid: Applid,
        clock: &Arc<dyn Clock>,
    ) -> Result<(), String> {
        let store = open_store(config)?;
        let doubtful = block_on(store.in_doubt()).map_err(|e| not_opened(&e))?;
        for InDoubt { uow, .. } in &doubtful {
            store.retain(*uow);
        }
        let highest = doubtful.iter().map(|unit| unit.uow.number).max();
        // The clock keeps numbers of different runs apart: nobody begins a unit each nanosecond.
        let now = clock.unix_ns();
        self.next
            .store(now.max(highest.unwrap_or(0) + 1), Ordering::Relaxed);
        // Set once: a region opens its store once.
        let _first = self.applid.set(applid);
        *write(&self.store) = Some(store);
        Ok(())
    }

    /// The store; `None` before the region has opened it and after it has stopped. Do not keep it.
    pub(crate) fn store(&self) -> Option<Arc<dyn UowStore>> {
        let store = self.store.read();
        store.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets go of the store: another region may open it. Units of work under way are lost, as after
    /// a crash.
    pub(super) fn close(&self) {
        *write(&self.store) = None;
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
        at_commit_aside: Vec::new(),
        at_commit: Vec::new(),
        at_backout: Vec::new(),
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

/// Runs the hook after the task's unit of work is committed, in the order given. `false`: the limit
/// [`HOOKS_MAX`] is reached and the hook will not run.
#[must_use]
pub(crate) fn at_commit(
    inner: &Inner,
    task_number: u32,
    hook: impl FnOnce(&Arc<Inner>) + Send + 'static,
) -> bool {
    add_hook(inner, task_number, hook, |unit| &mut unit.at_commit)
}

/// As [`at_commit`], before those hooks and before the task goes on, on a thread that may wait for
/// a device.
#[must_use]
pub(crate) fn at_commit_aside(
    inner: &Inner,
    task_number: u32,
    hook: impl FnOnce(&Arc<Inner>) + Send + 'static,
) -> bool {
    add_hook(inner, task_number, hook, |unit| &mut unit.at_commit_aside)
}

/// Runs the hook after the task's unit of work is backed out. `false` as for [`at_commit`].
#[must_use]
pub(crate) fn at_backout(
    inner: &Inner,
    task_number: u32,
    hook: impl FnOnce(&Arc<Inner>) + Send + 'static,
) -> bool {
    add_hook(inner, task_number, hook, |unit| &mut unit.at_backout)
}

fn add_hook(
    inner: &Inner,
    task_number: u32,
    hook: impl FnOnce(&Arc<Inner>) + Send + 'static,
    hooks: impl FnOnce(&mut Unit) -> &mut Vec<Hook>,
) -> bool {
    current(inner, task_number);
    let mut units = lock(&inner.services.uows.units);
    let Some(hooks) = units.get_mut(&task_number).map(hooks) else {
        return false;
    };
    let room = hooks.len() < HOOKS_MAX;
    if room {
        hooks.push(Box::new(hook));
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
    let (Some(unit), Some(store)) = (unit, inner.services.uows.store()) else {
        return replier.answer(&RegionAnswer::normal());
    };
    let region = inner.clone();
    match commits {
        true => to_the_end(replier, commit(region, store, unit)),
        false => to_the_end(replier, async move {
            back_out(&region, &*store, unit).await;
            RegionAnswer::normal()
        }),
    }
}

async fn commit(inner: Arc<Inner>, store: Arc<dyn UowStore>, unit: Unit) -> RegionAnswer {
    let Err(error) = store.commit(unit.id).await else {
        inner
            .services
            .uows
            .committed
            .fetch_add(1, Ordering::Relaxed);
        run_aside(&inner, unit.at_commit_aside).await;
        unit.at_commit.into_iter().for_each(|hook| hook(&inner));
        return RegionAnswer::normal();
    };
    let unknown = matches!(error, StoreError::Unknown(_));
    if unknown || matches!(error, StoreError::Io(_) | StoreError::Closed) {
        // A failed flush: whether the change is on the disk shows only at the next start.
        let text = messages::rm::outcome_not_known(unit.id, &error);
        inner.tell(text.clone());
        if unknown {
            // A partner that is away; what the region itself keeps can be trusted.
            store.release(unit.id);
        } else if store.caps().shared_map {
            // The disk of the region itself: nothing it says is to be trusted any more.
            inner.services.shutdown.ask(true);
        }
        return RegionAnswer::abend(AbendCode::from_field(b"ASP1"), text);
    }
    let text = messages::rm::not_committed(unit.id, &error);
    inner.tell(text.clone());
    back_out(&inner, &*store, unit).await;
    RegionAnswer::refused(Resp::ROLLEDBACK, 0, text)
}

/// The thread that serves the tasks of the region must not wait for a device.
async fn run_aside(inner: &Arc<Inner>, hooks: Vec<Hook>) {
    if hooks.is_empty() {
        return;
    }
    let region = inner.clone();
    let work = move || hooks.into_iter().for_each(|hook| hook(&region));
    match tokio::runtime::Handle::try_current() {
        // A panic was said where it happened.
        Ok(runtime) => drop(runtime.spawn_blocking(work).await),
        Err(_) => work(),
    }
}

async fn back_out(inner: &Arc<Inner>, store: &dyn UowStore, unit: Unit) {
    if store.backout(unit.id).await.is_err() {
        // What the store cannot back out in order it forgets; locks must not stay.
        store.release(unit.id);
    }
    inner
        .services
        .uows
        .backed_out
        .fetch_add(1, Ordering::Relaxed);
    unit.at_backout.into_iter().for_each(|hook| hook(inner));
}

/// A task is over: what it left open is backed out.
pub(super) fn task_ended(inner: &Arc<Inner>, task_number: u32) {
    let Some(unit) = inner.services.uows.take(task_number) else {
        return;
    };
    if let Some(store) = inner.services.uows.store() {
        store.release(unit.id);
    }
    unit.at_backout.into_iter().for_each(|hook| hook(inner));
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
        Err(_) => replier.answer(&block_on(future)),
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

pub(super) fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// Folder of a store that workers can map for reading; empty: they have to ask.
pub(super) fn readable_dir(config: &DataConfig) -> String {
    let folder = config.store.as_ref().and_then(|folder| folder.to_str());
    folder.unwrap_or_default().to_owned()
}

fn not_opened(error: &StoreError) -> String {
    messages::rm::store_not_opened(error).to_string()
}

/// Runs a future of the store on this thread. Only for the start of the region and threads without
/// a runtime.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(std::thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::park();
    }
}
