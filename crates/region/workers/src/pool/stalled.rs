//! Workers that do not go on although they have a task: stopped by a signal or a debugger, or in a
//! call that does not come back.
//!
//! What: a look at the processor time of each busy worker; who used none for a while is told to the
//! operator with what waits for it, once, and that it goes on. Why told and not ended: a debugger
//! is a reason, too, and what the task holds is its own until somebody ends it; a worker that was
//! stopped inside a lock of shared memory is ended all the same (`shm::lock::court`). Not here:
//! tasks that use too much (`watchdog`).

use super::inner::{Inner, lock};
use super::watchdog::cpu_time;
use crate::shm::groups::Groups;
use crate::shm::layout::{TaskBlock, state};
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;
use transom_messages as messages;
use transom_types::{ProgramName, TransId};
use transom_wire::task::Lock;
use transom_wire::{Shared as _, Space};

/// Looks in a row, a second apart, at which a worker has not gone on.
const LOOKS: u32 = 5;

/// What is known of the worker of a slot.
#[derive(Debug, Default, Clone, Copy)]
struct Still {
    task: u32,
    cpu: Duration,
    looks: u32,
    told: bool,
}

/// By slot.
#[derive(Debug, Default)]
pub(super) struct Stalled(Vec<Still>);

/// Why a process uses no processor.
#[derive(Debug, PartialEq, Eq)]
enum Cause {
    /// By a signal or a debugger.
    Stopped,
    /// It sleeps in the kernel.
    Asleep,
}

impl Stalled {
    pub(super) fn new(slots: usize) -> Self {
        Self(vec![Still::default(); slots])
    }

    /// Looks at all workers with tasks.
    pub(super) fn look(&mut self, inner: &Inner) {
        for (slot, still) in self.0.iter_mut().enumerate() {
            let Some((block, task)) = task_of(inner, slot) else {
                *still = Still::default();
                continue;
            };
            let Some((pid, cpu)) = inner
                .processes
                .pid(slot)
                .and_then(|p| Some((p, cpu_time(p)?)))
            else {
                continue;
            };
            if still.task != task || still.cpu != cpu {
                if still.told && still.task == task {
                    let told = messages::wk::worker_goes_on(task, transid(block), pid);
                    inner.config.operator.tell(told);
                }
                *still = Still {
                    task,
                    cpu,
                    ..Still::default()
                };
                continue;
            }
            still.looks = still.looks.saturating_add(1);
            if still.told || !still.looks.is_multiple_of(LOOKS) {
                continue;
            }
            // A task that waits uses no processor; who waits for it is another matter.
            let waits = block.state.load(SeqCst) != state::RUNNING;
            let cause = cause(pid).filter(|why| !waits || *why == Cause::Stopped);
            if let Some(cause) = cause {
                still.told = true;
                tell(inner, (slot, task, block), pid, &cause);
            }
        }
    }
}

/// The task of a slot by the region's own record.
fn task_of(inner: &Inner, slot: usize) -> Option<(&TaskBlock, u32)> {
    let segment = inner.segment;
    let at = (segment.slot(slot).task.load(SeqCst) as usize).checked_sub(1)?;
    let table = lock(&inner.table);
    let entry = table.entries.get(at)?;
    let block = segment.task(at);
    let is_its = entry.done.is_some() && block.worker.load(SeqCst) == slot as u32 + 1;
    is_its.then_some((block, entry.task_number))
}

fn transid(block: &TaskBlock) -> TransId {
    TransId::from_field(&block.transid.load(SeqCst).to_le_bytes())
}

/// By a signal or a debugger.
pub(super) fn is_stopped(pid: u32) -> bool {
    cause(pid) == Some(Cause::Stopped)
}

/// `None`: it is about to run, or gone.
fn cause(pid: u32) -> Option<Cause> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    match stat.rsplit_once(") ")?.1.chars().next()? {
        'T' | 't' => Some(Cause::Stopped),
        'S' | 'D' => Some(Cause::Asleep),
        _ => None,
    }
}

fn tell(inner: &Inner, (slot, task, block): (usize, u32, &TaskBlock), pid: u32, cause: &Cause) {
    let program = ProgramName::from_field(&block.program.load(SeqCst).to_le_bytes());
    let has_token = inner.segment.header().queues.qr_holder.load(SeqCst) == slot as u32 + 1;
    let (token, answer) = waiting(inner);
    let token = if has_token { token } else { 0 };
    let enqueued = behind(inner, task);
    let transid = transid(block);
    inner.config.operator.tell(match cause {
        Cause::Stopped => {
            messages::wk::worker_stopped(task, transid, program, pid, token, enqueued, answer)
        }
        Cause::Asleep => {
            messages::wk::worker_asleep(task, transid, program, pid, token, enqueued, answer)
        }
    });
}

/// Tasks that wait for the QR token, and tasks that wait for an answer of the region.
fn waiting(inner: &Inner) -> (usize, usize) {
    let table = lock(&inner.table);
    let (mut token, mut answer) = (0, 0);
    for (at, entry) in table.entries.iter().enumerate() {
        let block = inner.segment.task(at);
        let ready = [state::READY, state::RESUME].contains(&block.state.load(SeqCst));
        let quasirent = block.quasirent.load(SeqCst) != 0;
        token += usize::from(entry.done.is_some() && ready && quasirent);
        answer += usize::from(entry.done.is_some() && entry.waits);
    }
    (token, answer)
}

/// Tasks that wait for what a task has enqueued upon.
fn behind(inner: &Inner, task: u32) -> usize {
    let groups = Groups(inner.segment);
    let mut waiters = 0;
    for name in groups.group_names(Space::Enqueue) {
        groups.with_group(Space::Enqueue, &name, &mut |group| {
            let lock = Lock::read(group);
            if lock.owner == task {
                waiters += lock.waiters.len();
            }
        });
    }
    waiters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_sleeps_and_one_that_is_stopped() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn();
        let child = child.as_mut().unwrap();
        let pid = child.id();
        let until = |wanted: Cause| {
            while cause(pid) != Some(Cause::Stopped) && wanted == Cause::Stopped
                || cause(pid) == Some(Cause::Stopped) && wanted == Cause::Asleep
            {
                std::thread::yield_now();
            }
        };
        let send = |signal| {
            // SAFETY: a signal to a child of this test that was not waited for.
            assert_eq!(unsafe { libc::kill(pid as libc::pid_t, signal) }, 0);
        };
        send(libc::SIGSTOP);
        until(Cause::Stopped);
        send(libc::SIGCONT);
        until(Cause::Asleep);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(cause(pid), None);
    }
}
