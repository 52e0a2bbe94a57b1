//! What happens when a worker is gone: its task ends or begins again, its slot is free.

use super::supervisor::Supervisor;
use super::{Orphan, lock};
use crate::dispatch::Dispatch;
use crate::shm::layout::{Slot, state, worker};
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
        let task = (slot.task.load(SeqCst) as usize).checked_sub(1);
        let mine = |t: &usize| {
            *t < segment.tasks() && segment.task(*t).worker.load(SeqCst) == index as u32 + 1
        };
        let mut again = None;
        if let Some(task) = task.filter(mine) {
            if self.may_begin_again(task, slot) {
                again = Some(task);
            } else {
                self.inner.counts.died.fetch_add(1, SeqCst);
                self.orphan(task, slot, status);
            }
        }
        if slot.state.load(SeqCst) == worker::STARTING {
            self.spawn_at = Instant::now() + SPAWN_PAUSE;
        }
        let dispatch = Dispatch::new(segment);
        dispatch.leave(index).wake(segment);
        clear(slot);
        if let Some(task) = again {
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

    fn orphan(&self, task: usize, slot: &Slot, status: u32) {
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
        self.orphan_as(task, code, text);
    }

    pub(super) fn orphan_as(&self, task: usize, code: AbendCode, text: String) {
        let generation = lock(&self.inner.table).entries[task].generation;
        lock(&self.inner.orphans).push(Orphan {
            task,
            generation,
            code,
            text,
        });
    }

    /// The task was given to a worker that was already dying: it has not run at all.
    fn may_begin_again(&self, task: usize, slot: &Slot) -> bool {
        let block = self.inner.segment.task(task);
        !self.inner.stopping.load(SeqCst)
            && block.state.load(SeqCst) == state::RUNNING
            && slot.view.current_task.load(SeqCst) != block.task_number.load(SeqCst)
            && block.restarts.fetch_add(1, SeqCst) < MAX_RESTARTS
    }
}

fn clear(slot: &Slot) {
    for word in [
        &slot.task,
        &slot.pid,
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
