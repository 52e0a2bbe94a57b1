//! Counters under the dispatch lock.
//!
//! Why: they are made again after a death, so one that is short must not wrap. Not here: what is
//! counted.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// One less, never below 0.
pub(super) fn decrement(counter: &AtomicU32) {
    let now = counter.load(Relaxed);
    counter.store(now.saturating_sub(1), Relaxed);
}
