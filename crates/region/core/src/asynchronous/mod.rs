//! The asynchronous API: RUN TRANSID, FETCH CHILD, FETCH ANY, FREE CHILD.
//!
//! Worker side. Not here: running children (region side).

use crate::task_state::TaskState;

/// What a task knows of its children and its parent.
#[derive(Default)]
pub(crate) struct TaskChildren {
    /// What the region said of the parent.
    pub parent: Vec<u8>,
}

/// A task begins.
pub(crate) fn begin(task: &mut TaskState, parent: Option<&[u8]>) {
    task.children.parent = parent.unwrap_or_default().to_vec();
}
