//! How long something took, as counts between bounds.
//!
//! Why these bounds: a transaction takes a fraction of a millisecond where nothing waits, and
//! whoever waits for a person or a lock takes seconds; Prometheus cannot sum up histograms of
//! different bounds, so everything has the same. Not here: what took so long.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds in nanoseconds; what takes longer is counted behind the last.
pub const BOUNDS_NS: [u64; 13] = [
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    1_000_000_000,
    5_000_000_000,
    30_000_000_000,
];
const PLACES: usize = BOUNDS_NS.len() + 1;

/// Counts from any number of threads.
#[derive(Debug, Default)]
pub struct Histogram {
    counts: [AtomicU64; PLACES],
    sum_ns: AtomicU64,
}

/// What was counted up to a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// How often it took at most each of [`BOUNDS_NS`] and more than the one before; at last, how
    /// often it took longer than all of them.
    pub counts: [u64; PLACES],
    /// All times together, nanoseconds.
    pub sum_ns: u64,
}

impl Histogram {
    /// It took so long once more.
    pub fn saw(&self, took: Duration) {
        let ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let place = BOUNDS_NS.partition_point(|bound| *bound < ns);
        self.counts[place].fetch_add(1, Relaxed);
        self.sum_ns.fetch_add(ns, Relaxed);
    }

    /// What was counted.
    pub fn read(&self) -> Reading {
        Reading {
            counts: std::array::from_fn(|place| self.counts[place].load(Relaxed)),
            sum_ns: self.sum_ns.load(Relaxed),
        }
    }
}

impl Reading {
    /// How often.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How long in the middle; zero where nothing was counted.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.sum_ns.checked_div(self.count()).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_counted_at_the_first_bound_that_holds_it() {
        let histogram = Histogram::default();
        for micros in [250, 251, 60_000_000, 60_000_000] {
            histogram.saw(Duration::from_micros(micros));
        }
        let read = histogram.read();
        assert_eq!(read.counts, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert_eq!((read.count(), read.sum_ns), (4, 120_000_501_000));
        assert_eq!(read.mean(), Duration::from_nanos(30_000_125_250));
        assert_eq!(Reading::default().mean(), Duration::ZERO);
    }
}
