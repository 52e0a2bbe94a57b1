//! Who may run: MXT, transaction classes, priority, and the queues in front of them.
//!
//! What: admission of tasks before they get a worker. A task first needs a place in its class
//! (MAXACTIVE), then one of the MXT places; waiting tasks go by priority, then by arrival, as CICS
//! does. Which of
//! them goes first: `waiting`. Not here: the QR token and processors (`transom_workers`), where
//! priorities do not rise.

use crate::places::{ClassCounts, Counts};
use crate::waiting::{Now, Start, Time, Waiting};
use std::collections::{BinaryHeap, HashMap};
use std::sync::Mutex;
use transom_recovery::guard::lock;
use transom_types::TransClass;
use transom_wire::definitions::ClassLimit;

/// A task with its places.
struct Ready {
    class: Option<TransClass>,
    start: Start,
}

/// Why a task is not even queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAdmitted {
    /// The queue of waiting tasks is full.
    QueueFull,
    /// PURGETHRESH of the class was reached.
    ClassThreshold,
}

#[derive(Debug)]
pub struct Dispatcher(Mutex<State>);

#[derive(Debug)]
struct State {
    time: Time,
    max_tasks: u32,
    queue_max: usize,
    sequence: u64,
    /// How often places were given to tasks that waited, from 1.
    fills: u64,
    waiting: BinaryHeap<Waiting>,
    classes: HashMap<TransClass, Class>,
    counts: Counts,
}

#[derive(Debug)]
struct Class {
    counts: ClassCounts,
    waiting: BinaryHeap<Waiting>,
}

impl Class {
    fn new(limit: ClassLimit) -> Self {
        let counts = ClassCounts::new(limit);
        Self {
            counts,
            waiting: BinaryHeap::new(),
        }
    }
}

impl Dispatcher {
    pub fn new(max_tasks: u32, queue_max: usize, classes: Vec<ClassLimit>) -> Self {
        let classes = classes
            .into_iter()
            .map(|limit| (limit.name, Class::new(limit)))
            .collect();
        Self(Mutex::new(State {
            time: Time::default(),
            max_tasks,
            queue_max,
            sequence: 0,
            fills: 1,
            waiting: BinaryHeap::new(),
            classes,
            counts: Counts::default(),
        }))
    }

    /// Priorities of waiting tasks rise by one in so many milliseconds of this clock.
    pub fn with_aging(self, now: Now, aging_ms: u64) -> Self {
        self.with(|state| state.time = Time::new(now, aging_ms));
        self
    }

    /// Changes PRTYAGE, also for tasks that wait.
    pub fn set_priority_aging(&self, aging_ms: u64) {
        self.with(|state| {
            if state.time.aging_ms == aging_ms {
                return;
            }
            state.time.aging_ms = aging_ms;
            let time = &state.time;
            let queues = state.classes.values_mut().map(|class| &mut class.waiting);
            for queue in queues.chain([&mut state.waiting]) {
                let ranked = std::mem::take(queue).into_iter().map(|waiting| Waiting {
                    rank: time.rank(waiting.priority, waiting.came_ms),
                    ..waiting
                });
                *queue = ranked.collect();
            }
        });
    }

    /// Runs `start` now or when a place is free. A class without definition does not limit.
    pub fn admit(
        &self,
        class: Option<TransClass>,
        priority: u8,
        start: Start,
    ) -> Result<(), NotAdmitted> {
        let ready = self.with(|state| state.enter(class, priority, start))?;
        self.run(ready.into_iter().collect());
        Ok(())
    }

    /// A task ended: its places go to whoever waits longest with the highest priority.
    pub fn ended(&self, class: Option<TransClass>) {
        self.run(self.with(|state| state.leave(class)));
    }

    /// Changes MXT; more places are used at once, fewer as tasks end.
    pub fn set_max_tasks(&self, max_tasks: u32) {
        self.run(self.with(|state| {
            state.max_tasks = max_tasks;
            state.fill()
        }));
    }

    /// A loop, not a recursion: thousands of tasks may turn out not to start.
    fn run(&self, mut ready: Vec<Ready>) {
        while let Some(Ready { class, start }) = ready.pop() {
            if !start() {
                ready.extend(self.with(|state| state.leave(class)));
            }
        }
    }

    /// Changes MAXACTIVE or PURGETHRESH of a class; waiting tasks that fit now go on when one of
    /// the class ends. `false`: no such class.
    pub fn set_class(
        &self,
        name: TransClass,
        max_active: Option<u32>,
        purge_threshold: Option<u32>,
    ) -> bool {
        let ready = self.with(|state| {
            let class = state.classes.get_mut(&name)?;
            let limit = &mut class.counts.limit;
            limit.max_active = max_active.unwrap_or(limit.max_active);
            limit.purge_threshold = purge_threshold.unwrap_or(limit.purge_threshold);
            Some(state.widen(name))
        });
        let known = ready.is_some();
        self.run(ready.unwrap_or_default());
        known
    }

    /// Adds a class, or gives a known one other limits.
    pub fn install_class(&self, limit: ClassLimit) {
        let known = self.set_class(
            limit.name,
            Some(limit.max_active),
            Some(limit.purge_threshold),
        );
        if !known {
            self.with(|state| state.classes.insert(limit.name, Class::new(limit)));
        }
    }

    /// Forgets a class. `false`: tasks have a place in it or wait for one, or there is no such
    /// class.
    pub fn discard_class(&self, name: TransClass) -> bool {
        self.with(|state| {
            let class = state.classes.get(&name);
            let idle =
                class.is_some_and(|class| class.counts.active == 0 && class.counts.queued == 0);
            idle && state.classes.remove(&name).is_some()
        })
    }

