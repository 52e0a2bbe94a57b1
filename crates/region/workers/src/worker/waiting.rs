//! How a worker waits: for its turn, for a post, for an answer.
//!
//! What: the part of [`WorkerHost`] that sleeps, and tells the stop watch of it. Why apart: what
//! commands are offered (`host`) stands over it. Not here: who is let run (`dispatch`).

use super::host::WorkerHost;
use crate::seam::Waited;
use crate::shm::futex_wait;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};
use transom_monitoring::FieldId;
use transom_trace::Point;
use transom_types::AbendCode;

impl WorkerHost {
    /// Waits for the token, as part of the suspend time of the task.
    pub(super) fn await_turn(&mut self, clock: Option<FieldId>) {
        self.reason_is(clock);
        self.trace_wait(Point::Suspend);
        self.watch.waits_for(clock);
        self.watch.wait_begins();
        let came = self.watch.wait_over(true);
        self.await_token();
        self.watch.wait_ends(came);
        self.trace_wait(Point::Resume);
    }

    fn await_token(&self) {
        let dispatch = self.dispatch();
        while !dispatch.holds_token(self.me) {
            self.sleep(None, &|| dispatch.holds_token(self.me));
            dispatch.queue_again(self.me, self.task);
        }
    }

    /// Sleeps until nudged, unless `ready` already.
    pub(crate) fn sleep(&self, timeout: Option<Duration>, ready: &dyn Fn() -> bool) {
        let slot = self.slot();
        slot.sleeping.store(1, SeqCst);
        let seen = slot.word.load(SeqCst);
        if !ready() {
            futex_wait(&slot.word, seen, timeout);
        }
        slot.sleeping.store(0, SeqCst);
    }

    pub(super) fn begin_wait(&mut self) {
        self.trace_wait(Point::Suspend);
        self.watch.wait_begins();
        self.slot().slice.fetch_add(1, SeqCst);
        let effects = self.dispatch().wait_begins(self.me, self.task);
        self.apply(&effects);
    }

    pub(super) fn end_wait(&mut self) {
        let runs = self
            .dispatch()
            .wait_ends(self.me, self.task, self.quasirent);
        let came = self.watch.wait_over(!runs);
        if !runs {
            self.await_token();
        }
        self.watch.wait_ends(came);
        self.slot().slice.fetch_add(1, SeqCst);
        self.trace_wait(Point::Resume);
    }

    pub(super) fn purged(&self) -> Option<AbendCode> {
        let slot = self.slot();
        let wanted = slot.view.async_task.load(SeqCst);
        (wanted != 0 && wanted == slot.view.current_task.load(SeqCst))
            .then(|| AbendCode::from_field(&slot.async_code.load(SeqCst).to_le_bytes()))
    }

    /// Why the wait is over, if it is.
    pub(super) fn wait_over(&self, end: Option<Instant>) -> Option<Waited> {
        if self.slot().posted.swap(0, SeqCst) != 0 {
            return Some(Waited::Posted);
        }
        if let Some(code) = self.purged() {
            return Some(Waited::Purged(code));
        }
        end.is_some_and(|end| Instant::now() >= end)
            .then_some(Waited::TimedOut)
    }
}
