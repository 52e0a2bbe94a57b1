//! What is counted of places under MXT and of those of transaction classes.
//!
//! Not here: who gets a place (`dispatcher`).

use transom_wire::definitions::ClassLimit;

/// Counters for statistics.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    pub active: usize,
    pub active_peak: usize,
    pub queued: usize,
    pub queued_peak: usize,
    pub times_at_max: u64,
    pub times_queue_full: u64,
    pub admitted: u64,
    /// Times the number of active tasks became MXT.
    pub reached_max: u64,
    /// Tasks that wait for a place of MXT and for no class.
    pub waiting: usize,
    pub waiting_peak: usize,
    /// Tasks that waited so and wait no more.
    pub waited: u64,
}

/// Counters of one class.
#[derive(Debug, Clone, Copy)]
pub struct ClassCounts {
    pub limit: ClassLimit,
    pub active: u32,
    pub peak: u32,
    pub queued: usize,
    pub times_at_max: u64,
    pub purged: u64,
    /// Attach requests.
    pub attached: u64,
    /// Those that got a place at once, and those that had to wait for one.
    pub accepted: u64,
    pub accepted_later: u64,
    pub queued_peak: usize,
    /// Times the number of active tasks became MAXACTIVE, and that of waiting ones PURGETHRESH.
    pub reached_max: u64,
    pub reached_threshold: u64,
}

impl ClassCounts {
    pub(crate) fn new(limit: ClassLimit) -> Self {
        Self {
            limit,
            active: 0,
            peak: 0,
            queued: 0,
            times_at_max: 0,
            purged: 0,
            attached: 0,
            accepted: 0,
            accepted_later: 0,
            queued_peak: 0,
            reached_max: 0,
            reached_threshold: 0,
        }
    }

    pub(crate) fn count_active(&mut self) {
        self.active += 1;
        self.peak = self.peak.max(self.active);
        if self.active == self.limit.max_active {
            self.reached_max += 1;
        }
    }

    /// A task waits for a place.
    pub(crate) fn enter_queue(&mut self) {
        self.queued += 1;
        self.queued_peak = self.queued_peak.max(self.queued);
        if self.queued == self.limit.purge_threshold as usize {
            self.reached_threshold += 1;
        }
    }

    /// A task that waited has a place.
    pub(crate) fn leave_queue(&mut self) {
        self.queued -= 1;
        self.accepted_later += 1;
        self.count_active();
    }
}
