//! What the threads of the region share about a pool.
//!
//! What: the segment, tasks by block, orphans of dead workers, counts. Why: attaching, draining and
//! supervising work on it, each in a file of its own. Not here: any of them.

use super::processes::Processes;
use super::suspect::Suspect;
use crate::config::{Done, PoolConfig};
use crate::shm::Segment;
use crate::shm::lock::court;
use crate::shm::storage::Storage;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use transom_processors::Together;
use transom_types::AbendCode;

/// What threads of the region share.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) config: PoolConfig,
    /// Lives until the process ends: replies and asks may outlive the pool.
    pub(super) segment: &'static Segment,
    /// Storage that programs share; nobody here looks into it.
    pub(super) storage: Storage,
    pub(super) table: Mutex<Table>,
    /// Slots of workers that were given a task and sleep.
    pub(super) to_wake: Mutex<Vec<usize>>,
    /// Tasks whose worker died, until the next drain.
    pub(super) orphans: Mutex<Vec<Orphan>>,
    pub(super) completion: OwnedFd,
    pub(super) kick: OwnedFd,
    pub(super) stopping: AtomicBool,
    /// Nobody supervises the workers any more.
    pub(super) ended: Arc<AtomicBool>,
    pub(super) counts: Counts,
    pub(super) together: Together,
    /// Times the list of ended and asking tasks was gone through.
    pub(super) drains: AtomicU64,
    pub(super) processes: Arc<Processes>,
    /// Where lines of workers come from. Who takes some has it, so that they keep their order.
    pub(super) lines: Mutex<Option<OwnedFd>>,
    /// A worker has said that what all tasks rely on was overwritten.
    pub(super) doubted: AtomicBool,
}

impl Drop for Inner {
    fn drop(&mut self) {
        court::dismiss(self.segment.base());
        if let Some(definitions) = &self.segment.apart {
            court::dismiss(definitions.base());
        }
        court::dismiss(self.storage.segment().base());
    }
}

#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) workers: AtomicUsize,
    pub(super) workers_peak: AtomicUsize,
    pub(super) spawned: AtomicU64,
    pub(super) ended: AtomicU64,
    pub(super) died: AtomicU64,
    pub(super) zygote_restarts: AtomicU64,
    pub(super) attached: AtomicU64,
    pub(super) completed: AtomicU64,
    pub(super) refused: AtomicU64,
}

/// Task blocks by use.
pub(super) struct Table {
    pub(super) entries: Vec<Entry>,
    /// Last freed is used first: its memory is warm.
    pub(super) free: Vec<usize>,
    pub(super) active_peak: usize,
}

#[derive(Default)]
pub(super) struct Entry {
    pub(super) generation: u64,
    /// Who has the block; none: it is free.
    pub(super) done: Option<Done>,
    /// Number of the task that has it. The one in the block can be overwritten by a program.
    pub(super) task_number: u32,
    /// It has asked the region something: it has begun, and cannot begin again.
    pub(super) asked: bool,
    /// It waits for an answer.
    pub(super) waits: bool,
    /// What looks at all tasks found wrong with it.
    pub(super) suspect: Suspect,
}

#[derive(Debug)]
pub(super) struct Orphan {
    pub(super) task: usize,
    pub(super) generation: u64,
    pub(super) code: AbendCode,
    pub(super) text: String,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("free", &self.free.len())
            .finish_non_exhaustive()
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
