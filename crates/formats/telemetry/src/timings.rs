//! How long things of one kind took, each under its name.
//!
//! Why a bound: programs and clients choose names, and whoever stores figures keeps each name for
//! ever. What comes beyond the bound is counted together, and said to be so. Not here: which kind
//! of things.

use crate::histogram::{Histogram, Reading};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// Times by name.
#[derive(Debug)]
pub struct Timings<K> {
    names_max: usize,
    by_name: RwLock<HashMap<K, Arc<Counts>>>,
    others: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    times: Histogram,
    failed: AtomicU64,
}

/// What was counted under one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed<K> {
    /// The name.
    pub name: K,
    /// How long each took.
    pub times: Reading,
    /// How many of them failed.
    pub failed: u64,
}

/// What was counted under all names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedAll<K> {
    /// By name.
    pub by_name: Vec<Timed<K>>,
    /// What came under further names, beyond the bound.
    pub others: Reading,
    /// How many of them failed.
    pub others_failed: u64,
}

impl<K> Default for TimedAll<K> {
    fn default() -> Self {
        Self {
            by_name: Vec::new(),
            others: Reading::default(),
            others_failed: 0,
        }
    }
}

impl<K: Copy + Ord + Hash> Timings<K> {
    /// At most so many names.
    pub fn new(names_max: usize) -> Self {
        Self {
            names_max,
            by_name: RwLock::default(),
            others: Arc::default(),
        }
    }

    /// It took so long once more under this name.
    pub fn saw(&self, name: K, took: Duration, failed: bool) {
        let counts = self.counts(name);
        counts.times.saw(took);
        counts.failed.fetch_add(u64::from(failed), Relaxed);
    }

    fn counts(&self, name: K) -> Arc<Counts> {
        let known = self.by_name.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(counts) = known.get(&name) {
            return counts.clone();
        }
        if known.len() >= self.names_max {
            return self.others.clone();
        }
        drop(known);
        let mut all = self.by_name.write().unwrap_or_else(PoisonError::into_inner);
        match all.len() >= self.names_max && !all.contains_key(&name) {
            true => self.others.clone(),
            false => all.entry(name).or_default().clone(),
        }
    }

    /// What was counted, by name.
    pub fn read(&self) -> TimedAll<K> {
        let all = self.by_name.read().unwrap_or_else(PoisonError::into_inner);
        let counts: Vec<_> = all.iter().map(|(name, c)| (*name, c.clone())).collect();
        // Who counts under a new name waits no longer than that took.
        drop(all);
        let timed = |(name, counts): &(K, Arc<Counts>)| Timed {
            name: *name,
            times: counts.times.read(),
            failed: counts.failed.load(Relaxed),
        };
        let mut by_name: Vec<_> = counts.iter().map(timed).collect();
        by_name.sort_by_key(|timed| timed.name);
        TimedAll {
            by_name,
            others: self.others.times.read(),
            others_failed: self.others.failed.load(Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beyond_the_bound_are_counted_together() {
        let timings = Timings::new(2);
        for name in [7, 3, 9, 7, 9, 8] {
            timings.saw(name, Duration::from_millis(2), name == 9);
        }
        let read = timings.read();
        let seen: Vec<_> = read
            .by_name
            .iter()
            .map(|t| (t.name, t.times.count(), t.failed))
            .collect();
        assert_eq!(seen, [(3, 1, 0), (7, 2, 0)]);
        assert_eq!((read.others.count(), read.others_failed), (3, 2));
    }
}
