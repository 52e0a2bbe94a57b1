//! Who runs when: ready queues, the QR token, idle workers.
//!
//! What: the few operations on the queues in shared memory, called by the region (attach, death)
//! and by workers (end of task, wait, change of TCB mode). Why here: a worker that ends a task
//! takes the next one itself, so that under load nobody is woken. Not here: MXT, classes, time-outs
//! (`region/server`), and how a worker sleeps ([`crate::worker`]).
//!
//! At most one worker holds the QR token; only it runs application code of QUASIRENT programs. A
//! worker keeps the token from one QUASIRENT task to the next.

mod counter;
mod queues;
mod sound;
mod supply;
#[cfg(test)]
mod tests;

use crate::shm::layout::{Queues, Slot, state, worker};
use crate::shm::lock::Held;
use crate::shm::{Segment, nudge};
use counter::decrement;
use std::sync::atomic::{Ordering::Relaxed, Ordering::SeqCst};

/// What must happen after the dispatch lock is given back.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// Slots of workers that were given something.
    pub(crate) wake: Vec<usize>,
    /// A ready task has no worker: the supervisor should ask for one.
    pub(crate) want_worker: bool,
}

impl Effects {
    /// Wakes workers that were given something.
    pub(crate) fn wake(&self, segment: &Segment) {
        for slot in &self.wake {
            nudge(segment.slot(*slot));
        }
    }
}

/// What a worker leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lost {
    pub(crate) task: usize,
    /// It was given to the worker and neither waited nor had ended.
    pub(crate) ran: bool,
}

/// The queues of a segment.
#[derive(Clone, Copy)]
pub(crate) struct Dispatch<'a> {
    segment: &'a Segment,
}

/// A ready queue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Queue {
    /// QUASIRENT tasks that wait for a worker and the token.
    Qr,
    /// Tasks that have a worker and wait for the token.
    Resume,
    /// THREADSAFE tasks that wait for a worker.
    Open,
}

impl<'a> Dispatch<'a> {
    pub(crate) fn new(segment: &'a Segment) -> Self {
        Self { segment }
    }

    /// Puts an attached task in its queue and starts what can start.
    pub(crate) fn attach(&self, task: usize) -> Effects {
        let _held = self.lock();
        let block = self.segment.task(task);
        block
            .arrival
            .store(self.queues().arrivals.fetch_add(1, Relaxed), Relaxed);
        block.state.store(state::READY, SeqCst);
        self.enqueue(task);
        let mut effects = Effects::default();
        self.start_ready(&mut effects);
        effects
    }

    /// Gives a worker without task its next one; without any it is in the idle list afterwards.
    pub(crate) fn next(&self, me: usize) -> (Option<usize>, Effects) {
        let _held = self.lock();
        let slot = self.segment.slot(me);
        let mut effects = Effects::default();
        if slot.state.load(Relaxed) == worker::STARTING {
            decrement(&self.queues().starting);
        }
        let task = self.take_ready(me, &mut effects);
        match task {
            Some(task) => self.give(me, task),
            None => self.push_idle(me),
        }
        self.start_ready(&mut effects);
        (task, effects)
    }

    /// The task of this worker is over: only a THREADSAFE one was counted in a queue.
    pub(crate) fn over(&self, task: usize) {
        if self.segment.task(task).counted.load(Relaxed) != 0 {
            let _held = self.lock();
            self.uncount(task);
        }
        self.segment.task(task).state.store(state::DONE, SeqCst);
    }

    /// A worker will end by itself: others get what it holds without waiting for its death.
    pub(crate) fn step_down(&self, me: usize) -> Effects {
        let _held = self.lock();
        let mut effects = Effects::default();
        self.segment.slot(me).state.store(worker::LEAVING, SeqCst);
        self.drop_token(me);
        self.start_ready(&mut effects);
        effects
    }

