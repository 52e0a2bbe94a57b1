//! Resources that tasks enqueue upon: owner and waiters of each in shared memory.
//!
//! What: a resource that becomes free is handed to its first waiter, so nobody is overtaken; what a
//! dead task held is freed. Not here: the commands, waiting.

use crate::definitions::TaskEntry;
use crate::language;
use crate::shared::{Group, Shared, Space};

/// Most tasks that may wait for one resource.
pub const WAITERS_MAX: usize = 10_000;
const LOCK: u32 = 0;
/// First byte of the name of a resource that is a text, and of one that is an address.
pub const ENQ_TEXT: u8 = 1;
pub const ENQ_ADDRESS: u8 = 2;

language! {
    /// How long an enqueue lasts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Lifetime {
        /// To the next syncpoint.
        0 = Uow,
        /// To the end of the task.
        1 = Task,
    }

    /// Owner and waiters of one resource.
    #[derive(Default)]
    pub struct Lock {
        /// Owning task, 0: nobody.
        pub owner: u32,
        /// ENQs of the owner to the end of the unit of work.
        pub uow: u32,
        /// ENQs of the owner to the end of the task.
        pub task: u32,
        /// Waiting tasks in order, with the lifetime they asked for.
        pub waiters: Vec<(u32, Lifetime)>,
    }
}

impl Lock {
    pub fn read(group: &dyn Group) -> Self {
        group.get(LOCK).and_then(Self::decode).unwrap_or_default()
    }

    /// Stores the lock; a free one without waiters goes away. `false`: shared storage is full.
    #[must_use]
    pub fn write(&self, group: &mut dyn Group) -> bool {
        if self.owner == 0 && self.waiters.is_empty() {
            group.remove_all();
            return true;
        }
        group.put(LOCK, &self.encode())
    }

    pub fn count(&mut self, lifetime: Lifetime) -> &mut u32 {
        match lifetime {
            Lifetime::Uow => &mut self.uow,
            Lifetime::Task => &mut self.task,
        }
    }

    /// Hands a lock nobody holds any more to its first waiter; answers the task to post.
    pub fn pass_on(&mut self) -> Option<u32> {
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

/// Takes a task out of one resource; answers the task to post.
pub fn forget(shared: &dyn Shared, key: &[u8], task: u32) -> Option<u32> {
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
