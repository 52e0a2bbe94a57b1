//! Statistics that wait to be written, beside the records of tasks.
//!
//! Why apart: they come all at once and seldom, and the queue of tasks' records is as cheap as it
//! can be. Not here: who writes them (`recorder`).

use std::sync::{Mutex, PoisonError};
use transom_monitoring::statistics::Written;

/// Bytes a record is taken for, besides its figures.
const RECORD_BYTES: usize = 64;
/// Bytes a figure is taken for.
const FIGURE_BYTES: usize = 32;

pub(crate) struct Beside {
    bytes_max: usize,
    waits: Mutex<(Waiting, usize)>,
}

/// What waits.
#[derive(Default)]
pub(crate) struct Waiting {
    pub(crate) records: Vec<Written>,
    /// Records there was no room for.
    pub(crate) refused: u64,
}

impl Beside {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            waits: Mutex::default(),
        }
    }

    pub(crate) fn put(&self, written: Written) {
        let bytes = RECORD_BYTES + written.figures.len() * FIGURE_BYTES;
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        let (waiting, used) = &mut *waits;
        if *used + bytes > self.bytes_max {
            waiting.refused += 1;
            return;
        }
        *used += bytes;
        waiting.records.push(written);
    }

    pub(crate) fn take(&self) -> Waiting {
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *waits).0
    }
}
