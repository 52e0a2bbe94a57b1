//! The lists under the dispatch lock, and how they are made again after a death inside.

use super::counter::decrement;
use super::{Dispatch, Queue, may_die_here};
use crate::shm::layout::{TaskBlock, state, worker};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed, Ordering::SeqCst};

impl<'a> Dispatch<'a> {
    pub(super) fn ends(&self, queue: Queue) -> (&'a AtomicU32, &'a AtomicU32) {
        let q = self.queues();
        match queue {
            Queue::Qr => (&q.qr_head, &q.qr_tail),
            Queue::Resume => (&q.resume_head, &q.resume_tail),
            Queue::Open => (&q.open_head, &q.open_tail),
        }
    }

    pub(super) fn queue_of(block: &TaskBlock) -> Queue {
        if block.state.load(Relaxed) == state::RESUME {
            Queue::Resume
        } else if block.quasirent.load(Relaxed) != 0 {
            Queue::Qr
        } else {
            Queue::Open
        }
    }

    /// By priority, then arrival. Almost always at the end.
    pub(super) fn enqueue(&self, task: usize) {
        let block = self.segment.task(task);
        let (head, tail) = self.ends(Self::queue_of(block));
        let priority = block.priority.load(Relaxed);
        block.next.store(0, Relaxed);
        let last = tail.load(Relaxed) as usize;
        if last == 0 {
            head.store(task as u32 + 1, Relaxed);
            may_die_here();
            tail.store(task as u32 + 1, Relaxed);
            return;
        }
        if self.segment.task(last - 1).priority.load(Relaxed) >= priority {
            self.segment
                .task(last - 1)
                .next
                .store(task as u32 + 1, Relaxed);
            tail.store(task as u32 + 1, Relaxed);
            return;
        }
        let mut link = head;
        for _ in 0..self.segment.tasks() {
            let at = link.load(Relaxed) as usize;
            let Some(at) = at.checked_sub(1) else { return };
            let other = self.segment.task(at);
            if other.priority.load(Relaxed) < priority {
                block.next.store(at as u32 + 1, Relaxed);
                link.store(task as u32 + 1, Relaxed);
                return;
            }
            link = &other.next;
        }
    }

    /// Takes the first out. A block in another state than its queue wants was put there by nobody:
    /// the queues are made again from the states then, and it is tried once more.
    pub(super) fn pop(&self, queue: Queue) -> Option<usize> {
        self.pop_first(queue).or_else(|| {
            self.peek(queue)?;
            self.rebuild();
            self.pop_first(queue)
        })
    }

    fn pop_first(&self, queue: Queue) -> Option<usize> {
        let (head, tail) = self.ends(queue);
        let at = (head.load(Relaxed) as usize).checked_sub(1)?;
        if !self.may_stand_in(queue, at) {
            return None;
        }
        let next = self.segment.task(at).next.load(Relaxed);
        head.store(next, Relaxed);
        may_die_here();
        if next == 0 {
            tail.store(0, Relaxed);
        }
        Some(at)
    }

    pub(super) fn may_stand_in(&self, queue: Queue, task: usize) -> bool {
        let wanted = match queue {
            Queue::Resume => state::RESUME,
            Queue::Qr | Queue::Open => state::READY,
        };
        task < self.segment.tasks() && self.segment.task(task).state.load(Relaxed) == wanted
    }

    pub(super) fn peek(&self, queue: Queue) -> Option<usize> {
        (self.ends(queue).0.load(Relaxed) as usize).checked_sub(1)
    }

    /// Whose turn under the QR TCB it is, by priority, then arrival.
    pub(super) fn first_qr(&self) -> Option<Queue> {
        let rank = |task: usize| {
            let block = self.segment.task(task);
            (
                std::cmp::Reverse(block.priority.load(Relaxed)),
                block.arrival.load(Relaxed),
            )
        };
        match (self.peek(Queue::Qr), self.peek(Queue::Resume)) {
            (Some(ready), Some(resume)) if rank(ready) < rank(resume) => Some(Queue::Qr),
            (_, Some(_)) => Some(Queue::Resume),
            (Some(_), None) => Some(Queue::Qr),
            (None, None) => None,
        }
    }

    pub(super) fn length(&self, queue: Queue) -> usize {
        let mut at = self.peek(queue);
        let mut length = 0;
        while let Some(task) = at
            && length < self.segment.tasks()
        {
            length += 1;
            at = (self.segment.task(task).next.load(Relaxed) as usize).checked_sub(1);
        }
        length
    }

