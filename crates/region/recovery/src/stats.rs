//! Figures of a store.
//!
//! What: counters since the start and the named limits. Why: each bound of the product has a place
//! in the statistics. Not here: how they are shown.

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
}
