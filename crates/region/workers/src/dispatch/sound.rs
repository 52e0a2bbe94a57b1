//! Whether queues, lists and counts are what the states of tasks and workers say.
//!
//! What: a look under the lock, and all of it made again when something cannot be. Why: a program
//! can store over them, and whoever a list has lost, or a count keeps out, would wait for ever. Not
//! here: tasks and workers that fit nowhere (`pool::looks`).

use super::{Dispatch, Effects, Queue};
use crate::shm::layout::{state, worker};
use std::sync::atomic::{Ordering::Relaxed, Ordering::SeqCst};

impl Dispatch<'_> {
    /// Makes the queues again if something in them cannot be, and starts what can start.
    pub(crate) fn mend(&self) -> Option<Effects> {
        let _held = self.lock();
        if self.is_sound() {
            return None;
        }
        self.rebuild();
        if !self.token_can_be() {
            let runs = |me: &usize| {
                let task = (self.segment.slot(*me).task.load(SeqCst) as usize).checked_sub(1);
                task.is_some_and(|task| self.belongs(task, *me) && self.runs_under_token(task))
            };
            let runner = (0..self.segment.slots()).find(runs);
            let holder = runner.map_or(0, |me| me as u32 + 1);
            self.queues().qr_holder.store(holder, SeqCst);
        }
        let mut effects = Effects::default();
        self.start_ready(&mut effects);
        Some(effects)
    }

    /// A task that waits for the token and that the token passed by waits in its queue again.
    pub(crate) fn queue_again(&self, me: usize, task: usize) {
        if self.holds_token(me) {
            return;
        }
        let _held = self.lock();
        if self.segment.task(task).state.load(SeqCst) == state::RUNNING {
            self.uncount(task);
            self.run_or_queue(me, task, true);
        }
    }

    fn is_sound(&self) -> bool {
        self.token_can_be() && self.counts_can_be() && self.queues_can_be() && self.idle_can_be()
    }

    /// The holder of the token has a task that runs under it, or is between two tasks: then its
    /// slot names none, or one that is over and may be somebody else's by now.
    fn token_can_be(&self) -> bool {
        let holder = self.queues().qr_holder.load(Relaxed) as usize;
        let Some(me) = holder.checked_sub(1) else {
            return true;
        };
        if me >= self.segment.slots() {
            return false;
        }
        let slot = self.segment.slot(me);
        match (slot.task.load(SeqCst) as usize).checked_sub(1) {
            Some(task) if self.belongs(task, me) => self.runs_under_token(task),
            _ => slot.state.load(Relaxed) == worker::BUSY,
        }
    }

    fn runs_under_token(&self, task: usize) -> bool {
        let block = self.segment.task(task);
        // Nobody begins to wait without the lock; but it may end meanwhile, and its end be told.
        let state = block.state.load(SeqCst);
        let runs = matches!(state, state::RUNNING | state::DONE | state::FREE);
        runs && block.counted.load(Relaxed) == 0
    }

    fn counts_can_be(&self) -> bool {
        let counted = (0..self.segment.tasks()).filter(|task| {
            let block = self.segment.task(*task);
            block.counted.load(Relaxed) != 0
        });
        counted.count() as u32 == self.queues().open_running.load(Relaxed)
    }

    fn queues_can_be(&self) -> bool {
        let mut queued = vec![false; self.segment.tasks()];
        for queue in [Queue::Qr, Queue::Resume, Queue::Open] {
            let (head, tail) = self.ends(queue);
            let (mut at, mut last) = (head.load(Relaxed) as usize, 0);
            while let Some(task) = at.checked_sub(1) {
                // A circle ends where it began.
                if !self.may_stand_in(queue, task) || std::mem::replace(&mut queued[task], true) {
                    return false;
                }
                last = at;
                at = self.segment.task(task).next.load(Relaxed) as usize;
            }
            if tail.load(Relaxed) as usize != last {
                return false;
            }
        }
        (0..self.segment.tasks()).all(|task| {
            let waits = matches!(
                self.segment.task(task).state.load(Relaxed),
                state::READY | state::RESUME
            );
            waits == queued[task]
        })
    }

    fn idle_can_be(&self) -> bool {
        let q = self.queues();
        let (mut at, mut count) = (q.idle_head.load(Relaxed) as usize, 0);
        while let Some(me) = at.checked_sub(1) {
            if !self.is_idle(me) || count == self.segment.slots() {
                return false;
            }
            count += 1;
            at = self.segment.slot(me).idle_next.load(Relaxed) as usize;
        }
        let idle = (0..self.segment.slots()).filter(|me| self.is_idle(*me));
        count == idle.count() && count as u32 == q.idle_count.load(Relaxed)
    }
}
