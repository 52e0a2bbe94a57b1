//! A running task.

use super::{discard, get, put};
use crate::association::Association;
use crate::language;
use crate::shared::{Shared, Space};
use transom_types::{ProgramName, ReqId, SuspendType, SuspendValue, TermId, TransId, UserId};

language! {
    /// A task that runs in a worker. Written at task start by the worker, removed at task end, or
    /// by [`crate::task::release_task`] when the worker died.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TaskEntry {
        /// Task number.
        pub task_number: u32,
        /// Transaction.
        pub transid: TransId,
        /// First program.
        pub program: ProgramName,
        /// User.
        pub userid: UserId,
        /// Priority.
        pub priority: u8,
        /// Attach time as ABSTIME.
        pub start_abstime_ms: u64,
        /// STARTCODE, blank padded.
        pub start_code: [u8; 2],
        /// What a suspended task waits for, as INQUIRE TASK SUSPENDTYPE; blank: it is not waiting.
        pub suspend_type: SuspendType,
        /// Name of the awaited resource, SUSPENDVALUE.
        pub suspend_value: SuspendValue,
        /// When the wait began, as ABSTIME.
        pub suspended_abstime_ms: u64,
        /// REQID of a DELAY in progress, for CANCEL; blank: none.
        pub reqid: ReqId,
        /// Terminal the task runs at; blank: none.
        pub terminal: TermId,
        /// SPURGE(YES) of its transaction: PURGE ends it, not only FORCEPURGE.
        pub purgeable: bool,
        /// How it began, and where its work entered the region.
        pub association: Association,
    }
}

impl TaskEntry {
    /// Writes the entry.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(
            shared,
            Space::Task,
            &self.task_number.to_be_bytes(),
            &self.encode(),
        )
    }

    /// The task of this number.
    pub fn find(shared: &dyn Shared, task_number: u32) -> Option<Self> {
        get(
            shared,
            Space::Task,
            &task_number.to_be_bytes(),
            Self::decode,
        )
    }

    /// Removes the entry.
    pub fn remove(shared: &dyn Shared, task_number: u32) {
        discard(shared, Space::Task, &task_number.to_be_bytes());
    }
}
