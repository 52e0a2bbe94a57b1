//! What the region keeps for one transient data queue.
//!
//! Why apart: every kind of queue works on it, and it knows none of them. Not here: definitions of
//! queues, records of recoverable ones.

use crate::replier::lock;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_sequential::extrapartition::QueueFile;
use transom_sequential::jobs::Collector;
use transom_starts::trigger::Trigger;
use transom_types::TdQueueName;
use transom_wire::definitions::TdQueueEntry;
use transom_wire::transient_data::Action;

/// One queue.
#[derive(Default)]
pub(super) struct Queue {
    pub(super) trigger: Mutex<Trigger>,
    /// The table of a recoverable queue is there and its records are counted.
    pub(super) ready: AtomicBool,
    /// It was said that its terminal takes no task.
    pub(super) waits_for_terminal: AtomicBool,
    pub(super) records: Mutex<VecDeque<Vec<u8>>>,
    pub(super) file: Mutex<QueueFile>,
    pub(super) jobs: Mutex<Collector>,
    pub(super) requests: Requests,
}

impl Queue {
    /// Records in it, and tasks that its trigger started.
    pub(super) fn trigger_counts(&self) -> (u64, u64) {
        let trigger = lock(&self.trigger);
        (trigger.count, trigger.cycles)
    }
}

/// Requests to a queue since the region started, whatever their answer.
#[derive(Default)]
pub(super) struct Requests {
    pub(super) written: AtomicU64,
    pub(super) read: AtomicU64,
    pub(super) deleted: AtomicU64,
}

impl Requests {
    pub(super) fn count(&self, action: &Action) {
        let of = match action {
            Action::Write(_) => &self.written,
            Action::Read { .. } => &self.read,
            Action::Delete => &self.deleted,
            Action::Inquire | Action::Close => return,
        };
        of.fetch_add(1, Relaxed);
    }
}

/// One request.
pub(super) struct Asked {
    pub(super) entry: TdQueueEntry,
    pub(super) queue: Arc<Queue>,
    /// DTIMOUT of the task.
    pub(super) dtimout: Option<Duration>,
}

/// What units of work did, by task and queue.
pub(super) type Pending = HashMap<(u32, TdQueueName), Done>;

/// What one unit of work did to a queue.
#[derive(Default)]
pub(super) struct Done {
    pub(super) written: u64,
    pub(super) taken: u64,
    /// It holds the writing end.
    pub(super) writes: bool,
}
