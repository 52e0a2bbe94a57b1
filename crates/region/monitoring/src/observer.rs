//! Who is told of tasks that have ended, beside the files of records.
//!
//! What: an [`Observer`], which gets each task as a [`TaskSeen`]: its record, and what it asked for
//! call by call. Why apart from the recorder: neither waits for the other, and MN and MNPER are
//! about files alone. Not here: what an observer makes of it (`tools/otlp`).

use std::fmt;
use std::sync::Arc;
use transom_monitoring::Record;
pub use transom_wire::monitoring::{Called, Doing};

/// Is told of tasks.
#[derive(Clone)]
pub struct Observer {
    /// Calls of a task that are told; 0: none are.
    pub calls_max: u16,
    /// Told on the thread that ends tasks; never waits.
    pub tell: Arc<dyn Fn(TaskSeen) + Send + Sync>,
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer")
            .field("calls_max", &self.calls_max)
            .finish_non_exhaustive()
    }
}

/// A task that has ended.
#[derive(Debug)]
pub struct TaskSeen {
    /// What it was and used.
    pub record: Record,
    /// What it asked for, in the order of beginning.
    pub calls: Vec<Called>,
    /// Calls there was no room for.
    pub calls_lost: u32,
}

impl TaskSeen {
    pub(crate) fn new(record: Record, (calls, calls_lost): (Vec<Called>, u32)) -> Self {
        Self {
            record,
            calls,
            calls_lost,
        }
    }
}
