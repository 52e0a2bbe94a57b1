//! What the domains of a worker keep from task to task.
//!
//! The sum of their leaves, as `task_state` is for a task. Not here: how each is filled.

use crate::file_control::reading::Reading;
use crate::program::state::Modules;
use crate::terminal::bms::mapsets::MapsetCache;

/// Caches of a worker.
#[derive(Default)]
pub(crate) struct Caches {
    /// Modules this worker could load once.
    pub modules: Modules,
    /// Maps this worker has read.
    pub mapsets: MapsetCache,
    /// The record store mapped for reading.
    pub reading: Reading,
}
