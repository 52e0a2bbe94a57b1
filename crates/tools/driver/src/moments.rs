//! A step from moment to moment, and how its response times are spread.
//!
//! Why: an average hides a pause, and a percentile does not say when it was. Not here: plots.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Most moments of a step.
const MOMENTS_MAX: u32 = 60;
/// Shortest moment.
const SHORTEST: Duration = Duration::from_millis(250);
/// Longest response time that is told apart here, microseconds.
const TIME_US_MAX: u64 = 600_000_000;

/// One moment of a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Moment {
    /// Its end, seconds after measuring began.
    pub at_s: f64,
    /// Good replies or screens per second.
    pub per_s: f64,
    /// Response time that 99 of 100 were within, milliseconds.
    pub p99_ms: f64,
    /// Failures.
    pub failures: u64,
}

/// How many response times were within some bounds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Share {
    /// Milliseconds; up to the next one's, or the longest.
    pub from_ms: f64,
    /// Of 100.
    pub percent: f64,
}

/// What a thread counts by moment.
pub(crate) struct Moments {
    from: Instant,
    width: Duration,
    all: Vec<Counted>,
}

struct Counted {
    times: Histogram<u32>,
    failures: u64,
}

impl Moments {
    /// Of the time that is measured.
    pub(crate) fn new(from: Instant, until: Instant) -> Self {
        let length = until.saturating_duration_since(from);
        let width = (length / MOMENTS_MAX).max(SHORTEST);
        Self {
            from,
            width,
            all: Vec::new(),
        }
    }

    pub(crate) fn good(&mut self, when: Instant, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        if let Some(counted) = self.at(when) {
            counted.times.saturating_record(us);
        }
    }

    pub(crate) fn failed(&mut self, when: Instant) {
        if let Some(counted) = self.at(when) {
            counted.failures += 1;
        }
    }

    /// None before measuring begins, and none far behind its end.
    fn at(&mut self, when: Instant) -> Option<&mut Counted> {
        let since = when.checked_duration_since(self.from)?;
        let nth = usize::try_from(since.as_nanos() / self.width.as_nanos()).ok()?;
        if nth > MOMENTS_MAX as usize {
            return None;
        }
        while self.all.len() <= nth {
            // Bounds that are always possible.
            let times = Histogram::new_with_bounds(1, TIME_US_MAX, 2).ok()?;
            self.all.push(Counted { times, failures: 0 });
        }
        self.all.get_mut(nth)
    }

    /// Adds those of another thread.
    pub(crate) fn add(&mut self, other: Self) {
        for (nth, counted) in other.all.into_iter().enumerate() {
            match self.all.get_mut(nth) {
                Some(own) => {
                    // Both have the same bounds.
                    let _fits = own.times.add(counted.times);
                    own.failures += counted.failures;
                }
                None => self.all.push(counted),
            }
        }
    }

    /// Whole moments of a step that measured for so long.
    pub(crate) fn whole(&self, measured: Duration) -> Vec<Moment> {
        let width = self.width.as_secs_f64();
        let whole = (measured.as_secs_f64() / width + 0.01) as usize;
        let none = (0, 0.0, 0);
        (0..whole)
            .map(|nth| {
                let (good, p99_us, failures) = self.all.get(nth).map_or(none, |counted| {
                    let times = &counted.times;
                    let p99 = times.value_at_quantile(0.99) as f64;
                    (times.len(), p99, counted.failures)
                });
                Moment {
                    at_s: (nth + 1) as f64 * width,
                    per_s: good as f64 / width,
                    p99_ms: p99_us / 1e3,
                    failures,
                }
            })
            .collect()
    }
}

/// The spread of response times in microseconds, from the first bound that has any to the last.
pub(crate) fn spread(times: &Histogram<u64>) -> Vec<Share> {
    let steps = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0];
    let bounds: Vec<u64> = (1..9)
        .flat_map(|power| steps.map(|step| (step * 10_f64.powi(power)) as u64))
        .collect();
    let mut shares: Vec<Share> = std::iter::once(&0)
        .chain(&bounds)
        .zip(bounds.iter().chain(std::iter::once(&u64::MAX)))
        .map(|(from, to)| Share {
            from_ms: *from as f64 / 1e3,
            percent: times.count_between(*from + 1, *to) as f64 * 100.0 / times.len().max(1) as f64,
        })
        .collect();
    while shares.last().is_some_and(|share| share.percent == 0.0) {
        shares.pop();
    }
    let first = shares.iter().position(|share| share.percent > 0.0);
    shares.split_off(first.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_rates_tails_and_failures() {
        let from = Instant::now();
        let second = Duration::from_secs(1);
        let mut one = Moments::new(from, from + 60 * second);
        let mut other = Moments::new(from, from + 60 * second);
        for _ in 0..50 {
            one.good(from + second / 2, Duration::from_millis(2));
            other.good(from + second / 2, Duration::from_millis(4));
        }
        other.failed(from + 2 * second + second / 2);
        // Neither before nor after.
        one.good(from - second, second);
        one.good(from + 1_000 * second, second);
        one.add(other);
        let all = one.whole(60 * second);
        assert_eq!(all.len(), 60);
        assert_eq!(all[0].per_s, 100.0);
        assert!((3.9..4.1).contains(&all[0].p99_ms), "{all:?}");
        assert_eq!((all[1].per_s, all[1].failures), (0.0, 0));
        assert_eq!((all[2].at_s, all[2].failures), (3.0, 1));
    }

    #[test]
    fn shares_are_a_hundred_together() {
        let mut times = Histogram::new_with_bounds(1, TIME_US_MAX, 3).unwrap();
        for us in [5, 120, 180, 90_000] {
            times.record(us).unwrap();
        }
        let shares = spread(&times);
        assert_eq!(shares[0].from_ms, 0.0);
        assert_eq!(shares.iter().map(|s| s.percent).sum::<f64>(), 100.0);
        assert_eq!(shares.last().unwrap().from_ms, 70.0);
        let none: Histogram<u64> = Histogram::new_with_bounds(1, TIME_US_MAX, 3).unwrap();
        assert!(spread(&none).is_empty());
    }
}
