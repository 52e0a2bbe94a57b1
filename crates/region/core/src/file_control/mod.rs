//! File control: READ, WRITE, REWRITE, DELETE, UNLOCK and browses.
//!
//! Worker side. Not here: records and locks (`transom_datasets`), the region side.

/// What a task knows of the files it uses.
#[derive(Default)]
pub(crate) struct TaskFiles {}

/// The unit of work ended: records held for update are not any more.
pub(crate) fn uow_ended(_task: &mut crate::task_state::TaskState) {}
