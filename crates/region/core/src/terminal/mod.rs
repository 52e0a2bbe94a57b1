//! Terminal control and basic mapping support.
//!
//! Worker side. Not here: sessions (region side), data streams (`transom_datastream`), maps
//! (`transom_bms`).

use crate::task_state::TaskState;
use transom_workers::seam::Host;

/// What a task knows of its terminal.
#[derive(Default)]
pub(crate) struct TaskTerminal {}

/// A task begins; without `facts` it has no terminal.
pub(crate) fn begin(_host: &mut dyn Host, _task: &mut TaskState, _facts: Option<&[u8]>) {}

/// The task ends normally: output not yet sent and the next transaction.
pub(crate) fn end(_task: &mut TaskState) -> Option<Vec<u8>> {
    None
}
