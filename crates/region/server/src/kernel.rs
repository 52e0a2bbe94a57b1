//! What every service of a region stands on: time, shared memory, the operator, the facts of the
//! region.
//!
//! What: one value that each service keeps a handle on. Why: a service names what it uses, and
//! none of this knows a service. Not here: tasks (`tasks`), services.

use crate::workers::SharedMemory;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use transom_messages::{Crowd, Line, Message, Operator, Pace, Who};
use transom_region_dispatcher::Clock;
use transom_region_monitoring::{Departures, Gone};
use transom_wire::definitions::{SystemEntry, TaskEntry};

/// Messages with one id that come within this time are counted together.
const TOGETHER: Duration = Duration::from_secs(60);
/// Between two lines about a work that takes long.
const LINE_EVERY: Duration = Duration::from_secs(2);

/// The region without its services.
pub(crate) struct Kernel {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) system: SystemEntry,
    pub(crate) operator: Operator,
    crowd: Arc<Crowd>,
    shared: SharedMemory,
    initializing: AtomicBool,
    quiescing: AtomicBool,
    stopping: AtomicBool,
    runaway_ms: AtomicU64,
    pub(crate) departures: Departures,
}

impl Kernel {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        system: SystemEntry,
        shared: SharedMemory,
        operator: Operator,
    ) -> Self {
        Self {
            crowd: Arc::default(),
            clock,
            runaway_ms: AtomicU64::new(system.runaway_ms),
            system,
            operator,
            shared,
            initializing: AtomicBool::new(false),
            quiescing: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            departures: Departures::default(),
        }
    }

    /// Region-wide data.
    pub(crate) fn shared(&self) -> &SharedMemory {
        &self.shared
    }

    /// The time for who is handed it.
    pub(crate) fn now(&self) -> transom_region_dispatcher::Now {
        let clock = self.clock.clone();
        Box::new(move || clock.now())
    }

    /// Tells the operator.
    pub(crate) fn tell(&self, line: impl Into<Line>) {
        self.operator.tell(line);
    }

    /// A line about a task that runs, with whose it is.
    pub(crate) fn of_task(&self, line: Line, task_number: u32) -> Line {
        let task = TaskEntry::find(self.shared(), task_number);
        let who = task.and_then(|task| {
            let terminal = task.terminal.as_str();
            Who::new(task.transid.as_str(), terminal, task.userid.as_str())
        });
        line.of_task(task_number).by(who)
    }

    /// When lines about a long work are due.
    pub(crate) fn pace(&self) -> Pace {
        Pace::of(LINE_EVERY, self.clock.now())
    }

    /// Tells the operator what programs can cause as often as they like: the first of a minute,
    /// then how many there were.
    pub(crate) fn tell_few(&self, message: Message) {
        let is_first = self.crowd.tell(&self.operator, message.into());
        let (true, Ok(runtime)) = (is_first, tokio::runtime::Handle::try_current()) else {
            return;
        };
        let (crowd, operator) = (self.crowd.clone(), self.operator.clone());
        let over = self.clock.sleep(TOGETHER);
        runtime.spawn(async move {
            over.await;
            crowd.tell_rest(&operator);
        });
    }

    /// RUNAWAY of transactions that say SYSTEM, in milliseconds.
    pub(crate) fn runaway_ms(&self) -> u64 {
        self.runaway_ms.load(Ordering::Relaxed)
    }

    /// SET SYSTEM RUNAWAY: tasks that are attached from now on have it.
    pub(crate) fn set_runaway_ms(&self, ms: u64) {
        self.runaway_ms.store(ms, Ordering::Relaxed);
    }

    /// Programs of PLTPI run: what they START waits, unless they say ATTACH.
    pub(crate) fn is_initializing(&self) -> bool {
        self.initializing.load(Ordering::Relaxed)
    }

    /// Programs of PLTPI are about to run, or have.
    pub(crate) fn set_initializing(&self, runs: bool) {
        self.initializing.store(runs, Ordering::SeqCst);
    }

    /// The first quiesce stage has begun: terminals start only what is SHUTDOWN(ENABLED).
    pub(crate) fn is_quiescing(&self) -> bool {
        self.quiescing.load(Ordering::Relaxed)
    }

    /// From now on the region is about to end.
    pub(crate) fn quiesce(&self) {
        self.quiescing.store(true, Ordering::SeqCst);
    }

    /// A resource goes. One of a region that ends has been told with the end of the day.
    pub(crate) fn gone(&self, gone: &Gone<'_>) {
        if !self.is_stopping() {
            self.departures.tell(gone);
        }
    }

    /// The region takes no more work.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// From now on no more work is taken.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.crowd.tell_rest(&self.operator);
    }
}
