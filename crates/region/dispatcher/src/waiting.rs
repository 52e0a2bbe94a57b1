//! A task that waits for a place, and the order in which waiting tasks go.
//!
//! The priority of a waiting task rises by one each PRTYAGE milliseconds. All of them rise alike,
//! so a task's rank is its priority less the time it came at, in that unit, and does not change
//! while it waits. Not here: places (`dispatcher`).

use std::cmp::Ordering;
use std::time::Instant;
use transom_types::TransClass;

/// Runs a task once it is admitted. `false`: it did not start, its places are free again.
pub type Start = Box<dyn FnOnce() -> bool + Send>;

/// Tells the time; never goes back.
pub type Now = Box<dyn Fn() -> Instant + Send + Sync>;

/// How priorities rise.
pub(crate) struct Time {
    now: Now,
    began: Instant,
    /// PRTYAGE; 0: they do not.
    pub(crate) aging_ms: u64,
}

impl Default for Time {
    /// Priorities do not rise.
    fn default() -> Self {
        Self::new(Box::new(Instant::now), 0)
    }
}

impl Time {
    /// Priorities rise by one in so many milliseconds of this clock.
    pub(crate) fn new(now: Now, aging_ms: u64) -> Self {
        Self {
            began: now(),
            now,
            aging_ms,
        }
    }

    /// Higher goes first. `came_ms` counts from the region's start.
    pub(crate) fn rank(&self, priority: u8, came_ms: u64) -> i128 {
        let priority = i128::from(priority);
        match self.aging_ms {
            0 => priority,
            aging => priority * i128::from(aging) - i128::from(came_ms),
        }
    }

    pub(crate) fn now_ms(&self) -> u64 {
        let since = (self.now)().saturating_duration_since(self.began);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

impl std::fmt::Debug for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Time({} ms)", self.aging_ms)
    }
}

pub(crate) struct Waiting {
    pub(crate) rank: i128,
    pub(crate) priority: u8,
    pub(crate) came_ms: u64,
    pub(crate) sequence: u64,
    /// It came to the queue of MXT when places were given out for this time; 0: by itself.
    pub(crate) fill: u64,
    pub(crate) class: Option<TransClass>,
    pub(crate) start: Start,
}

impl Waiting {
    /// It goes from the queue of its class to that of MXT.
    pub(crate) fn at_fill(self, fill: u64) -> Self {
        Self { fill, ..self }
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank
            .cmp(&other.rank)
            .then(other.sequence.cmp(&self.sequence))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.sequence == other.sequence
    }
}

impl Eq for Waiting {}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Waiting({}, {})", self.priority, self.sequence)
    }
}
