//! Runaway tasks: CPU time of a task since it began or last waited.
//!
//! What: a look at each running worker now and then. Why here: a timer per task would cost every
//! task two system calls; looking from outside costs tasks nothing. A task can therefore use up to
//! a second more than its limit when the region was idle before, else one tick.

use super::processes::Processes;
use crate::shm::Segment;
use crate::shm::layout::state;
use crate::shm::payload;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// A task that does not come to a safe point within this time loses its worker.
const SAFE_POINT_WITHIN: Duration = Duration::from_secs(2);
/// Clock type "time the scheduler gave" of a process clock number.
const CPU_CLOCK_SCHED: i32 = 2;

/// What is known of the slice in work on each slot.
#[derive(Debug)]
pub(super) struct Watchdog {
    slices: Vec<Slice>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slice {
    number: u32,
    task: u32,
    cpu: Duration,
    /// When the task was told to end.
    told: Option<Instant>,
}

impl Watchdog {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            slices: vec![Slice::default(); slots],
        }
    }

    /// Looks at all workers; tells those that used too much.
    pub(super) fn look(&mut self, segment: &Segment, processes: &Processes) {
        for (i, seen) in self.slices.iter_mut().enumerate() {
            let slot = segment.slot(i);
            let task = slot.view.current_task.load(SeqCst);
            let block = (slot.task.load(SeqCst) as usize).checked_sub(1);
            let Some(block) = block
                .filter(|b| *b < segment.tasks())
                .map(|b| segment.task(b))
            else {
                *seen = Slice::default();
                continue;
            };
            let limit = block.runaway_ms.load(SeqCst);
            if task == 0 || limit == 0 || block.state.load(SeqCst) != state::RUNNING {
                *seen = Slice::default();
                continue;
            }
            let Some(cpu) = processes.pid(i).and_then(cpu_time) else {
                continue;
            };
            let number = slot.slice.load(SeqCst);
            if seen.task != task || seen.number != number {
                *seen = Slice {
                    number,
                    task,
                    cpu,
                    told: None,
                };
                continue;
            }
            if cpu.saturating_sub(seen.cpu) < Duration::from_millis(limit.into()) {
                continue;
            }
            let code = u32::from_le_bytes(*b"AICA");
            slot.async_code.store(code, SeqCst);
            slot.view.async_task.store(task, SeqCst);
            let told = *seen.told.get_or_insert_with(Instant::now);
            let signal = if told.elapsed() < SAFE_POINT_WITHIN {
                libc::SIGUSR1
            } else {
                slot.view.fault_code.store(code, SeqCst);
                payload::set_text(&slot.view.fault_text, "runaway task without a safe point");
                slot.view.fault_task.store(task, SeqCst);
                libc::SIGKILL
            };
            slot.signal_wanted.store(signal as u32, SeqCst);
        }
    }
}

/// CPU time of another process.
pub(super) fn cpu_time(pid: u32) -> Option<Duration> {
    let clock = (!(pid as libc::clockid_t) << 3) | CPU_CLOCK_SCHED;
    // SAFETY: writes one timespec; a process that is gone gives an error.
    unsafe {
        let mut time = std::mem::zeroed::<libc::timespec>();
        (libc::clock_gettime(clock, &mut time) == 0)
            .then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
}