    /// A worker leaves (by itself or dead): what it held goes on. Answers the task it had, which
    /// only the lock can tell: until then others may give a dead idle worker one.
    pub(crate) fn leave(&self, me: usize) -> (Option<Lost>, Effects) {
        let held = self.lock();
        let mut effects = Effects::default();
        let slot = self.segment.slot(me);
        if slot.state.load(Relaxed) == worker::STARTING {
            decrement(&self.queues().starting);
        }
        let given = (slot.task.swap(0, SeqCst) as usize).checked_sub(1);
        let lost = given.filter(|task| self.belongs(*task, me));
        let lost = lost.map(|task| self.lose(task));
        slot.state.store(worker::FREE, Relaxed);
        self.drop_token(me);
        // The worker may stand in the idle list, its task in a queue: rare, so make all again.
        if held.holder_died || given.is_some() || self.in_idle(me) {
            self.rebuild();
        }
        self.start_ready(&mut effects);
        // It may have died after it gave somebody something and before it woke them.
        let alive = |i: &usize| self.segment.slot(*i).state.load(Relaxed) != worker::FREE;
        effects.wake.extend((0..self.segment.slots()).filter(alive));
        (lost, effects)
    }

    /// A task that has ended stays so: its end is told, and its block free, at any moment.
    fn lose(&self, task: usize) -> Lost {
        self.uncount(task);
        let block = self.segment.task(task);
        let before = block.state.load(SeqCst);
        if matches!(before, state::RUNNING | state::RESUME | state::WAITING) {
            block.state.store(state::LOST, SeqCst);
        }
        let ran = before == state::RUNNING;
        Lost { task, ran }
    }

    /// The task is this worker's, and not ended and given out again since. The state comes first: a
    /// block that is used again has another worker before its state changes.
    pub(crate) fn belongs(&self, task: usize, me: usize) -> bool {
        task < self.segment.tasks()
            && self.segment.task(task).state.load(SeqCst) != state::FREE
            && self.segment.task(task).worker.load(SeqCst) == me as u32 + 1
    }

    /// The task of this worker begins to wait: others may run.
    pub(crate) fn wait_begins(&self, me: usize, task: usize) -> Effects {
        let _held = self.lock();
        let mut effects = Effects::default();
        self.segment.task(task).state.store(state::WAITING, SeqCst);
        may_die_here();
        self.uncount(task);
        self.drop_token(me);
        may_die_here();
        self.start_ready(&mut effects);
        effects
    }

    /// Its wait is over. `true`: it runs; `false`: it is in the QR queue and runs once
    /// [`Dispatch::holds_token`].
    pub(crate) fn wait_ends(&self, me: usize, task: usize, quasirent: bool) -> bool {
        let _held = self.lock();
        self.run_or_queue(me, task, quasirent)
    }

    /// The program that runs now is of the other kind. `true`: it runs.
    pub(crate) fn change_mode(&self, me: usize, task: usize, quasirent: bool) -> (bool, Effects) {
        let _held = self.lock();
        let mut effects = Effects::default();
        if quasirent {
            self.uncount(task);
        } else {
            self.drop_token(me);
        }
        let runs = self.run_or_queue(me, task, quasirent);
        self.start_ready(&mut effects);
        (runs, effects)
    }

    /// Lets other ready QUASIRENT tasks of the same or a higher priority go first. `true`: nobody
    /// was waiting, it goes on at once.
    pub(crate) fn give_turn(&self, me: usize, task: usize) -> (bool, Effects) {
        let _held = self.lock();
        let mut effects = Effects::default();
        if self.first_qr().is_none() || !self.holds_token(me) {
            return (true, effects);
        }
        self.drop_token(me);
        let block = self.segment.task(task);
        block
            .arrival
            .store(self.queues().arrivals.fetch_add(1, Relaxed), Relaxed);
        block.state.store(state::RESUME, SeqCst);
        self.enqueue(task);
        self.start_ready(&mut effects);
        (self.holds_token(me), effects)
    }

    /// This worker may run QUASIRENT code.
    pub(crate) fn holds_token(&self, me: usize) -> bool {
        self.queues().qr_holder.load(SeqCst) == me as u32 + 1
    }

