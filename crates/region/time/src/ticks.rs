//! The time of trace entries: what the processor counts since the clock was read last.
//!
//! Why: an entry is made twice for each command, and reading the clock was most of what it cost.
//! The counter is believed for a millisecond at a time, so that whatever becomes of it (a machine
//! that is moved to another one, processors that do not count alike) an entry is hardly further
//! from the clock than that. Where processors have no counter of one speed the clock is read each
//! time. Not here: time of day (`clock`).

use crate::clock;
use std::cell::Cell;

/// The counter is believed for so long.
const BELIEVED_NS: u64 = 1_000_000;
/// Its speed is measured over at least so long, and not over more than a day.
const MEASURED_NS: std::ops::Range<u64> = 4_000_000..86_400_000_000_000;
/// Reading the clock takes less than this part of what is measured, or the thread was interrupted.
const INTERRUPTED: u64 = 256;
/// Bits of a nanosecond's fractions.
const FRACTION: u32 = 32;

/// Time of day in nanoseconds, for one thread.
pub struct Ticks {
    /// Without a counter the clock is read each time.
    counts: bool,
    /// When the measurement of the speed began.
    begun: Cell<Option<Both>>,
    known: Cell<Option<Known>>,
}

impl Default for Ticks {
    fn default() -> Self {
        Self::new()
    }
}

/// Counter and clock, read together.
#[derive(Debug, Clone, Copy)]
struct Both {
    count: u64,
    ns: u64,
    /// Ticks from before the clock was read until after it: many when the thread was interrupted,
    /// and then nobody knows which count belongs to the time.
    between: u64,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    /// Nanoseconds of a tick.
    tick: u64,
    /// Ticks for which the counter is believed.
    ticks: u64,
    /// Counter and clock when both were read.
    count: u64,
    ns: u64,
}

impl Ticks {
    /// The clock is read for each entry until the counter's speed is known.
    #[must_use]
    pub fn new() -> Self {
        Self {
            counts: has_counter(),
            begun: Cell::new(None),
            known: Cell::new(None),
        }
    }

    /// Nanoseconds since 1970 UTC, at most a millisecond from those of the clock.
    #[must_use]
    #[inline]
    pub fn unix_ns(&self) -> u64 {
        let Some(known) = self.known.get() else {
            return self.learn();
        };
        match known.at(counter()) {
            Some(ns) => ns,
            None => self.look(known),
        }
    }

    /// Reads the clock, and the counter beside it.
    #[cold]
    fn look(&self, known: Known) -> u64 {
        let Both { count, ns, between } = Both::read(clock::unix_ns);
        if between < known.ticks / INTERRUPTED {
            self.known.set(Some(Known { count, ns, ..known }));
        }
        ns
    }

    /// The same while the speed of the counter is not known yet.
    #[cold]
    fn learn(&self) -> u64 {
        if self.counts {
            let now = Both::read(clock::monotonic_ns);
            match self.begun.get().map(|begun| begun.until(now)) {
                Some((ticks, ns)) if ns < MEASURED_NS.end => {
                    if ns >= MEASURED_NS.start && now.between < ticks / INTERRUPTED {
                        self.known.set(Known::of(ticks, ns));
                    }
                }
                _ => self.begun.set(Some(now)),
            }
        }
        clock::unix_ns()
    }
}

impl Both {
    fn read(clock: fn() -> u64) -> Self {
        let count = counter();
        let ns = clock();
        let between = counter().wrapping_sub(count);
        Self { count, ns, between }
    }

    /// Ticks and nanoseconds from here to there.
    fn until(self, later: Self) -> (u64, u64) {
        let ns = later.ns.saturating_sub(self.ns);
        let ticks = later.count.wrapping_sub(self.count);
        // Of one that cannot be told the measurement begins anew.
        match self.between < ticks / INTERRUPTED || ns < MEASURED_NS.start {
            true => (ticks, ns),
            false => (ticks, MEASURED_NS.end),
        }
    }
}

impl Known {
    /// A counter that took so many ticks for so many nanoseconds; `None`: it is too slow, or stands
    /// still.
    fn of(ticks: u64, ns: u64) -> Option<Self> {
        let tick = (u128::from(ns) << FRACTION).checked_div(u128::from(ticks))?;
        let tick = u64::try_from(tick).ok()?;
        let ticks = (u128::from(BELIEVED_NS) << FRACTION).checked_div(u128::from(tick))?;
        let ticks = u64::try_from(ticks).ok().filter(|ticks| *ticks >= 10_000)?;
        // Not believed before it has been read beside the clock.
        Some(Self {
            tick,
            ticks,
            count: counter().wrapping_sub(ticks),
            ns: 0,
        })
    }

    /// The time at a count; `None`: it was too long ago that the clock was read.
    #[inline]
    fn at(self, count: u64) -> Option<u64> {
        let passed = count.wrapping_sub(self.count);
        // So few ticks are at most the nanoseconds that are believed, which leave room for the
        // fractions.
        (passed < self.ticks).then(|| self.ns + ((passed * self.tick) >> FRACTION))
    }
}

#[cfg(target_arch = "x86_64")]
fn has_counter() -> bool {
    use std::arch::x86_64::__cpuid;
    const POWER: u32 = 0x8000_0007;
    const OF_ONE_SPEED: u32 = 1 << 8;
    __cpuid(0x8000_0000).eax >= POWER && __cpuid(POWER).edx & OF_ONE_SPEED != 0
}

#[cfg(target_arch = "x86_64")]
fn counter() -> u64 {
    // SAFETY: reads a register that every x86-64 processor has and touches no memory; Linux lets
    // programs read it unless they ask not to (PR_SET_TSC), which nothing here does.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(target_arch = "aarch64")]
fn has_counter() -> bool {
    true
}

#[cfg(target_arch = "aarch64")]
fn counter() -> u64 {
    let count: u64;
    // SAFETY: reads a register of the architecture, which Linux lets programs read, and touches no
    // memory.
    unsafe { std::arch::asm!("mrs {}, cntvct_el0", out(reg) count, options(nomem, nostack)) };
    count
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn has_counter() -> bool {
    false
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn counter() -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn the_time_is_that_of_the_clock_to_a_millisecond() {
        let ticks = Ticks::new();
        let end = Instant::now() + Duration::from_millis(60);
        let mut known = 0_u32;
        while Instant::now() < end {
            let before = clock::unix_ns();
            let time = ticks.unix_ns();
            let after = clock::unix_ns();
            assert!(time + BELIEVED_NS > before && time < after + BELIEVED_NS);
            known += u32::from(ticks.known.get().is_some_and(|known| known.ns != 0));
        }
        assert_eq!(known > 0, ticks.counts);
    }

    #[test]
    fn a_counter_is_believed_for_a_millisecond() {
        // 2.5 ticks for each nanosecond.
        let known = Known::of(25_000_000, 10_000_000).unwrap();
        let (count, ns) = (u64::MAX - 9, 1_700_000_000_000_000_000);
        let known = Known { count, ns, ..known };
        assert_eq!(known.at(count), Some(ns));
        assert_eq!(known.at(count.wrapping_add(1_000_001)), Some(ns + 400_000));
        assert_eq!(known.at(count.wrapping_add(2_600_000)), None);
        // One that went back: of another processor, or of another machine.
        assert_eq!(known.at(count - 1), None);
    }

    #[test]
    fn what_does_not_count_is_not_believed() {
        assert!(Known::of(0, 10_000_000).is_none());
        assert!(Known::of(5_000, 10_000_000).is_none());
    }
}
