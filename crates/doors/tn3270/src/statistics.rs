//! Counts of a door: sessions, records, failures.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counters of one listener, all since its start.
#[derive(Debug, Default)]
pub struct SessionCounts {
    /// Sessions that logged on.
    pub logons: Counter,
    /// Clients that never became a terminal: no 3270, refused, too slow.
    pub refused: Counter,
    /// Records from terminals.
    pub records_in: Counter,
    /// Data streams to terminals.
    pub records_out: Counter,
    /// Records that were no 3270 input.
    pub bad_records: Counter,
    /// Records a client answered with an error.
    pub records_refused: Counter,
    /// Connections beyond the share of their client.
    pub over_share: Counter,
    /// Sessions ended because the client did not answer a sign of life.
    pub not_answering: Counter,
    /// Sessions ended because the client did not read.
    pub not_reading: Counter,
    /// Sessions ended because nothing was typed for too long.
    pub idle_ended: Counter,
}

/// One counter.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// The count now.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
