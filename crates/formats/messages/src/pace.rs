//! When the next line about a long work is due.
//!
//! Why: a work of minutes must not look like one that hangs, and one that is over soon says
//! nothing. Not here: the line, and what the time is.

use std::time::{Duration, Instant};

/// Lines at most so often.
#[derive(Debug)]
pub struct Pace {
    next: Instant,
    every: Duration,
}

impl Pace {
    /// A work begins; the first line is due after `every`.
    pub fn of(every: Duration, now: Instant) -> Self {
        let next = now + every;
        Self { next, every }
    }

    /// Whether a line is due now.
    pub fn is_due(&mut self, now: Instant) -> bool {
        let due = now >= self.next;
        if due {
            self.next = now + self.every;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_when_the_time_is_over() {
        let (begin, second) = (Instant::now(), Duration::from_secs(1));
        let mut pace = Pace::of(2 * second, begin);
        let due = [1, 2, 3, 5, 6].map(|after| pace.is_due(begin + after * second));
        assert_eq!(due, [false, true, false, true, false]);
    }
}
