//! Interval control: time of day, waiting.
//!
//! Not here: START, RETRIEVE and POST (not implemented yet, see the command table).

pub(crate) mod asktime;
pub(crate) mod calendar;
pub(crate) mod cancel;
pub(crate) mod converttime;
pub(crate) mod delay;
pub(crate) mod formattime;

use crate::task_state::TaskState;

/// What a task knows of the START that began it.
#[derive(Default)]
pub(crate) struct TaskInterval {
    /// What RETRIEVE answers, encoded by the region side.
    pub retrieve: Vec<u8>,
}

/// A task begins.
pub(crate) fn begin(task: &mut TaskState, retrieve: Option<&[u8]>) {
    task.interval.retrieve = retrieve.unwrap_or_default().to_vec();
}