    pub(super) fn queues(&self) -> &'a Queues {
        &self.segment.header().queues
    }

    fn lock(&self) -> Held<'a> {
        let held = self.segment.header().dispatch.lock();
        if held.holder_died {
            self.rebuild();
        }
        held
    }

    /// Makes a task run on a worker. The slot's task number is stored last: it is what the worker
    /// looks at. A slot that is busy without a task shows [`Dispatch::rebuild`] a gift half given.
    fn give(&self, me: usize, task: usize) {
        let block = self.segment.task(task);
        let slot: &Slot = self.segment.slot(me);
        block.worker.store(me as u32 + 1, SeqCst);
        may_die_here();
        slot.state.store(worker::BUSY, SeqCst);
        may_die_here();
        block.state.store(state::RUNNING, SeqCst);
        may_die_here();
        slot.task.store(task as u32 + 1, SeqCst);
        may_die_here();
    }

    fn count(&self, task: usize) {
        if self.segment.task(task).counted.swap(1, Relaxed) == 0 {
            self.queues().open_running.fetch_add(1, Relaxed);
        }
    }

    fn uncount(&self, task: usize) {
        if self.segment.task(task).counted.swap(0, Relaxed) != 0 {
            decrement(&self.queues().open_running);
        }
    }

    fn drop_token(&self, me: usize) {
        if self.holds_token(me) {
            self.queues().qr_holder.store(0, SeqCst);
        }
    }

    fn run_or_queue(&self, me: usize, task: usize, quasirent: bool) -> bool {
        let block = self.segment.task(task);
        if !quasirent {
            self.count(task);
        } else if self.queues().qr_holder.load(Relaxed) == 0 {
            self.queues().qr_holder.store(me as u32 + 1, SeqCst);
        } else if !self.holds_token(me) {
            block
                .arrival
                .store(self.queues().arrivals.fetch_add(1, Relaxed), Relaxed);
            block.state.store(state::RESUME, SeqCst);
            may_die_here();
            self.enqueue(task);
            return false;
        }
        may_die_here();
        block.state.store(state::RUNNING, SeqCst);
        true
    }

    fn open_has_room(&self) -> bool {
        self.queues().open_running.load(Relaxed) < self.segment.places().open_limit
    }

    /// The next task for a worker that has none. It may hold the token from its last task.
    fn take_ready(&self, me: usize, effects: &mut Effects) -> Option<usize> {
        let q = self.queues();
        if self.holds_token(me) || q.qr_holder.load(Relaxed) == 0 {
            match self.first_qr() {
                Some(Queue::Resume) => self.resume_first(effects),
                Some(_) => {
                    if let Some(task) = self.pop(Queue::Qr) {
                        may_die_here();
                        q.qr_holder.store(me as u32 + 1, SeqCst);
                        q.qr_short.store(0, Relaxed);
                        return Some(task);
                    }
                    self.drop_token(me);
                }
                None => self.drop_token(me),
            }
        }
        if self.open_has_room() {
            let task = self.pop(Queue::Open)?;
            self.count(task);
            may_die_here();
            return Some(task);
        }
        None
    }

    /// Hands the token to the worker of the first task that waits for it.
    fn resume_first(&self, effects: &mut Effects) {
        let Some(task) = self.pop(Queue::Resume) else {
            return;
        };
        let block = self.segment.task(task);
        let owner = block.worker.load(Relaxed);
        may_die_here();
        self.queues().qr_holder.store(owner, SeqCst);
        may_die_here();
        block.state.store(state::RUNNING, SeqCst);
        may_die_here();
        if let Some(slot) = (owner as usize).checked_sub(1) {
            effects.wake.push(slot);
        }
    }

    fn start_ready(&self, effects: &mut Effects) {
        let q = self.queues();
        // A list that a program made a circle of must not hold the lock for ever.
        let mut left = self.segment.tasks();
        while q.qr_holder.load(Relaxed) == 0
            && left > 0
            && let Some(first) = self.first_qr()
        {
            left -= 1;
            if first == Queue::Resume {
                self.resume_first(effects);
            } else if let Some(me) = self.pop_idle() {
                let Some(task) = self.pop(Queue::Qr) else {
                    break;
                };
                q.qr_holder.store(me as u32 + 1, SeqCst);
                q.qr_short.store(0, Relaxed);
                may_die_here();
                self.give(me, task);
                effects.wake.push(me);
            } else {
                // All workers may be taken by tasks behind it: they must go on, or nobody does.
                effects.want_worker = true;
                q.qr_short.store(1, Relaxed);
                self.resume_first(effects);
                break;
            }
        }
        left = left.max(1);
        while left > 0 && self.open_has_room() && self.peek(Queue::Open).is_some() {
            left -= 1;
            let Some(me) = self.pop_idle() else {
                effects.want_worker = true;
                break;
            };
            if let Some(task) = self.pop(Queue::Open) {
                self.count(task);
                may_die_here();
                self.give(me, task);
                effects.wake.push(me);
            }
        }
    }
}

/// Between two stores of which another process may see only the first. Tests let a worker die here.
#[inline]
fn may_die_here() {
    #[cfg(test)]
    tests::die_if_chosen();
}
