//! How many workers there should be: what the supervisor asks before it starts or ends some.

use super::counter::decrement;
use super::{Dispatch, Queue};
use crate::shm::layout::worker;
use std::sync::atomic::{Ordering::Relaxed, Ordering::SeqCst};

impl Dispatch<'_> {
    /// Workers the zygote should be asked for, `room` at most; counts them as starting.
    pub(crate) fn wanted(&self, min_idle: usize, room: usize) -> usize {
        let _held = self.lock();
        let q = self.queues();
        self.count_supply();
        let mut need = 0;
        let short = q.qr_holder.load(Relaxed) == 0 || q.qr_short.load(Relaxed) != 0;
        if short && q.qr_head.load(Relaxed) != 0 {
            need += 1;
        }
        let free_open = self
            .segment
            .places()
            .open_limit
            .saturating_sub(q.open_running.load(Relaxed));
        need += self.length(Queue::Open).min(free_open as usize);
        let coming = q.starting.load(Relaxed) as usize + q.idle_count.load(Relaxed) as usize;
        let wanted = (need + min_idle).saturating_sub(coming).min(room);
        q.starting.fetch_add(wanted as u32, Relaxed);
        wanted
    }

    /// Makes the counts again: by one that is wrong nobody might ever be asked for.
    fn count_supply(&self) {
        let slots = (0..self.segment.slots()).map(|i| self.segment.slot(i));
        let starting = slots.filter(|s| s.state.load(Relaxed) == worker::STARTING);
        let mut idle = 0;
        let mut at = self.queues().idle_head.load(Relaxed) as usize;
        while at != 0 && idle < self.segment.slots() {
            idle += 1;
            at = self.segment.slot(at - 1).idle_next.load(Relaxed) as usize;
        }
        self.queues()
            .starting
            .store(starting.count() as u32, Relaxed);
        self.queues().idle_count.store(idle as u32, Relaxed);
    }

    /// A worker that was counted as starting will not come.
    pub(crate) fn not_coming(&self, workers: usize) {
        let _held = self.lock();
        (0..workers).for_each(|_| decrement(&self.queues().starting));
    }

    /// Takes the worker that was idle longest out of the idle list, to end it.
    pub(crate) fn retire_idle(&self) -> Option<usize> {
        let _held = self.lock();
        let mut link = &self.queues().idle_head;
        let mut at = link.load(Relaxed) as usize;
        for _ in 0..self.segment.slots() {
            let slot = self.segment.slot(at.checked_sub(1)?);
            if slot.idle_next.load(Relaxed) == 0 {
                link.store(0, Relaxed);
                decrement(&self.queues().idle_count);
                slot.state.store(worker::LEAVING, SeqCst);
                return Some(at - 1);
            }
            link = &slot.idle_next;
            at = link.load(Relaxed) as usize;
        }
        None
    }

    /// Idle workers now.
    pub(crate) fn idle(&self) -> usize {
        self.queues().idle_count.load(Relaxed) as usize
    }
}
