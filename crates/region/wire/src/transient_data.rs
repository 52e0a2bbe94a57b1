//! Transient data: what workers ask the region.
//!
//! Not here: the commands, the queues.

use crate::language;
use transom_types::TdQueueName;

/// Most bytes of one record.
pub const RECORD_BYTES_MAX: usize = 32_763;

language! {
    /// A question about a queue.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Request {
        /// As the command names it; the region follows indirect names.
        pub queue: TdQueueName,
        /// DTIMOUT in milliseconds; 0: none.
        pub dtimout_ms: u64,
        pub action: Action,
    }

    /// What is asked.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Action {
        /// WRITEQ.
        1 = Write(record: Vec<u8>),
        /// READQ; whether the task waits for a queue in use. Answers the record as it is.
        2 = Read { may_wait: bool },
        /// DELETEQ.
        3 = Delete,
        /// INQUIRE TDQUEUE. Answers the number of records, eight bytes.
        4 = Inquire,
        /// SET TDQUEUE CLOSED: the file begins anew when it is used again.
        5 = Close,
    }
}
