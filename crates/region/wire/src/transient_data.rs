//! Transient data: what workers ask the region.
//!
//! Not here: the commands, the queues.

/// Most bytes of one record.
pub const RECORD_BYTES_MAX: usize = 32_763;

/// Requests of this domain, first byte; the queue's name and DTIMOUT in milliseconds follow.
pub mod ask {
    /// WRITEQ: the record.
    pub const WRITE: u8 = 1;
    /// READQ: whether the task waits for a queue in use.
    pub const READ: u8 = 2;
    /// DELETEQ.
    pub const DELETE: u8 = 3;
    /// INQUIRE TDQUEUE.
    pub const INQUIRE: u8 = 4;
    /// SET TDQUEUE CLOSED: the file begins anew when it is used again.
    pub const CLOSE: u8 = 5;
}
