//! Transient data: WRITEQ TD, READQ TD, DELETEQ TD.
//!
//! Worker side. Not here: queues and triggers (region side).
