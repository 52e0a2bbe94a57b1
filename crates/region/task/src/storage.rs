//! Storage that a task has from its start.

use transom_workers::seam::Address;

/// Areas of the task that no GETMAIN made.
#[derive(Default)]
pub struct TaskStorage {
    /// TWA, 0 when there is none.
    pub twa: Address,
}
