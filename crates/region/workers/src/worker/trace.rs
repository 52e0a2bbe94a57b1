//! Trace entries of this worker: who makes one, and those of its task.
//!
//! Not here: entries of commands (`region/commands`), the ring (`region/trace`).

use super::host::WorkerHost;
use crate::shm::futex_wait;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use transom_monitoring::FieldId;
use transom_trace::{Component, Entry, Made, Point};

/// Between two looks whether the auxiliary trace has taken entries.
const LOOK_EVERY: Duration = Duration::from_micros(500);

impl WorkerHost {
    /// Makes an entry, if its kind is traced.
    pub(super) fn make_entry(&self, entry: &Entry) {
        let flags = self.segment.trace_flags();
        if !flags.make(entry.point, entry.component, self.trace_task) {
            return;
        }
        let transid = self.segment.task(self.task).transid.load(Relaxed);
        let made = Made {
            time_ns: self.ticks.unix_ns(),
            task: self.task_number,
            transid: transid.to_le_bytes(),
        };
        // Nobody wakes who sleeps there: another task must not run meanwhile.
        let look = || futex_wait(&AtomicU32::new(0), 0, Some(LOOK_EVERY));
        let look: Option<&dyn Fn()> = flags.auxiliary().then_some(&look);
        self.segment.trace(self.me).put(entry, &made, look);
    }

    /// What the next wait is for.
    pub(super) fn reason_is(&mut self, clock: Option<FieldId>) {
        self.reason = [b' '; 8];
        if let Some(clock) = clock {
            let name = clock.field().name.as_bytes();
            let bytes = name.len().min(self.reason.len());
            self.reason[..bytes].copy_from_slice(&name[..bytes]);
        }
    }

    /// The task waits, or goes on.
    pub(super) fn trace_wait(&self, point: Point) {
        self.make_entry(&Entry {
            resource: self.reason,
            ..Entry::new(Component::DS, point)
        });
    }

    /// Entries of the task that are kept, where internal trace keeps any.
    pub(super) fn entries_of_task(&self) -> Vec<Entry> {
        match self.segment.trace_flags().internal() {
            true => self.segment.trace(self.me).of_task(self.task_number),
            false => Vec::new(),
        }
    }
}
