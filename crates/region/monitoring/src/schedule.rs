//! When statistics are written next.
//!
//! What: the end of the day, and, while recording is on, intervals, of which the first is shortened
//! so that whole ones remain until the end of the day. Not here: what is written.

use transom_monitoring::statistics::Why;

/// Seconds of a day.
pub(crate) const DAY_S: u32 = 86_400;

/// STATRCD, STATINT and STATEOD, or what SET STATISTICS made of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Intervals are recorded.
    pub on: bool,
    /// Seconds, 60 to 86,400.
    pub interval_s: u32,
    /// Second of the day, local time.
    pub end_of_day_s: u32,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            on: false,
            interval_s: 3_600,
            end_of_day_s: 0,
        }
    }
}

impl Schedule {
    /// Seconds from this second of the day until statistics are written, and why they are.
    pub fn next(&self, second: u32) -> (u32, Why) {
        let second = second % DAY_S;
        let end = self.end_of_day_s % DAY_S;
        let to_end = match (end + DAY_S - second) % DAY_S {
            0 => DAY_S,
            some => some,
        };
        if !self.on {
            return (to_end, Why::EndOfDay);
        }
        let interval = self.interval_s.clamp(1, DAY_S);
        let first = match to_end % interval {
            0 => interval,
            rest => rest,
        };
        match first == to_end {
            true => (to_end, Why::EndOfDay),
            false => (first, Why::Interval),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u32 = 3_600;

    #[test]
    fn the_first_interval_is_shortened_so_that_whole_ones_remain() {
        // The example of SET STATISTICS: cold start at 8, intervals of three hours.
        let mut schedule = Schedule {
            on: true,
            interval_s: 3 * HOUR,
            end_of_day_s: 0,
        };
        assert_eq!(schedule.next(8 * HOUR), (HOUR, Why::Interval));
        assert_eq!(schedule.next(9 * HOUR), (3 * HOUR, Why::Interval));
        schedule.interval_s = 2 * HOUR;
        assert_eq!(schedule.next(9 * HOUR), (HOUR, Why::Interval));
        schedule.end_of_day_s = 17 * HOUR;
        assert_eq!(schedule.next(10 * HOUR), (HOUR, Why::Interval));
        assert_eq!(schedule.next(15 * HOUR), (2 * HOUR, Why::EndOfDay));
        assert_eq!(schedule.next(17 * HOUR), (2 * HOUR, Why::Interval));
    }

    #[test]
    fn the_end_of_the_day_comes_without_recording_too() {
        let schedule = Schedule::default();
        assert_eq!(schedule.next(DAY_S - 1), (1, Why::EndOfDay));
        assert_eq!(schedule.next(0), (DAY_S, Why::EndOfDay));
    }

    #[test]
    fn every_day_ends_at_its_end_whatever_the_interval() {
        for interval_s in [60, 61, 7_919, 86_399, DAY_S] {
            let schedule = Schedule {
                on: true,
                interval_s,
                end_of_day_s: 12_345,
            };
            let (mut at, mut days) = (777, 0);
            while days < 3 {
                let (wait, why) = schedule.next(at % DAY_S);
                assert!(wait > 0 && wait <= interval_s.max(1), "{interval_s} {at}");
                at += wait;
                if why == Why::EndOfDay {
                    assert_eq!(at % DAY_S, 12_345);
                    days += 1;
                }
            }
        }
    }
}