    pub(super) fn push_idle(&self, me: usize) {
        let slot = self.segment.slot(me);
        slot.idle_next
            .store(self.queues().idle_head.load(Relaxed), Relaxed);
        slot.state.store(worker::IDLE, SeqCst);
        may_die_here();
        self.queues().idle_head.store(me as u32 + 1, Relaxed);
        self.queues().idle_count.fetch_add(1, Relaxed);
    }

    /// As `pop`: a worker that is not idle was put in the list by nobody.
    pub(super) fn pop_idle(&self) -> Option<usize> {
        self.pop_first_idle().or_else(|| {
            (self.queues().idle_head.load(Relaxed) != 0).then(|| self.rebuild())?;
            self.pop_first_idle()
        })
    }

    fn pop_first_idle(&self) -> Option<usize> {
        let me = (self.queues().idle_head.load(Relaxed) as usize).checked_sub(1)?;
        if !self.is_idle(me) {
            return None;
        }
        let next = self.segment.slot(me).idle_next.load(Relaxed);
        self.queues().idle_head.store(next, Relaxed);
        may_die_here();
        decrement(&self.queues().idle_count);
        Some(me)
    }

    pub(super) fn is_idle(&self, me: usize) -> bool {
        me < self.segment.slots() && {
            let slot = self.segment.slot(me);
            slot.state.load(Relaxed) == worker::IDLE && slot.task.load(Relaxed) == 0
        }
    }

    pub(super) fn in_idle(&self, me: usize) -> bool {
        let mut at = self.queues().idle_head.load(Relaxed) as usize;
        for _ in 0..self.segment.slots() {
            match at.checked_sub(1) {
                None => return false,
                Some(slot) if slot == me => return true,
                Some(slot) => at = self.segment.slot(slot).idle_next.load(Relaxed) as usize,
            }
        }
        false
    }

    /// Makes the queues again from the states of tasks and workers.
    pub(super) fn rebuild(&self) {
        let q = self.queues();
        for queue in [Queue::Qr, Queue::Resume, Queue::Open] {
            let (head, tail) = self.ends(queue);
            head.store(0, Relaxed);
            tail.store(0, Relaxed);
        }
        self.finish_gifts();
        let holder = q.qr_holder.load(Relaxed);
        let mut waiting: Vec<(u64, usize)> = Vec::new();
        let mut open = 0;
        for i in 0..self.segment.tasks() {
            let block = self.segment.task(i);
            let owner = block.worker.load(Relaxed);
            if block.state.load(Relaxed) == state::RESUME && owner == holder {
                block.state.store(state::RUNNING, SeqCst);
            }
            let now = block.state.load(Relaxed);
            if matches!(now, state::READY | state::RESUME) {
                waiting.push((block.arrival.load(Relaxed), i));
            }
            if now != state::RUNNING {
                block.counted.store(0, Relaxed);
            }
            open += block.counted.load(Relaxed).min(1);
        }
        waiting.sort_unstable();
        waiting.iter().for_each(|(_, task)| self.enqueue(*task));
        q.open_running.store(open, Relaxed);
        q.idle_head.store(0, Relaxed);
        q.idle_count.store(0, Relaxed);
        for i in 0..self.segment.slots() {
            if self.is_idle(i) {
                self.push_idle(i);
            }
        }
        if holder != 0
            && (holder as usize > self.segment.slots()
                || self.segment.slot(holder as usize - 1).task.load(Relaxed) == 0)
        {
            q.qr_holder.store(0, SeqCst);
        }
    }

    /// A giver that died between the choice of a worker and storing the task in its slot. Other
    /// workers run meanwhile: one that ends its task says so before it empties its slot, so the
    /// slot is looked at first.
    fn finish_gifts(&self) {
        for i in 0..self.segment.tasks() {
            let block = self.segment.task(i);
            let chosen = (block.worker.load(SeqCst) as usize).checked_sub(1);
            let waits = |me: &usize| {
                let slot = self.segment.slot(*me);
                slot.state.load(SeqCst) == worker::BUSY && slot.task.load(SeqCst) == 0
            };
            let chosen = chosen.filter(|me| *me < self.segment.slots());
            let chosen = chosen.filter(waits);
            match (block.state.load(SeqCst), chosen) {
                (state::READY | state::RUNNING, Some(me)) => {
                    block.state.store(state::RUNNING, SeqCst);
                    self.segment.slot(me).task.store(i as u32 + 1, SeqCst);
                }
                (state::READY, None) => block.worker.store(0, SeqCst),
                _ => {}
            }
        }
    }
}
