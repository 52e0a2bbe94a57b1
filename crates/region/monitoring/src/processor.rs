//! The processor time of a thread, read from the system now and then.
//!
//! Why: reading it is a call of the system, half a microsecond, which short tasks that follow each
//! other would all pay. Within [`EXACT_EVERY`] of the last reading the thread is taken to have been
//! on the processor except while it waited; the next reading puts right what that missed, so sums
//! are exact and a task that took longer than that is. What is missed: another thread that had the
//! processor for less. Not here: what the time belongs to (`stopwatch`).

use std::time::{Duration, Instant};

/// How long a reading is good for.
const EXACT_EVERY: Duration = Duration::from_micros(250);
/// A thread that had nothing to do for longer slept.
const NO_PAUSE: Duration = Duration::from_micros(20);

/// Tells the processor time of its thread.
pub(crate) struct ProcessorTime {
    /// Asks the system, in nanoseconds.
    exact: fn() -> u64,
    read: Option<Reading>,
    /// What was told last, which is never taken back.
    told: u64,
    told_at: Option<Instant>,
}

struct Reading {
    at: Instant,
    cpu: u64,
    /// Waited since then.
    rested: Duration,
}

impl ProcessorTime {
    pub(crate) fn new(exact: fn() -> u64) -> Self {
        Self {
            exact,
            read: None,
            told: 0,
            told_at: None,
        }
    }

    /// The thread has waited for so long.
    pub(crate) fn rested(&mut self, time: Duration) {
        if let Some(read) = &mut self.read {
            read.rested += time;
        }
    }

    /// The thread takes up a task. After a pause nothing is taken for granted.
    pub(crate) fn resumes(&mut self, now: Instant) {
        let pause = |told: Instant| now.saturating_duration_since(told) > NO_PAUSE;
        if self.told_at.is_none_or(pause) {
            self.read = None;
        }
    }

    /// Nanoseconds of processor time up to now.
    pub(crate) fn at(&mut self, now: Instant) -> u64 {
        let good = self.read.as_ref().and_then(|read| {
            let since = now.saturating_duration_since(read.at);
            let ran = since.saturating_sub(read.rested);
            (since < EXACT_EVERY).then(|| read.cpu.saturating_add(ran.as_nanos() as u64))
        });
        let cpu = good.unwrap_or_else(|| {
            let cpu = (self.exact)();
            self.read = Some(Reading {
                at: now,
                cpu,
                rested: Duration::ZERO,
            });
            cpu
        });
        self.told = self.told.max(cpu);
        self.told_at = Some(now);
        self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static CPU: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
    }

    /// Counts how often it is asked.
    fn exact() -> u64 {
        let (cpu, asked) = CPU.get();
        CPU.set((cpu, asked + 1));
        cpu
    }

    fn system_says(cpu: u64) {
        CPU.set((cpu, CPU.get().1));
    }

    const US: Duration = Duration::from_micros(1);

    #[test]
    fn short_tasks_ask_seldom_and_the_sum_is_that_of_the_system() {
        let (begin, mut time) = (Instant::now(), ProcessorTime::new(exact));
        system_says(1_000_000);
        assert_eq!(time.at(begin), 1_000_000);
        time.resumes(begin + US);
        assert_eq!(time.at(begin + 10 * US), 1_010_000);
        time.rested(100 * US);
        assert_eq!(time.at(begin + 130 * US), 1_030_000);
        assert_eq!(CPU.get().1, 1);
        // Another thread had the processor: what was told stays, and what follows makes up for it.
        system_says(1_025_000);
        assert_eq!(time.at(begin + 260 * US), 1_030_000);
        system_says(1_275_000);
        assert_eq!(time.at(begin + 510 * US), 1_275_000);
    }

    #[test]
    fn after_a_pause_the_system_is_asked() {
        let (begin, mut time) = (Instant::now(), ProcessorTime::new(exact));
        system_says(5);
        time.at(begin);
        time.resumes(begin + 100 * US);
        system_says(7_005);
        assert_eq!(time.at(begin + 107 * US), 7_005);
    }
}
