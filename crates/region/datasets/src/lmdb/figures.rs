//! Figures of the log, for statistics.
//!
//! Not here: what is done when it is full (`durable`).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use transom_recovery::LimitStat;

/// Figures of the log, to be looked at while it is written.
#[derive(Debug, Default)]
pub(super) struct LogFigures {
    pub(super) used: AtomicU64,
    pub(super) peak: AtomicU64,
    pub(super) waited: AtomicU64,
}

impl LogFigures {
    /// The log as a limit of `limit` bytes; reached: a group waited for a flush of the tree.
    pub(super) fn limit(&self, limit: usize) -> LimitStat {
        LimitStat {
            name: "store log bytes",
            now: self.used.load(Relaxed),
            peak: self.peak.load(Relaxed),
            limit: limit as u64,
            reached: self.waited.load(Relaxed),
        }
    }
}
