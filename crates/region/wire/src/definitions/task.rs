//! A running task.

use super::{discard, get, put};
use crate::codec::{Reader, Writer};
use crate::shared::{Shared, Space};
use transom_types::{ProgramName, TermId, TransId, UserId};

/// A task that runs in a worker. Written at task start by the worker, removed at task end, or by
/// [`crate::release_task`] when the worker died.
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
    pub suspend_type: ProgramName,
    /// Name of the awaited resource, SUSPENDVALUE.
    pub suspend_value: ProgramName,
    /// When the wait began, as ABSTIME.
    pub suspended_abstime_ms: u64,
    /// REQID of a DELAY in progress, for CANCEL; blank: none.
    pub reqid: ProgramName,
    /// Terminal the task runs at; blank: none.
    pub terminal: TermId,
}

impl TaskEntry {
    /// Bytes for [`Space::Task`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(80);
        out.u32(self.task_number)
            .raw(self.transid.as_bytes())
            .raw(self.program.as_bytes());
        out.raw(self.userid.as_bytes())
            .u8(self.priority)
            .u64(self.start_abstime_ms);
        out.raw(&self.start_code).raw(self.suspend_type.as_bytes());
        out.raw(self.suspend_value.as_bytes())
            .u64(self.suspended_abstime_ms);
        out.raw(self.reqid.as_bytes()).raw(self.terminal.as_bytes());
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            task_number: from.u32()?,
            transid: TransId::from_field(from.raw(4)?),
            program: ProgramName::from_field(from.raw(8)?),
            userid: UserId::from_field(from.raw(8)?),
            priority: from.u8()?,
            start_abstime_ms: from.u64()?,
            start_code: from.raw(2)?.try_into().ok()?,
            suspend_type: ProgramName::from_field(from.raw(8)?),
            suspend_value: ProgramName::from_field(from.raw(8)?),
            suspended_abstime_ms: from.u64()?,
            reqid: ProgramName::from_field(from.raw(8)?),
            terminal: TermId::from_field(from.raw(4)?),
        })
    }

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
