//! Named counters: where the region writes them, what workers ask it, and what each command makes
//! of a counter.
//!
//! Why the region: a number that was given must not come again, so nothing that a program can store
//! over decides about it. Not here: the options of the commands, keeping counters in the store
//! (`region/server/counter`).

use crate::definitions::DEFINITION;
use crate::language;
use crate::shared::{Group, Shared, Space};
use std::ops::RangeInclusive;
use transom_types::Resp;

/// Pool (8) and name (16): the group of a counter, and its key in the store.
pub type CounterKey = [u8; 24];

/// What a counter can have, by both widths.
const NUMBERS: RangeInclusive<i128> = i32::MIN as i128..=u64::MAX as i128;
/// Condition and RESP2 of a request that is refused.
pub type Refusal = (Resp, u32);
const NOT_THERE: Refusal = (Resp::INVREQ, 201);
const THERE: Refusal = (Resp::INVREQ, 202);
const NO_ROOM: Refusal = (Resp::INVREQ, 306);
const OUTSIDE: Refusal = (Resp::INVREQ, 405);
const MINIMUM_ABOVE_MAXIMUM: Refusal = (Resp::INVREQ, 406);
const AT_LIMIT: Refusal = (Resp::SUPPRESSED, 101);
const NOT_AT_LIMIT: Refusal = (Resp::SUPPRESSED, 102);
const COMPARED: Refusal = (Resp::SUPPRESSED, 103);

language! {
    /// A counter.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Counter {
        /// The number the next GET answers; `max + 1` at the limit.
        pub value: i128,
        /// Lowest number.
        pub min: i128,
        /// Highest number.
        pub max: i128,
    }

    /// COMPAREMIN and COMPAREMAX: the value lies in the range, or outside the gap when the minimum
    /// is above the maximum.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Compare {
        pub min: Option<i128>,
        pub max: Option<i128>,
    }

    /// What a worker asks. Answers a number, when the store has the counter as the command left it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Request {
        /// DEFINE.
        1 = Define(key: CounterKey, counter: Counter),
        /// DELETE.
        2 = Delete(key: CounterKey),
        /// GET. Answers the number that was drawn.
        3 = Get {
            key: CounterKey,
            increment: i128,
            /// Begins anew where the increment does not fit.
            wrap: bool,
            /// Takes what is left where the increment does not fit.
            reduce: bool,
            compare: Compare,
        },
        /// UPDATE.
        4 = Update { key: CounterKey, value: i128, compare: Compare },
        /// REWIND.
        5 = Rewind { key: CounterKey, increment: i128 },
    }
}

impl Counter {
    /// The counter of a group.
    pub fn read(group: &dyn Group) -> Option<Self> {
        Self::decode(group.get(DEFINITION)?)
    }

    /// `false`: shared storage is full.
    #[must_use]
    fn write(&self, group: &mut dyn Group) -> bool {
        group.put(DEFINITION, &self.encode())
    }

    /// The counter of a key.
    pub fn find(shared: &dyn Shared, key: &CounterKey) -> Option<Self> {
        let mut found = None;
        shared.with_group(Space::Counter, key, &mut |group| found = Self::read(group));
        found
    }

    /// Puts it where commands find it. `false`: shared storage is full.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared, key: &CounterKey) -> bool {
        let mut stored = false;
        shared.with_group(Space::Counter, key, &mut |group| stored = self.write(group));
        stored
    }

    /// There can be such a counter.
    pub fn is_sound(&self) -> bool {
        let bounds = NUMBERS.contains(&self.min) && NUMBERS.contains(&self.max);
        bounds && self.may_be(self.value)
    }

    /// One above the maximum is allowed: the counter is at its limit.
    fn may_be(&self, value: i128) -> bool {
        (self.min..=self.max + 1).contains(&value)
    }

    fn at_limit(&self) -> bool {
        self.value > self.max
    }

    /// The number GET draws, and how many.
    fn draw(&self, asked: i128, wrap: bool, reduce: bool) -> Result<(i128, i128), Refusal> {
        if asked > self.max - self.min + 1 {
            return Err(OUTSIDE);
        }
        let room = self.max + 1 - self.value;
        match () {
            () if self.at_limit() && wrap => Ok((self.min, asked)),
            () if self.at_limit() => Err(AT_LIMIT),
            () if asked <= room => Ok((self.value, asked)),
            () if reduce => Ok((self.value, room)),
            () if wrap => Ok((self.min, asked)),
            () => Err(AT_LIMIT),
        }
    }
}

impl Compare {
    fn holds(&self, value: i128) -> bool {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min > max => value >= min || value <= max,
            (min, max) => min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max),
        }
    }

    fn check(&self, value: i128) -> Result<(), Refusal> {
        self.holds(value).then_some(()).ok_or(COMPARED)
    }
}

