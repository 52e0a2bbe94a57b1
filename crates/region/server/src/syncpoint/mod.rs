//! Units of work: which task works in which, and how they end.
//!
//! What: a task's unit of work begins when something first asks for it ([`UnitsOfWork::current`])
//! and ends by a syncpoint, a backout or the end of the task; the [`SyncpointManager`] ends it at
//! all who take part. Services that must act when the outcome is known subscribe to it
//! ([`UnitsOfWork::subscribe`]); they cannot refuse. Why here: the region process is the only
//! writer of the store, so it owns the units. Not here: locks, overlays, group commit and two-phase
//! commit (`transom_recovery`), the commands (`region/commands`).

mod branch;
mod inquire;
mod store;

pub(crate) use store::{Opened, open, readable_dir};

use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::shutdown::Shutdown;
use super::starter::{Ending, TaskEvents};
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::task::{Context, Poll, Waker};
use transom_messages as messages;
use transom_recovery::guard::{read, write};
use transom_recovery::{
    Managed, Outcome, OwnTables, StoreError, SyncpointManager, UowId, UowStore, wait,
};
use transom_region_api::StatisticsGroup;
use transom_region_dispatcher::ByTask;
use transom_region_monitoring::group;
use transom_types::{AbendCode, Resp};
use transom_wire::requests::RegionAnswer;
use transom_wire::syncpoint::Request;

/// Subscribers of one unit of work, and those who go aside; more are refused.
pub(crate) const SUBSCRIBERS_MAX: usize = 100_000;

/// Learns, once, on a thread of the region, how a unit of work ended: after a commit when it is
/// durable, after a backout when the changes are gone.
type Subscriber = Box<dyn FnOnce(Outcome) + Send>;

/// Runs after a commit before all subscribers, on a thread that may wait for a device.
type Aside = Box<dyn FnOnce() + Send>;

/// The service.
pub(crate) struct UnitsOfWork {
    kernel: Arc<Kernel>,
    shutdown: Arc<Shutdown>,
    /// `None` after the region has stopped.
    open: RwLock<Option<Managed>>,
    /// Number of the next unit of work.
    next: AtomicU64,
    /// By task number.
    units: Mutex<ByTask<Unit>>,
    /// Prepared ones of mirrors, with their tasks.
    prepared: Mutex<Vec<(u32, Unit)>>,
    committed: AtomicU64,
    backed_out: AtomicU64,
}

struct Unit {
    id: UowId,
    /// What the task was told is done was refused: it cannot be committed.
    doomed: bool,
    aside: Vec<Aside>,
    subscribers: Vec<Subscriber>,
}

impl UnitsOfWork {
    pub(crate) fn new(kernel: Arc<Kernel>, shutdown: Arc<Shutdown>, opened: Opened) -> Self {
        // The clock keeps numbers of different runs apart: nobody begins a unit each nanosecond.
        let next = kernel.clock.unix_ns().max(opened.highest_in_doubt + 1);
        Self {
            kernel,
            shutdown,
            open: RwLock::new(Some(opened.managed)),
            next: AtomicU64::new(next),
            units: Mutex::default(),
            prepared: Mutex::default(),
            committed: AtomicU64::new(0),
            backed_out: AtomicU64::new(0),
        }
    }

    /// The store; `None` after the region has stopped. Do not keep it.
    pub(crate) fn store(&self) -> Option<Arc<dyn UowStore>> {
        read(&self.open).as_ref().map(|open| open.store.clone())
    }

    /// The store as queues and START requests have it: their tables are this region's alone.
    pub(crate) fn queues(&self) -> Option<Arc<dyn UowStore>> {
        let store = self.store()?;
        Some(OwnTables::of(store, self.kernel.system.applid.as_str()))
    }

    /// Who ends units of work; `None` and not to be kept, as the store.
    pub(crate) fn manager(&self) -> Option<Arc<dyn SyncpointManager>> {
        read(&self.open).as_ref().map(|open| open.manager.clone())
    }

    /// Lets go of the store: another region may open it. Units of work under way are lost, as after
    /// a crash.
    pub(crate) fn close(&self) {
        *write(&self.open) = None;
        // Who subscribed to them holds on to services, and those to this one.
        let lost = std::mem::take(&mut *lock(&self.units));
        drop(lost);
        let prepared = std::mem::take(&mut *lock(&self.prepared));
        drop(prepared);
    }

