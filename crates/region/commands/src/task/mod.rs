//! Task control: waiting, and resources tasks enqueue upon.
//!
//! What: the lock of one resource in shared memory with its owner and waiters, and what happens
//! when a task ends or dies holding some. A resource that becomes free is handed to its first
//! waiter, so nobody is overtaken. Not here: the commands (one file each), which task runs when
//! (region side), deadlock by other means than time: a task waits until DTIMOUT, as on CICS.

pub(crate) mod change_task;
pub(crate) mod deq;
pub(crate) mod enq;
pub(crate) mod suspend;

use crate::command::{Cx, Fail};
use crate::task_state::TaskState;
use transom_messages as messages;
use transom_types::{AbendCode, ProgramName};
use transom_wire::Space;
use transom_wire::definitions::TaskEntry;
use transom_wire::task::{Lock, forget};
use transom_workers::seam::{Host, Waited};

/// A resource the task enqueued upon.
pub(crate) struct Held {
    pub key: Vec<u8>,
}

/// Ends the unit of work: ENQs made for it are freed.
pub(crate) fn release_uow(host: &dyn Host, task: &mut TaskState) {
    let number = task.number;
    task.held.retain(|held| {
        let (mut post, mut still_held) = (None, false);
        host.shared()
            .with_group(Space::Enqueue, &held.key, &mut |group| {
                let mut lock = Lock::read(group);
                if lock.owner == number {
                    lock.uow = 0;
                    post = lock.pass_on();
                    still_held = lock.owner == number;
                    let _ = lock.write(group);
                }
            });
        if let Some(next) = post {
            host.post(next);
        }
        still_held
    });
}

/// Frees all ENQs of the task at its end.
pub(crate) fn release_all(host: &dyn Host, task: &mut TaskState) {
    for held in std::mem::take(&mut task.held) {
        if let Some(next) = forget(host.shared(), &held.key, task.number) {
            host.post(next);
        }
    }
}

/// Why a task waits, as INQUIRE TASK shows it.
pub(crate) struct Reason {
    pub suspend_type: &'static str,
    pub suspend_value: ProgramName,
    pub reqid: ProgramName,
}

/// Waits and shows why. A purge ends the task.
pub(crate) fn wait(
    cx: &mut Cx<'_>,
    reason: &Reason,
    timeout_ms: Option<u64>,
) -> Result<Waited, Fail> {
    let number = cx.task.number;
    let now = cx.host.abstime_ms() as u64;
    let mut entry = TaskEntry::find(cx.host.shared(), number);
    if let Some(entry) = &mut entry {
        entry.suspend_type = ProgramName::from_field(reason.suspend_type.as_bytes());
        entry.suspend_value = reason.suspend_value;
        entry.suspended_abstime_ms = now;
        entry.reqid = reason.reqid;
        let _ = entry.install(cx.host.shared());
    }
    let waited = cx.host.wait(timeout_ms);
    if let Some(entry) = &mut entry
        && waited != Waited::Posted
    {
        awake(cx.host, entry);
    }
    match waited {
        Waited::Purged(code) => Err(purged(cx, code, reason)),
        waited => Ok(waited),
    }
}

/// Shows the task as running again.
pub(crate) fn awake(host: &dyn Host, entry: &mut TaskEntry) {
    entry.suspend_type = ProgramName::BLANK;
    entry.suspend_value = ProgramName::BLANK;
    entry.suspended_abstime_ms = 0;
    entry.reqid = ProgramName::BLANK;
    let _ = entry.install(host.shared());
}

pub(crate) fn purged(cx: &mut Cx<'_>, code: AbendCode, reason: &Reason) -> Fail {
    let text = messages::xm::purged_waiting_for(
        cx.task.number,
        cx.task.transaction.transid,
        reason.suspend_type,
        reason.suspend_value,
    )
    .to_string();
    Fail::Abend(code, text)
}
