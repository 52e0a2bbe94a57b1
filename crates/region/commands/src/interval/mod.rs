//! Interval control: time of day, waiting, and starting tasks at a time.
//!
//! Worker side. Not here: the clock that requests wait for and the tasks they start (region side).

pub(crate) mod asktime;
pub(crate) mod calendar;
pub(crate) mod cancel;
pub(crate) mod converttime;
pub(crate) mod delay;
pub(crate) mod formattime;
pub(crate) mod post;
pub(crate) mod retrieve;
pub(crate) mod start;
pub(crate) mod wait_event;
pub(crate) mod when;

use crate::task_state::TaskState;
use transom_wire::interval::Owner;
use transom_workers::seam::{Address, Host};

/// What a task knows of the START that began it.
#[derive(Default)]
pub(crate) struct TaskInterval {
    /// What the region said of it; `None`: the task was not started so.
    pub owner: Option<Owner>,
    /// Data of the last RETRIEVE SET, 0 before the first.
    pub data_area: Address,
    /// The POST in progress: a task has one at a time.
    pub post: Option<post::Post>,
    /// The POST that expired last was not cancelled after that.
    pub expired_post: bool,
}

/// A task begins.
pub(crate) fn begin(task: &mut TaskState, retrieve: Option<&[u8]>) {
    task.interval.owner = retrieve.and_then(Owner::decode);
}

/// The task ends: nobody can cancel its POST any more.
pub(crate) fn end(host: &dyn Host, task: &mut TaskState) {
    if let Some(post) = task.interval.post.take() {
        post.forget(host, task.number);
    }
}

/// The transient data queue whose trigger level began the task.
pub(crate) fn trigger_queue(task: &TaskState) -> Option<[u8; 4]> {
    match task.interval.owner {
        Some(Owner::Trigger(queue, _)) => Some(queue),
        _ => None,
    }
}
