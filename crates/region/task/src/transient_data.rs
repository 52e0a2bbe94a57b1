//! What a task keeps of its transient data commands.

use transom_workers::seam::Address;

/// Storage of READQ TD.
#[derive(Default)]
pub struct TaskRecords {
    /// Data of the last READQ TD SET, 0 before the first.
    pub set_area: Address,
}
