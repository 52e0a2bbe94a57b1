//! What happens when a worker is gone: its task ends or begins again, its slot is free.

use super::inner::{Orphan, Table, lock};
use super::supervisor::Supervisor;
use crate::dispatch::{Dispatch, Lost};
use crate::shm::layout::{Slot, worker};
use crate::shm::payload;
use crate::worker::link;
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};
use transom_types::AbendCode;

/// Times a task is given to another worker when its worker dies before it began.
const MAX_RESTARTS: u32 = 3;
/// Pause after a worker that did not come up, so that a defect does not fork without end.
const SPAWN_PAUSE: Duration = Duration::from_millis(200);

impl Supervisor {
    /// A worker is gone: its task ends, its slot is free, what it held goes on.
    pub(super) fn died(&mut self, index: usize, status: u32) {
        let segment = self.inner.segment;
        if index >= segment.slots() {
            return;
        }
        let slot = segment.slot(index);
        // Before anybody waits for what it held.
        for part in [segment, self.inner.storage.segment()] {
            part.holder_died(index);
        }
        if slot.state.load(SeqCst) == worker::STARTING {
            self.spawn_at = Instant::now() + SPAWN_PAUSE;
        }
        let dispatch = Dispatch::new(segment);
        let (lost, effects) = dispatch.leave(index);
        effects.wake(segment);
        let again = lost.filter(|lost| self.may_begin_again(*lost, slot));
        if let Some(lost) = lost.filter(|_| again.is_none()) {
            self.inner.counts.died.fetch_add(1, SeqCst);
            self.orphan(lost.task, index, status);
        }
        clear(slot);
        self.inner.processes.gone(index);
        if let Some(Lost { task, .. }) = again {
            segment.task(task).worker.store(0, SeqCst);
            dispatch.attach(task).wake(segment);
        }
        // It may have died between the end of a task and the signal for it.
        self.inner.segment.header().region_sleeps.0.store(0, SeqCst);
        link::signal(self.inner.completion.as_raw_fd());
        if std::mem::take(&mut self.counted[index]) {
            self.inner.counts.ended.fetch_add(1, SeqCst);
            self.inner.counts.workers.fetch_sub(1, SeqCst);
        }
    }

    fn orphan(&self, task: usize, index: usize, status: u32) {
        let slot = self.inner.segment.slot(index);
        let block = self.inner.segment.task(task);
        let number = block.task_number.load(SeqCst);
        let known = slot.view.fault_task.load(SeqCst) == number;
        let (code, text) = if known {
            let code = slot.view.fault_code.load(SeqCst).to_le_bytes();
            (
                AbendCode::from_field(&code),
                payload::text(&slot.view.fault_text),
            )
        } else {
            (AbendCode::ASRB, death_text(status))
        };
        // It may have ended before its worker died: its block may be free by now, or used again.
        let table = lock(&self.inner.table);
        if Dispatch::new(self.inner.segment).belongs(task, index) {
            self.orphan_as(&table, task, code, text);
        }
    }

    pub(super) fn orphan_as(&self, table: &Table, task: usize, code: AbendCode, text: String) {
        lock(&self.inner.orphans).push(Orphan {
            task,
            generation: table.entries[task].generation,
            code,
            text,
        });
    }

    /// The task was given to a worker that was already dying: it has not run at all.
    fn may_begin_again(&self, lost: Lost, slot: &Slot) -> bool {
        let block = self.inner.segment.task(lost.task);
        // What the region itself knows comes first: the rest can be overwritten.
        let begun = lock(&self.inner.table).entries[lost.task].asked;
        !self.inner.stopping.load(SeqCst)
            && !begun
            && lost.ran
            && slot.view.current_task.load(SeqCst) != block.task_number.load(SeqCst)
            && block.restarts.fetch_add(1, SeqCst) < MAX_RESTARTS
    }
}

fn clear(slot: &Slot) {
    for word in [
        &slot.task,
        &slot.posted,
        &slot.sleeping,
        &slot.signal_wanted,
    ] {
        word.store(0, SeqCst);
    }
    for word in [
        &slot.view.current_task,
        &slot.view.async_task,
        &slot.view.fault_task,
    ] {
        word.store(0, SeqCst);
    }
}

fn death_text(status: u32) -> String {
    let status = status as libc::c_int;
    if libc::WIFSIGNALED(status) {
        format!(
            "the worker process died by signal {}",
            libc::WTERMSIG(status)
        )
    } else {
        format!(
            "the worker process ended with code {}",
            libc::WEXITSTATUS(status)
        )
    }
}
