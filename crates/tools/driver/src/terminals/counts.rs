//! What the terminals of a thread count into.

use super::fault::Fault;
use super::result::{FailedScreen, TerminalFailures, Times};
use crate::DriveError;
use crate::moments::Moments;
use hdrhistogram::Histogram;
use std::time::{Duration, Instant};
use transom_messages as messages;

/// Failures that are kept with their screens.
const SAMPLES_MAX: usize = 5;
/// Longest response time that is told apart, microseconds.
const TIME_US_MAX: u64 = 600_000_000;

/// Counters of one step.
pub(crate) struct Counts {
    /// Response times, microseconds.
    pub(crate) times: Histogram<u64>,
    pub(crate) logons: Histogram<u64>,
    pub(crate) labels: Vec<Label>,
    pub(crate) failures: TerminalFailures,
    pub(crate) samples: Vec<FailedScreen>,
    pub(crate) bytes_in: u64,
    pub(crate) moments: Moments,
    connected: i64,
    pub(crate) connected_peak: i64,
}

/// One label of the script.
pub(crate) struct Label {
    pub(crate) times: Histogram<u64>,
    pub(crate) failures: u64,
}

impl Counts {
    pub(crate) fn new(
        labels: usize,
        (from, until): (Instant, Instant),
    ) -> Result<Self, DriveError> {
        let labels = (0..labels).map(|_| {
            Ok(Label {
                times: histogram()?,
                failures: 0,
            })
        });
        Ok(Self {
            times: histogram()?,
            logons: histogram()?,
            labels: labels.collect::<Result<_, DriveError>>()?,
            failures: TerminalFailures::default(),
            samples: Vec::new(),
            bytes_in: 0,
            moments: Moments::new(from, until),
            connected: 0,
            connected_peak: 0,
        })
    }

    pub(crate) fn logon(&mut self, time: Duration) {
        self.logons.saturating_record(us(time));
    }

    pub(crate) fn connected(&mut self, change: i64) {
        self.connected += change;
        self.connected_peak = self.connected_peak.max(self.connected);
    }

    pub(crate) fn screen(&mut self, label: usize, time: Duration, when: Instant) {
        self.moments.good(when, time);
        self.times.saturating_record(us(time));
        if let Some(label) = self.labels.get_mut(label) {
            label.times.saturating_record(us(time));
        }
    }

    pub(crate) fn failure(
        &mut self,
        terminal: u32,
        line: u32,
        label: Option<usize>,
        fault: &Fault,
        screen: String,
    ) {
        fault.kind.count(&mut self.failures);
        self.moments.failed(Instant::now());
        if let Some(label) = label.and_then(|l| self.labels.get_mut(l)) {
            label.failures += 1;
        }
        if self.samples.len() < SAMPLES_MAX {
            self.samples.push(FailedScreen {
                terminal,
                line,
                reason: fault.text.clone(),
                screen,
            });
        }
    }

    /// Adds those of another thread.
    pub(crate) fn add(&mut self, other: Self) {
        // Both have the same bounds, so that nothing can be out of range.
        let _fits = (self.times.add(other.times), self.logons.add(other.logons));
        for (own, other) in self.labels.iter_mut().zip(other.labels) {
            let _fits = own.times.add(other.times);
            own.failures += other.failures;
        }
        self.moments.add(other.moments);
        self.failures.add(&other.failures);
        self.samples.extend(other.samples);
        self.samples.truncate(SAMPLES_MAX);
        self.bytes_in += other.bytes_in;
        self.connected_peak += other.connected_peak;
    }
}

/// The figures of a histogram.
pub(crate) fn times(histogram: &Histogram<u64>) -> Times {
    if histogram.is_empty() {
        return Times::default();
    }
    let at = |q: f64| histogram.value_at_quantile(q) as f64 / 1000.0;
    Times {
        average_ms: histogram.mean() / 1000.0,
        p50_ms: at(0.5),
        p90_ms: at(0.9),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
        max_ms: histogram.max() as f64 / 1000.0,
    }
}

fn histogram() -> Result<Histogram<u64>, DriveError> {
    // Three digits over ten minutes; the memory grows with what is recorded.
    let mut histogram = Histogram::new_with_bounds(1, TIME_US_MAX, 3)
        .map_err(|e| DriveError(messages::dr::cannot_start(e).to_string()))?;
    histogram.auto(true);
    Ok(histogram)
}

fn us(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