    /// Units of work under way: task and number.
    pub(crate) fn under_way(&self) -> Vec<(u32, u64)> {
        let units = lock(&self.units);
        let facts = |(task, unit): (&u32, &Unit)| (*task, unit.id.number);
        units.iter().map(facts).collect()
    }

    /// Units of work so far.
    pub(crate) fn statistics(&self) -> StatisticsGroup {
        group(
            "units of work",
            &[
                ("active", lock(&self.units).len() as u64),
                ("committed", self.committed.load(Ordering::Relaxed)),
                ("backed_out", self.backed_out.load(Ordering::Relaxed)),
            ],
        )
    }

    /// The store and each of its limits; nothing after the region has stopped.
    pub(crate) fn store_statistics(&self) -> Vec<StatisticsGroup> {
        let Some(store) = self.store() else {
            return Vec::new();
        };
        let stats = store.stats();
        let figures = [
            ("commits", stats.commits),
            ("backouts", stats.backouts),
            ("direct_writes", stats.writes_now),
            ("groups", stats.groups),
            ("lock_waits", stats.lock_waits),
            ("lock_timeouts", stats.lock_timeouts),
            ("deadlocks", stats.deadlocks),
            ("retained_refusals", stats.retained_refusals),
        ];
        let limits = stats.limits.iter().map(|limit| {
            let figures = [
                ("now", limit.now),
                ("peak", limit.peak),
                ("limit", limit.limit),
                ("times_at_limit", limit.reached),
            ];
            group(limit.name, &figures)
        });
        let space = stats.space.map(|space| {
            let figures = [
                ("net_bytes", space.net),
                ("free_bytes", space.free),
                ("file_bytes", space.file),
                ("disk_bytes", space.disk),
            ];
            group("store space", &figures)
        });
        let all = std::iter::once(group("record store", &figures));
        all.chain(space).chain(limits).collect()
    }

    fn counted(&self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Commit => &self.committed,
            Outcome::Backout => &self.backed_out,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn take(&self, task_number: u32) -> Option<Unit> {
        lock(&self.units).remove(&task_number)
    }
}

impl UnitsOfWork {
    /// The unit of work of a task; begins it when there is none. The worker has to set
    /// `task.uow_open`, or nobody commits it.
    pub(crate) fn current(&self, task_number: u32) -> UowId {
        let mut units = lock(&self.units);
        let unit = units.entry(task_number).or_insert_with(|| Unit {
            id: self.separate(),
            doomed: false,
            aside: Vec::new(),
            subscribers: Vec::new(),
        });
        unit.id
    }

    /// A unit of work that belongs to no task. Who asks for it has to end it.
    pub(crate) fn separate(&self) -> UowId {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        UowId::new(self.kernel.system.applid, number)
    }

    /// The unit of work of a task, if it has begun.
    pub(crate) fn existing(&self, task_number: u32) -> Option<UowId> {
        let units = lock(&self.units);
        units.get(&task_number).map(|unit| unit.id)
    }

    /// The unit of work of a task can only be backed out: a commit of it is refused.
    pub(crate) fn doom(&self, task_number: u32) {
        self.current(task_number);
        if let Some(unit) = lock(&self.units).get_mut(&task_number) {
            unit.doomed = true;
        }
    }

    /// Subscribes to the end of the task's unit of work; who came first learns first. `false`: the
    /// limit [`SUBSCRIBERS_MAX`] is reached, and it will not learn of it.
    #[must_use]
    pub(crate) fn subscribe(
        &self,
        task_number: u32,
        learns: impl FnOnce(Outcome) + Send + 'static,
    ) -> bool {
        let one: Subscriber = Box::new(learns);
        self.add(task_number, one, |unit| &mut unit.subscribers)
    }

    /// Subscribes to a commit only, on a thread that may wait for a device: before
    /// [`UnitsOfWork::subscribe`]d ones and before the task goes on. `false` as there.
    #[must_use]
    pub(crate) fn subscribe_aside(
        &self,
        task_number: u32,
        learns: impl FnOnce() + Send + 'static,
    ) -> bool {
        let one: Aside = Box::new(learns);
        self.add(task_number, one, |unit| &mut unit.aside)
    }

