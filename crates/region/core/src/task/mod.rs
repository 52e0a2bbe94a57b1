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

use crate::codec::{Reader, Writer};
use crate::command::{Cx, Fail};
use crate::definitions::TaskEntry;
use crate::task_state::TaskState;
use transom_types::{AbendCode, ProgramName};
use transom_workers::seam::{Group, Host, Shared, Space, Waited};

/// Most tasks that may wait for one resource.
pub const WAITERS_MAX: usize = 10_000;
const LOCK: u32 = 0;

/// A resource the task enqueued upon.
pub(crate) struct Held {
    pub key: Vec<u8>,
}

/// How long an enqueue lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifetime {
    /// To the next syncpoint.
    Uow,
    /// To the end of the task.
    Task,
}

/// Owner and waiters of one resource.
#[derive(Default)]
pub(crate) struct Lock {
    /// Owning task, 0: nobody.
    pub owner: u32,
    /// ENQs of the owner to the end of the unit of work.
    pub uow: u32,
    /// ENQs of the owner to the end of the task.
    pub task: u32,
    /// Waiting tasks in order, with the lifetime they asked for.
    pub waiters: Vec<(u32, Lifetime)>,
}

impl Lock {
    pub(crate) fn read(group: &dyn Group) -> Self {
        group.get(LOCK).and_then(Self::decode).unwrap_or_default()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let mut lock = Self {
            owner: from.u32()?,
            uow: from.u32()?,
            task: from.u32()?,
            waiters: Vec::new(),
        };
        while let (Some(task), Some(kind)) = (from.u32(), from.u8()) {
            let lifetime = if kind == 0 {
                Lifetime::Uow
            } else {
                Lifetime::Task
            };
            lock.waiters.push((task, lifetime));
        }
        Some(lock)
    }

    /// Stores the lock; a free one without waiters goes away. `false`: shared storage is full.
    #[must_use]
    pub(crate) fn write(&self, group: &mut dyn Group) -> bool {
        if self.owner == 0 && self.waiters.is_empty() {
            group.remove_all();
            return true;
        }
        let mut out = Writer::with_capacity(12 + 5 * self.waiters.len());
        out.u32(self.owner).u32(self.uow).u32(self.task);
        for (task, lifetime) in &self.waiters {
            out.u32(*task).u8(u8::from(*lifetime == Lifetime::Task));
        }
        group.put(LOCK, &out.0)
    }

    pub(crate) fn count(&mut self, lifetime: Lifetime) -> &mut u32 {
        match lifetime {
            Lifetime::Uow => &mut self.uow,
            Lifetime::Task => &mut self.task,
        }
    }

    /// Hands a lock nobody holds any more to its first waiter; answers the task to post.
    pub(crate) fn pass_on(&mut self) -> Option<u32> {
        if self.uow > 0 || self.task > 0 {
            return None;
        }
        self.owner = 0;
        if self.waiters.is_empty() {
            return None;
        }
        let (next, lifetime) = self.waiters.remove(0);
        self.owner = next;
        *self.count(lifetime) = 1;
        Some(next)
    }

    /// Takes a task out, as owner or waiter; answers the task to post.
    fn forget(&mut self, task: u32) -> Option<u32> {
        self.waiters.retain(|(waiter, _)| *waiter != task);
        if self.owner != task {
            return None;
        }
        (self.uow, self.task) = (0, 0);
        self.pass_on()
    }
}

/// Frees everything a dead task holds in shared memory: its entry in INQUIRE TASK and its enqueued
/// resources. Answers the tasks that got a resource and must be posted.
pub fn release_task(shared: &dyn Shared, task_number: u32) -> Vec<u32> {
    TaskEntry::remove(shared, task_number);
    let mut post = Vec::new();
    for key in shared.group_names(Space::Enqueue) {
        post.extend(forget(shared, &key, task_number));
    }
    post
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

pub(crate) fn forget(shared: &dyn Shared, key: &[u8], task: u32) -> Option<u32> {
    let mut post = None;
    shared.with_group(Space::Enqueue, key, &mut |group| {
        let mut lock = Lock::read(group);
        if lock.owner == task || lock.waiters.iter().any(|(waiter, _)| *waiter == task) {
            post = lock.forget(task);
            // Shrinking an item needs no new storage.
            let _ = lock.write(group);
        }
    });
    post
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
    let text = format!(
        "TXMXM0021E task {} {} was purged while it waited for {} {}",
        cx.task.number, cx.task.transaction.transid, reason.suspend_type, reason.suspend_value
    );
    Fail::Abend(code, text)
}
