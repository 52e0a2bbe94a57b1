//! Figures of a store.
//!
//! What: counters since the start and the named limits. Why: each bound of the product has a place
//! in the statistics. Not here: how they are shown.

use crate::StoreError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One named limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitStat {
    /// Its name.
    pub name: &'static str,
    /// Used now.
    pub now: u64,
    /// Most ever used.
    pub peak: u64,
    /// The bound.
    pub limit: u64,
    /// How often something was refused because of it.
    pub reached: u64,
}

/// Bytes of data and of the file they are in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Space {
    /// Of the data: records, keys and the pages around them.
    pub net: u64,
    /// Of pages that hold no data and that later data use; room of the disk or not.
    pub free: u64,
    /// Length of the file.
    pub file: u64,
    /// What the file takes of its disk: less than its length where room was given back.
    pub disk: u64,
}

impl Space {
    /// Of data of so many bytes in a file.
    #[must_use]
    pub fn of(net: u64, file: u64, disk: u64) -> Self {
        let free = file.saturating_sub(net);
        Self {
            net,
            free,
            file,
            disk,
        }
    }
}

/// Figures since the store was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreStats {
    /// Units of work committed with changes.
    pub commits: u64,
    /// Units of work backed out or released with changes.
    pub backouts: u64,
    /// Units of work prepared.
    pub prepares: u64,
    /// Calls of `write_now` that succeeded.
    pub writes_now: u64,
    /// Transactions of the engine: commits, prepares and direct writes share them.
    pub groups: u64,
    /// Lock requests that had to wait.
    pub lock_waits: u64,
    /// Waits that ended at their deadline.
    pub lock_timeouts: u64,
    /// Requests refused because they would have been a deadlock.
    pub deadlocks: u64,
    /// Requests refused because of a retained lock.
    pub retained_refusals: u64,
    /// Locks, overlay bytes of a unit of work, queue of the committer, map size.
    pub limits: Vec<LimitStat>,
    /// Of the data file, where there is one.
    pub space: Option<Space>,
}

impl StoreStats {
    /// Adds the figures of another store; its limits come behind.
    pub fn add(&mut self, other: Self) {
        self.commits += other.commits;
        self.backouts += other.backouts;
        self.prepares += other.prepares;
        self.writes_now += other.writes_now;
        self.groups += other.groups;
        self.lock_waits += other.lock_waits;
        self.lock_timeouts += other.lock_timeouts;
        self.deadlocks += other.deadlocks;
        self.retained_refusals += other.retained_refusals;
        self.limits.extend(other.limits);
        self.space = self.space.or(other.space);
    }
}

/// What every store counts of its units of work.
#[derive(Debug, Default)]
pub struct Counters {
    /// See [`StoreStats::commits`].
    pub commits: AtomicU64,
    /// See [`StoreStats::backouts`].
    pub backouts: AtomicU64,
    /// See [`StoreStats::prepares`].
    pub prepares: AtomicU64,
    /// See [`StoreStats::writes_now`].
    pub writes_now: AtomicU64,
    overlay_peak: AtomicU64,
    overlay_reached: AtomicU64,
}

impl Counters {
    /// Counts one.
    pub fn one(counter: &AtomicU64) {
        counter.fetch_add(1, Relaxed);
    }

    /// Refuses changes that would make a unit of work longer than it may be.
    pub fn must_fit(&self, bytes: usize, max: usize) -> Result<(), StoreError> {
        if bytes > max {
            Self::one(&self.overlay_reached);
            return Err(StoreError::Limit("bytes of a unit of work"));
        }
        Ok(())
    }

    /// A unit of work has changes of so many bytes now.
    pub fn holds(&self, bytes: usize) {
        self.overlay_peak.fetch_max(bytes as u64, Relaxed);
    }

    /// Bytes of the changes of one unit of work as a limit.
    #[must_use]
    pub fn overlay_limit(&self, now: u64, max: usize) -> LimitStat {
        LimitStat {
            name: "bytes of a unit of work",
            now,
            peak: self.overlay_peak.load(Relaxed),
            limit: max as u64,
            reached: self.overlay_reached.load(Relaxed),
        }
    }

    /// The figures, without those of locks and groups.
    #[must_use]
    pub fn stats(&self) -> StoreStats {
        StoreStats {
            commits: self.commits.load(Relaxed),
            backouts: self.backouts.load(Relaxed),
            prepares: self.prepares.load(Relaxed),
            writes_now: self.writes_now.load(Relaxed),
            ..StoreStats::default()
        }
    }
}
