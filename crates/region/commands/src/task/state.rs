//! Resources a task enqueued upon.

/// A resource the task enqueued upon.
pub(crate) struct Held {
    pub key: Vec<u8>,
}
