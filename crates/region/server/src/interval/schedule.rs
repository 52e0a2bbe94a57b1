//! When a START request begins its task.
//!
//! What: at once, or when its time has come; one task sleeps until the earliest. Not here: the
//! times (`timer`), the tasks (`launch`).

use super::Intervals;
use crate::replier::lock;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use transom_messages as messages;
use transom_region_dispatcher::Clock;
use transom_wire::interval::StartRequest;

impl Intervals {
    /// The request counts from now on: begins its task, or waits for its time.
    pub(super) fn schedule(self: &Arc<Self>, id: u64, request: StartRequest) {
        let left = request.due_ms.saturating_sub(self.kernel.clock.unix_ms());
        if left == 0 {
            return self.expired(id, request);
        }
        lock(&self.book).add(id, request);
        self.wake_at(id, left);
    }

    /// The request expires in this many milliseconds.
    pub(super) fn wake_at(self: &Arc<Self>, id: u64, in_ms: u64) {
        let clock = &self.kernel.clock;
        let at = clock.after(Duration::from_millis(in_ms));
        let begin = || {
            let runtime = tokio::runtime::Handle::try_current();
            if let Ok(runtime) = &runtime {
                let changed = self.timer.changed();
                runtime.spawn(run(Arc::downgrade(self), clock.clone(), changed));
            }
            runtime.is_ok()
        };
        if !self.timer.add(at, id, begin) {
            self.kernel.tell(messages::ic::start_lost());
        }
    }

    fn expire_due(self: &Arc<Self>) {
        for id in self.timer.due(self.kernel.clock.now()) {
            let request = lock(&self.book).take(id);
            if let Some(request) = request {
                self.expired(id, request);
            }
        }
    }
}

async fn run(intervals: Weak<Intervals>, clock: Arc<dyn Clock>, changed: Arc<Notify>) {
    loop {
        let next = {
            let intervals = intervals.upgrade();
            let Some(intervals) = intervals.filter(|i| !i.kernel.is_stopping()) else {
                return;
            };
            intervals.expire_due();
            let Some(next) = intervals.timer.next() else {
                return;
            };
            next
        };
        tokio::select! {
            () = clock.sleep_until(next) => {}
            () = changed.notified() => {}
        }
    }
}