    fn add<T>(&self, task_number: u32, one: T, all: impl FnOnce(&mut Unit) -> &mut Vec<T>) -> bool {
        self.current(task_number);
        let mut units = lock(&self.units);
        let Some(all) = units.get_mut(&task_number).map(all) else {
            return false;
        };
        let room = all.len() < SUBSCRIBERS_MAX;
        if room {
            all.push(one);
        }
        room
    }
}

impl UnitsOfWork {
    /// Answers a worker: COMMIT or BACKOUT, INQUIRE and SET UOW.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let commits = match Request::decode(request) {
            Some(Request::Commit) => true,
            Some(Request::Backout) => false,
            Some(other) => return self.answer_inquiry(replier, other),
            None => return replier.answer(&RegionAnswer::damaged()),
        };
        let unit = self.take(replier.task_number());
        let (Some(unit), Some(open)) = (unit, read(&self.open).clone()) else {
            return replier.answer(&RegionAnswer::normal());
        };
        let service = self.clone();
        match commits {
            true => to_the_end(replier, async move { service.commit(open, unit).await }),
            false => to_the_end(replier, async move {
                service.back_out(&*open.manager, unit).await;
                RegionAnswer::normal()
            }),
        }
    }

    async fn commit(&self, open: Managed, unit: Unit) -> RegionAnswer {
        let Managed { store, manager } = open;
        if unit.doomed {
            // Its task has been told why.
            self.back_out(&*manager, unit).await;
            return RegionAnswer::refused(Resp::ROLLEDBACK, 0, "");
        }
        let Err(error) = manager.commit(unit.id).await else {
            self.counted(Outcome::Commit);
            run_aside(unit.aside).await;
            tell(unit.subscribers, Outcome::Commit);
            return RegionAnswer::normal();
        };
        let unknown = matches!(error, StoreError::Unknown(_));
        if unknown || matches!(error, StoreError::Io(_) | StoreError::Closed) {
            // A failed flush: whether the change is on the disk shows only at the next start.
            let text = messages::rm::outcome_not_known(unit.id, &error);
            self.kernel.tell(text.clone());
            if unknown {
                // A partner that is away; what the region itself keeps can be trusted.
                manager.release(unit.id);
            } else if store.caps().shared_map {
                // The disk of the region itself: nothing it says is to be trusted any more.
                self.shutdown.ask(true);
            }
            return RegionAnswer::abend(AbendCode::from_field(b"ASP1"), text);
        }
        let text = messages::rm::not_committed(unit.id, &error);
        self.kernel.tell(text.clone());
        self.back_out(&*manager, unit).await;
        RegionAnswer::refused(Resp::ROLLEDBACK, 0, text)
    }

    async fn back_out(&self, manager: &dyn SyncpointManager, unit: Unit) {
        if manager.backout(unit.id).await.is_err() {
            // What the store cannot back out in order it forgets; locks must not stay.
            manager.release(unit.id);
        }
        self.counted(Outcome::Backout);
        tell(unit.subscribers, Outcome::Backout);
    }
}

impl TaskEvents for UnitsOfWork {
    /// A task is over: what it left open is backed out.
    fn task_ended(&self, task_number: u32, _: Ending) {
        let Some(unit) = self.take(task_number) else {
            return;
        };
        if let Some(manager) = self.manager() {
            manager.release(unit.id);
        }
        tell(unit.subscribers, Outcome::Backout);
    }
}

/// The thread that serves the tasks of the region must not wait for a device.
async fn run_aside(aside: Vec<Aside>) {
    if aside.is_empty() {
        return;
    }
    let work = move || aside.into_iter().for_each(|learns| learns());
    match tokio::runtime::Handle::try_current() {
        // A panic was said where it happened.
        Ok(runtime) => drop(runtime.spawn_blocking(work).await),
        Err(_) => work(),
    }
}

fn tell(subscribers: Vec<Subscriber>, outcome: Outcome) {
    subscribers.into_iter().for_each(|learns| learns(outcome));
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