    /// MXT now.
    pub fn max_tasks(&self) -> u32 {
        self.with(|state| state.max_tasks)
    }

    /// Tasks with a place.
    pub fn active(&self) -> usize {
        self.with(|state| state.counts.active)
    }

    /// Counters now.
    pub fn counts(&self) -> (Counts, Vec<ClassCounts>) {
        self.with(|state| {
            (
                state.counts,
                state.classes.values().map(|c| c.counts).collect(),
            )
        })
    }

    /// Peaks are what there is now.
    pub fn reset_peaks(&self) {
        self.with(|state| {
            let counts = &mut state.counts;
            counts.active_peak = counts.active;
            counts.queued_peak = counts.queued;
            counts.waiting_peak = counts.waiting;
            for class in state.classes.values_mut() {
                class.counts.peak = class.counts.active;
                class.counts.queued_peak = class.counts.queued;
            }
        });
    }

    /// Nothing inside panics while the lock is held, so a poisoned lock still has whole data.
    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut lock(&self.0))
    }
}

impl State {
    fn enter(
        &mut self,
        class: Option<TransClass>,
        priority: u8,
        start: Start,
    ) -> Result<Option<Ready>, NotAdmitted> {
        self.sequence += 1;
        let sequence = self.sequence;
        let (time, places) = (&self.time, self.counts.active < self.max_tasks as usize);
        let waiting = |start| {
            let came_ms = time.now_ms();
            Waiting {
                rank: time.rank(priority, came_ms),
                priority,
                came_ms,
                sequence,
                fill: 0,
                class,
                start,
            }
        };
        let queued = self.counts.queued;
        let queue_max = self.queue_max;
        if let Some(class) = class.and_then(|name| self.classes.get_mut(&name)) {
            let counts = &mut class.counts;
            counts.attached += 1;
            if counts.active >= counts.limit.max_active {
                counts.times_at_max += 1;
                let threshold = counts.limit.purge_threshold as usize;
                if threshold > 0 && class.waiting.len() >= threshold {
                    counts.purged += 1;
                    return Err(NotAdmitted::ClassThreshold);
                }
                if queued >= queue_max {
                    self.counts.times_queue_full += 1;
                    return Err(NotAdmitted::QueueFull);
                }
                counts.enter_queue();
                class.waiting.push(waiting(start));
                self.count_queued(1);
                return Ok(None);
            }
        }
        if !places {
            self.counts.times_at_max += 1;
            if queued >= queue_max {
                self.counts.times_queue_full += 1;
                return Err(NotAdmitted::QueueFull);
            }
            let waiting = waiting(start);
            self.enter_class(class);
            self.waiting.push(waiting);
            self.count_queued(1);
            self.count_waiting();
            return Ok(None);
        }
        self.enter_class(class);
        self.count_active();
        Ok(Some(Ready { class, start }))
    }

    fn leave(&mut self, class: Option<TransClass>) -> Vec<Ready> {
        self.counts.active = self.counts.active.saturating_sub(1);
        if let Some(entry) = class.and_then(|name| self.classes.get_mut(&name)) {
            let counts = &mut entry.counts;
            counts.active = counts.active.saturating_sub(1);
            if counts.active < counts.limit.max_active
                && let Some(next) = entry.waiting.pop()
            {
                // From the class queue to the MXT queue: still queued, now with a class place.
                counts.leave_queue();
                self.waiting.push(next.at_fill(self.fills));
            }
        }
        self.fill()
    }

    /// A class has more places than before.
    fn widen(&mut self, name: TransClass) -> Vec<Ready> {
        if let Some(entry) = self.classes.get_mut(&name) {
            while entry.counts.active < entry.counts.limit.max_active
                && let Some(next) = entry.waiting.pop()
            {
                entry.counts.leave_queue();
                self.waiting.push(next.at_fill(self.fills));
            }
        }
        self.fill()
    }

    fn fill(&mut self) -> Vec<Ready> {
        let mut ready = Vec::new();
        while self.counts.active < self.max_tasks as usize {
            let Some(next) = self.waiting.pop() else {
                break;
            };
            self.counts.queued -= 1;
            self.counts.waited += u64::from(next.fill < self.fills);
            self.count_active();
            ready.push(Ready {
                class: next.class,
                start: next.start,
            });
        }
        self.fills += 1;
        self.count_waiting();
        ready
    }

    /// Those that wait for MXT, as they are once all places are taken.
    fn count_waiting(&mut self) {
        self.counts.waiting = self.waiting.len();
        self.counts.waiting_peak = self.counts.waiting_peak.max(self.counts.waiting);
    }

    fn enter_class(&mut self, class: Option<TransClass>) {
        if let Some(entry) = class.and_then(|name| self.classes.get_mut(&name)) {
            entry.counts.accepted += 1;
            entry.counts.count_active();
        }
    }

    fn count_active(&mut self) {
        self.counts.admitted += 1;
        self.counts.active += 1;
        self.counts.active_peak = self.counts.active_peak.max(self.counts.active);
        if self.counts.active == self.max_tasks as usize {
            self.counts.reached_max += 1;
        }
    }

    fn count_queued(&mut self, more: usize) {
        self.counts.queued += more;
        self.counts.queued_peak = self.counts.queued_peak.max(self.counts.queued);
    }
}

#[cfg(test)]
mod tests;
