//! Statistics: when they are written, and since when they count.
//!
//! What: domains count since the region started; a reset remembers what they had counted, and
//! everything is told less that. Peaks begin anew where they are kept, so whoever resets says so to
//! the domains as well. Why so: nothing that counts has to know of intervals. Not here: what
//! domains count, who asks.

use crate::schedule::Schedule;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use transom_monitoring::statistics::{Counted, Means, Value, Why};

/// A moment: nanoseconds since 1970, and the second of the local day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub unix_ns: u64,
    pub second: u32,
}

/// What INQUIRE STATISTICS tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    pub schedule: Schedule,
    /// Nanoseconds since 1970 when statistics are written next.
    pub next_ns: u64,
    /// The same as the second of the day.
    pub next_second: u32,
    /// When counts began anew.
    pub since_ns: u64,
}

/// What SET STATISTICS changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Change {
    pub on: Option<bool>,
    pub interval_s: Option<u32>,
    pub end_of_day_s: Option<u32>,
}

/// The service.
#[derive(Debug)]
pub struct Recording(Mutex<State>);

#[derive(Debug)]
struct State {
    facts: Facts,
    why: Why,
    /// What each record had counted at the last reset.
    before: HashMap<(&'static str, Vec<u8>), Vec<u64>>,
}

const SECOND_NS: u64 = 1_000_000_000;
/// Nothing is further away than a day; a clock that shows more went back.
const FAR_NS: u64 = 86_400 * SECOND_NS;

impl Recording {
    /// Of a region that starts now.
    pub fn new(schedule: Schedule, now: Moment) -> Self {
        let facts = Facts {
            schedule,
            next_ns: now.unix_ns,
            next_second: now.second,
            since_ns: now.unix_ns,
        };
        let mut state = State {
            facts,
            why: Why::EndOfDay,
            before: HashMap::new(),
        };
        state.plan(now);
        Self(Mutex::new(state))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn facts(&self) -> Facts {
        self.lock().facts
    }

    /// Changes it; answers whether recording is switched.
    pub fn change(&self, change: Change, now: Moment) -> bool {
        let mut state = self.lock();
        let before = state.facts.schedule;
        let schedule = Schedule {
            on: change.on.unwrap_or(before.on),
            interval_s: change.interval_s.unwrap_or(before.interval_s),
            end_of_day_s: change.end_of_day_s.unwrap_or(before.end_of_day_s),
        };
        if schedule != before {
            state.facts.schedule = schedule;
            state.plan(now);
        }
        schedule.on != before.on
    }

    /// Statistics are to be written now; the next time is planned.
    pub fn due(&self, now: Moment) -> Option<Why> {
        let mut state = self.lock();
        let why = state.why;
        let is_due = now.unix_ns >= state.facts.next_ns;
        if is_due || state.facts.next_ns - now.unix_ns > FAR_NS {
            state.plan(now);
        }
        is_due.then_some(why)
    }

    /// What was counted since the last reset.
    pub fn since_reset(&self, mut counted: Counted) -> Counted {
        let state = self.lock();
        let key = (counted.layout.name, counted.resource().to_vec());
        let Some(before) = state.before.get(&key) else {
            return counted;
        };
        let fields = counted.layout.all().zip(&mut counted.values);
        let mut counts = before.iter();
        for (field, value) in fields {
            let Value::Number(number) = value else {
                continue;
            };
            match field.means {
                // What was installed anew counts from its beginning.
                Means::Count => {
                    let before = counts.next().copied().unwrap_or(0);
                    *number = number.checked_sub(before).unwrap_or(*number);
                }
                Means::Before => *number = before.first().copied().unwrap_or(0),
                Means::Now | Means::Peak | Means::Text(_) => {}
            }
        }
        counted
    }

    /// What this counted since the last reset; it counts anew from now on. `is_gone`: it will count
    /// from nothing.
    pub fn goes(&self, counted: &Counted, is_gone: bool) -> Counted {
        let since = self.since_reset(counted.clone());
        let key = (counted.layout.name, counted.resource().to_vec());
        let before = &mut self.lock().before;
        match is_gone {
            true => before.remove(&key),
            false => before.insert(key, counts(counted)),
        };
        since
    }

    /// Counts begin anew with these, which are told as they were counted since the start.
    pub fn reset<'a>(&self, all: impl IntoIterator<Item = &'a Counted>, now: Moment) {
        let mut state = self.lock();
        state.before.clear();
        for counted in all {
            let counts = counts(counted);
            if counts.iter().any(|count| *count > 0) {
                let key = (counted.layout.name, counted.resource().to_vec());
                state.before.insert(key, counts);
            }
        }
        state.facts.since_ns = now.unix_ns;
    }
}

/// Its counts, in the order of its fields.
fn counts(counted: &Counted) -> Vec<u64> {
    let fields = counted.layout.all().zip(&counted.values);
    let counts = fields.filter_map(|(field, value)| match (field.means, value) {
        (Means::Count, Value::Number(number)) => Some(*number),
        _ => None,
    });
    counts.collect()
}

impl State {
    fn plan(&mut self, now: Moment) {
        let (wait, why) = self.facts.schedule.next(now.second);
        let begun = now.unix_ns - now.unix_ns % SECOND_NS;
        self.facts.next_ns = begun + u64::from(wait) * SECOND_NS;
        self.facts.next_second = (now.second + wait) % crate::schedule::DAY_S;
        self.why = why;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_monitoring::statistics::{PROGRAM, TRANSACTION_MANAGER};

    fn at(second: u32) -> Moment {
        Moment {
            unix_ns: 1_795_305_600_000_000_000 + u64::from(second) * SECOND_NS,
            second: second % 86_400,
        }
    }

    fn used(times: u64) -> Counted {
        let values = vec![Value::Text(b"PAY".to_vec()), Value::Number(times)];
        Counted::new(&PROGRAM, values)
    }

    fn manager(attached: u64) -> Counted {
        let values = [attached, 120, 1, 0, 0, 3, 0, attached, 0, 0];
        let values = values.map(Value::Number).to_vec();
        Counted::new(&TRANSACTION_MANAGER, values)
    }

    #[test]
    fn counts_begin_anew_and_the_sum_of_before_is_kept() {
        let recording = Recording::new(Schedule::default(), at(0));
        assert_eq!(recording.since_reset(used(5)).number("LDRTU"), Some(5));
        recording.reset(&[used(5), manager(7)], at(60));
        assert_eq!(recording.since_reset(used(9)).number("LDRTU"), Some(4));
        let manager = recording.since_reset(manager(10));
        assert_eq!(
            ["XMGNUM", "XMGTNUM", "XMGMXT", "XMGPAT"].map(|name| manager.number(name)),
            [Some(3), Some(7), Some(120), Some(3)]
        );
        // A program that was installed anew.
        assert_eq!(recording.since_reset(used(1)).number("LDRTU"), Some(1));
        assert_eq!(recording.facts().since_ns, at(60).unix_ns);
    }

    #[test]
    fn an_interval_ends_once_and_a_clock_that_goes_back_plans_anew() {
        let schedule = Schedule {
            on: true,
            interval_s: 600,
            end_of_day_s: 0,
        };
        let recording = Recording::new(schedule, at(86_400 + 100));
        assert_eq!(recording.due(at(86_400 + 599)), None);
        assert_eq!(recording.due(at(86_400 + 601)), Some(Why::Interval));
        assert_eq!(recording.due(at(86_400 + 602)), None);
        assert_eq!(recording.facts().next_second, 1_200);
        // Two days back.
        let early = Moment {
            unix_ns: at(0).unix_ns - FAR_NS,
            second: 0,
        };
        assert_eq!(recording.due(early), None);
        assert_eq!(recording.facts().next_second, 600);
    }

    #[test]
    fn recording_is_switched_by_a_change_alone() {
        let recording = Recording::new(Schedule::default(), at(0));
        let on = |on| Change {
            on: Some(on),
            ..Change::default()
        };
        assert!(recording.change(on(true), at(10)) && !recording.change(on(true), at(11)));
        assert_eq!(recording.facts().next_second, 3_600);
        let end = Change {
            end_of_day_s: Some(30),
            ..Change::default()
        };
        assert!(!recording.change(end, at(20)));
        assert_eq!(recording.due(at(30)), Some(Why::EndOfDay));
    }
}
