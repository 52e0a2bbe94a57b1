//! Resources a task enqueued upon.

/// A resource the task enqueued upon.
pub struct Held {
    pub key: Vec<u8>,
}
