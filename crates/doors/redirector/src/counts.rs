//! Counters of a host.
//!
//! Not here: how they are shown (`figures`).

use crate::limit::Limit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is counted of a host.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) sessions: Arc<Limit>,
    /// Refused because one client had as many as it may.
    pub(crate) per_client: Limit,
    /// Sessions that began.
    pub(crate) begun: AtomicU64,
    /// Refused by allow, deny or a PROXY header.
    pub(crate) not_allowed: AtomicU64,
    /// Requests for an LU that were refused.
    pub(crate) lus_refused: AtomicU64,
    /// Handshakes that failed.
    pub(crate) handshakes_failed: AtomicU64,
    /// Handshakes that took too long.
    pub(crate) handshakes_late: AtomicU64,
    /// Sessions for which no target answered.
    pub(crate) without_target: AtomicU64,
    /// Sessions that got another target than the first they tried.
    pub(crate) failed_over: AtomicU64,
    /// Ended because nobody sent anything.
    pub(crate) idle: AtomicU64,
    /// Ended because the client did not answer a TIMING-MARK.
    pub(crate) silent: AtomicU64,
    pub(crate) bytes_in: AtomicU64,
    pub(crate) bytes_out: AtomicU64,
    /// Records of hosts: screens.
    pub(crate) records_out: AtomicU64,
}

/// One more.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Relaxed);
}