impl Request {
    /// Whose counter.
    pub fn key(&self) -> &CounterKey {
        match self {
            Self::Define(key, _)
            | Self::Delete(key)
            | Self::Get { key, .. }
            | Self::Update { key, .. }
            | Self::Rewind { key, .. } => key,
        }
    }

    /// The counter after the command, and the number it answers.
    ///
    /// # Errors
    /// The command is refused, and nothing changes.
    pub fn apply(&self, now: Option<Counter>) -> Result<(Option<Counter>, i128), Refusal> {
        if let Self::Define(_, new) = self {
            let sound = NUMBERS.contains(&new.min) && NUMBERS.contains(&new.max);
            return match now {
                _ if new.min > new.max => Err(MINIMUM_ABOVE_MAXIMUM),
                _ if !(sound && new.may_be(new.value)) => Err(OUTSIDE),
                Some(_) => Err(THERE),
                None => Ok((Some(*new), new.value)),
            };
        }
        if let Self::Get { increment, .. } | Self::Rewind { increment, .. } = self {
            let fits = *increment >= 0 && NUMBERS.contains(increment);
            fits.then_some(()).ok_or(OUTSIDE)?;
        }
        let counter = now.ok_or(NOT_THERE)?;
        let (value, answer) = match *self {
            Self::Define(..) | Self::Delete(_) => return Ok((None, counter.value)),
            Self::Get {
                increment,
                wrap,
                reduce,
                compare,
                ..
            } => {
                let (start, drawn) = counter.draw(increment, wrap, reduce)?;
                compare.check(start)?;
                (start + drawn, start)
            }
            Self::Update { value, compare, .. } => {
                compare.check(counter.value)?;
                counter.may_be(value).then_some(()).ok_or(OUTSIDE)?;
                (value, value)
            }
            Self::Rewind { increment, .. } => {
                if counter.value + increment <= counter.max + 1 {
                    return Err(NOT_AT_LIMIT);
                }
                (counter.min, counter.min)
            }
        };
        Ok((Some(Counter { value, ..counter }), answer))
    }

    /// Carries it out where all see it; answers the number.
    ///
    /// # Errors
    /// As [`Self::apply`]; shared storage is full.
    pub fn carry_out(&self, shared: &dyn Shared) -> Result<i128, Refusal> {
        let mut done = Err(NO_ROOM);
        shared.with_group(Space::Counter, self.key(), &mut |group| {
            done = self
                .apply(Counter::read(group))
                .and_then(|(after, answer)| {
                    let stored = after.is_none_or(|counter| counter.write(group));
                    if after.is_none() {
                        group.remove_all();
                    }
                    stored.then_some(answer).ok_or(NO_ROOM)
                });
        });
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: CounterKey = *b"POOL1   INVOICE         ";
    const ALL: Counter = Counter {
        value: i32::MIN as i128,
        min: i32::MIN as i128,
        max: u64::MAX as i128,
    };

    /// A request that no sound worker makes.
    #[test]
    fn numbers_that_are_none_are_refused() {
        for number in [i128::MIN, i128::MAX, u64::MAX as i128 + 1, -1] {
            let compare = Compare::default();
            let get = Request::Get {
                key: KEY,
                increment: number,
                wrap: true,
                reduce: true,
                compare,
            };
            assert_eq!(get.apply(Some(ALL)), Err(OUTSIDE), "{number}");
            let rewind = Request::Rewind {
                key: KEY,
                increment: number,
            };
            assert_eq!(rewind.apply(Some(ALL)), Err(OUTSIDE), "{number}");
        }
        for (value, min, max) in [
            (0, i128::MIN, 0),
            (i128::MAX, 0, i128::MAX),
            (5, 0, 3),
            (-1, 0, 3),
        ] {
            let define = Request::Define(KEY, Counter { value, min, max });
            assert_eq!(define.apply(None), Err(OUTSIDE), "{value} {min} {max}");
        }
        let update = |value| Request::Update {
            key: KEY,
            value,
            compare: Compare::default(),
        };
        assert_eq!(update(i128::MAX).apply(Some(ALL)), Err(OUTSIDE));
        assert!(update(ALL.max + 1).apply(Some(ALL)).is_ok());
    }

    #[test]
    fn damaged_bytes_are_no_request() {
        let whole = Request::Define(KEY, ALL).encode();
        assert_eq!(Request::decode(&whole), Some(Request::Define(KEY, ALL)));
        assert_eq!(Request::decode(&whole[..whole.len() - 1]), None);
        assert_eq!(Request::decode(b""), None);
    }
}
