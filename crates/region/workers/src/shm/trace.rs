//! Rings of trace entries in shared memory, one for each worker.
//!
//! Why here: entries of a worker that was killed are read too. Not here: a ring, writing entries to
//! a data set (`region/trace`), which entries are made (`commands`).

use super::Segment;
use std::sync::atomic::Ordering::Relaxed;
use transom_region_trace::{ENTRIES, Ring};
use transom_trace::{Entry, Flags, Rings};

impl Segment {
    /// The ring of a worker.
    pub(crate) fn trace(&self, slot: usize) -> &Ring {
        let slot = slot.min(self.slots() - 1);
        // SAFETY: the layout has a ring for each slot at this place, on a boundary of pages; rings
        // are zero-initialised atomics.
        unsafe { &*((self.base() + self.rings_at) as *const Ring).add(slot) }
    }

    /// What is traced.
    pub(crate) fn trace_flags(&self) -> Flags {
        Flags(self.header().trace_flags.0.load(Relaxed))
    }
}

/// The rings of a region.
pub(crate) struct SegmentRings(pub(crate) &'static Segment);

impl Rings for SegmentRings {
    fn flags(&self) -> Flags {
        self.0.trace_flags()
    }

    fn set_flags(&self, flags: Flags) {
        self.0.header().trace_flags.0.store(flags.0, Relaxed);
    }

    fn count(&self) -> usize {
        self.0.slots()
    }

    fn length(&self) -> usize {
        ENTRIES
    }

    fn newest(&self, ring: usize) -> u64 {
        self.0.trace(ring).newest()
    }

    fn entry(&self, ring: usize, number: u64) -> Option<Entry> {
        self.0.trace(ring).entry(number)
    }

    fn taken(&self, ring: usize, number: u64) {
        self.0.trace(ring).taken(number);
    }
}
