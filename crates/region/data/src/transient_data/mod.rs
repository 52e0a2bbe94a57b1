//! Transient data: WRITEQ TD, READQ TD, DELETEQ TD.
//!
//! Worker side: arguments and conditions; every command is one round trip. Not here: queues, files
//! and triggers (region side).

pub(crate) mod deleteq;
pub(crate) mod queue;
pub(crate) mod readq;
pub(crate) mod writeq;
