//! Whether the holder that a lock names is alive: decided in the region, by its own record.
//!
//! What: a thread of the region has the lock if it says so itself; a worker may have it while its
//! process lives, and for so long at most. Why a limit: a worker that was stopped inside would
//! stop the region. Not here: the record of processes (`pool`).

use super::holder;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a worker may hold a lock for which the region waits. Locks are held for microseconds;
/// this is for machines that give a process no time.
pub(crate) const HOLD_MAX: Duration = Duration::from_secs(5);

/// What is to be done with a lock that somebody waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Its holder may go on.
    Holds,
    /// Its holder is dead, or it never had it.
    Gone,
}

/// The record of workers.
pub(crate) trait Record: Send + Sync {
    /// The worker of a slot can hold a lock: it lives. One that does so for longer than it may is
    /// ended first.
    fn lives(&self, slot: usize, too_long: bool) -> bool;
}

type Judge = (Range<usize>, Arc<dyn Record>);

static JUDGES: Mutex<Vec<Judge>> = Mutex::new(Vec::new());

/// From now on holders of locks between two addresses are looked up here.
pub(crate) fn appoint(addresses: Range<usize>, record: Arc<dyn Record>) {
    let mut judges = JUDGES.lock().unwrap_or_else(PoisonError::into_inner);
    judges.push((addresses, record));
}

/// The opposite.
pub(crate) fn dismiss(start: usize) {
    let mut judges = JUDGES.lock().unwrap_or_else(PoisonError::into_inner);
    judges.retain(|judge| judge.0.start != start);
}

/// Looks at the holder of a lock that has been waited for so long. Workers leave it to the region.
pub(crate) fn judge(lock: usize, owner: u32, waited: Duration) -> Verdict {
    if !holder::is_region() {
        return Verdict::Holds;
    }
    if holder::is_thread(owner) {
        return match owner != holder::me() && holder::has(owner, lock) {
            true => Verdict::Holds,
            false => Verdict::Gone,
        };
    }
    let record = {
        let judges = JUDGES.lock().unwrap_or_else(PoisonError::into_inner);
        let judge = judges.iter().find(|judge| judge.0.contains(&lock));
        judge.map(|judge| judge.1.clone())
    };
    match record {
        Some(record) if record.lives(owner as usize - 1, waited > HOLD_MAX) => Verdict::Holds,
        // Without a record nobody but the threads of this process has it.
        _ => Verdict::Gone,
    }
}
