//! What a task keeps of its temporary storage commands.

use transom_workers::seam::Address;

/// Storage of READQ TS.
#[derive(Default)]
pub struct TaskQueues {
    /// Data of the last READQ TS SET, 0 before the first.
    pub set_area: Address,
}
