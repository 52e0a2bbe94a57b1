//! One bounded thing of the region: how much there is, the most there was, how often its limit was
//! reached.
//!
//! Why: every limit is shown so, and counted in one way; [`group`] names the figures of one thing.
//! Not here: what the limit is, what happens at it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use transom_region_api::{Statistic, StatisticsGroup};

/// Counts something that has a limit.
#[derive(Debug, Default)]
pub struct Gauge {
    now: AtomicU64,
    peak: AtomicU64,
    reached: AtomicU64,
}

impl Gauge {
    /// Adds so much; `false`: it would be more than the limit, and nothing was added.
    pub fn add(&self, amount: u64, limit: u64) -> bool {
        let added = self.now.fetch_update(Relaxed, Relaxed, |now| {
            now.checked_add(amount).filter(|sum| *sum <= limit)
        });
        match added {
            Ok(before) => {
                self.peak.fetch_max(before + amount, Relaxed);
                true
            }
            Err(_) => {
                self.refused();
                false
            }
        }
    }

    /// So much is gone.
    pub fn take(&self, amount: u64) {
        let less = |now: u64| Some(now.saturating_sub(amount));
        let _always = self.now.fetch_update(Relaxed, Relaxed, less);
    }

    /// Somebody else counted: so much there is now.
    pub fn see(&self, now: u64) {
        self.now.store(now, Relaxed);
        self.peak.fetch_max(now, Relaxed);
    }

    /// The limit was reached once more.
    pub fn refused(&self) {
        self.reached.fetch_add(1, Relaxed);
    }

    /// How much there is, the most there was, how often the limit was reached.
    pub fn figures(&self) -> (u64, u64, u64) {
        let Self { now, peak, reached } = self;
        (now.load(Relaxed), peak.load(Relaxed), reached.load(Relaxed))
    }
}

/// Figures of one thing, for statistics.
pub fn group(name: &'static str, figures: &[(&'static str, u64)]) -> StatisticsGroup {
    let statistic = |(name, value): &(&'static str, u64)| Statistic {
        name,
        value: *value,
    };
    StatisticsGroup {
        name,
        values: figures.iter().map(statistic).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_reached_and_the_peak_stays() {
        let gauge = Gauge::default();
        assert!(gauge.add(3, 4) && !gauge.add(2, 4) && gauge.add(1, 4));
        gauge.take(9);
        assert_eq!(gauge.figures(), (0, 4, 1));
    }
}
