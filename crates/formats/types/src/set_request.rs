//! SET of programs, transactions, tasks and the system.
//!
//! Not here: who may, what happens then.

use crate::{ProgramName, TransId};

/// A change an operator or program asks for.
#[derive(Debug, Clone)]
pub enum SetRequest {
    /// SET PROGRAM ENABLED | DISABLED.
    ProgramEnabled(ProgramName, bool),
    /// SET PROGRAM NEWCOPY: the next use takes the newest module.
    ProgramNewCopy(ProgramName),
    /// SET TRANSACTION ENABLED | DISABLED.
    TransactionEnabled(TransId, bool),
    /// SET TRANSACTION PRIORITY.
    TransactionPriority(TransId, u8),
    /// SET SYSTEM MAXTASKS.
    MaxTasks(u32),
    /// SET TASK PURGE | FORCEPURGE.
    Purge {
        /// Task number.
        task: u32,
        /// Do not wait for a safe point.
        force: bool,
    },
}
