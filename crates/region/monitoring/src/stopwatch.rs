//! What a task that is measured takes of time: dispatched, suspended, on the processor.
//!
//! What: a [`StopWatch`], which the host tells of waits and changes of mode. The processor time of
//! a task begins where that of the task before ended, so that taking up a task and handing over
//! its end are somebody's. Not here: what a wait is for (commands), counts of commands, how
//! processor time is read (`processor`).

use crate::processor::ProcessorTime;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use transom_monitoring::{FieldId, field};
use transom_wire::monitoring::Times;

/// Measures one task after the other.
pub struct StopWatch {
    cpu: ProcessorTime,
    of_day: TimeOfDay,
    /// The task in work, where it is measured.
    running: Option<Running>,
    /// Processor time of the thread at the end of the last task that was measured.
    cpu_before: Option<u64>,
    /// Kept, so that no task allocates.
    clocks: Vec<(FieldId, u64, u32)>,
}

struct Running {
    began: Instant,
    began_ns: u64,
    reason: Option<FieldId>,
    waiting: Option<Instant>,
    /// Since the beginning, or the last change of mode.
    part: Instant,
    part_cpu: u64,
    /// Waited in this part.
    part_waited: Duration,
    changes: u32,
}

impl StopWatch {
    /// Of a thread whose processor time is this.
    pub fn new(cpu_ns: fn() -> u64) -> Self {
        Self {
            cpu: ProcessorTime::new(cpu_ns),
            of_day: TimeOfDay::default(),
            running: None,
            cpu_before: None,
            clocks: Vec::new(),
        }
    }

    /// A task begins.
    pub fn begin(&mut self, on: bool) {
        self.clocks.clear();
        self.running = None;
        if !on {
            return;
        }
        let began = Instant::now();
        self.cpu.resumes(began);
        let part_cpu = self.cpu_before.unwrap_or_else(|| self.cpu.at(began));
        self.running = Some(Running {
            began,
            began_ns: self.of_day.at(began),
            reason: None,
            waiting: None,
            part: began,
            part_cpu,
            part_waited: Duration::ZERO,
            changes: 0,
        });
    }

    /// What the next wait is for.
    pub fn waits_for(&mut self, clock: Option<FieldId>) {
        if let Some(running) = &mut self.running {
            running.reason = clock;
        }
    }

    /// The task waits from now on.
    pub fn wait_begins(&mut self) {
        if let Some(running) = &mut self.running {
            running.waiting = Some(Instant::now());
        }
    }

    /// What it waited for has come; `waits_on`: its turn has not.
    pub fn wait_over(&mut self, waits_on: bool) -> Option<Instant> {
        let running = self.running.as_ref().filter(|_| waits_on)?;
        running.waiting.map(|_| Instant::now())
    }

    /// It runs again. `came`: since then it has waited for its turn alone.
    pub fn wait_ends(&mut self, came: Option<Instant>) {
        let Some(running) = &mut self.running else {
            return;
        };
        let Some(since) = running.waiting.take() else {
            return;
        };
        let now = Instant::now();
        let waited = now.saturating_duration_since(since);
        running.part_waited += waited;
        self.cpu.rested(waited);
        let reason = running.reason.take();
        self.add(field::SUSPTIME, waited, 1);
        if let Some(reason) = reason {
            self.add(reason, waited, 1);
        }
        if let Some(came) = came {
            self.add(field::DISPWTT, now.saturating_duration_since(came), 1);
        }
    }

    /// Programs of the other mode run from now on.
    pub fn mode_changes(&mut self, quasirent_before: bool) {
        if self.running.is_some() {
            self.part_ends(quasirent_before);
            if let Some(running) = &mut self.running {
                running.changes += 1;
            }
        }
    }

    fn part_ends(&mut self, quasirent: bool) {
        let Some(running) = &mut self.running else {
            return;
        };
        let now = Instant::now();
        let cpu_now = self.cpu.at(now);
        let elapsed = now.saturating_duration_since(running.part);
        let dispatched = elapsed.saturating_sub(running.part_waited);
        let cpu = Duration::from_nanos(cpu_now.saturating_sub(running.part_cpu));
        running.part = now;
        running.part_cpu = cpu_now;
        running.part_waited = Duration::ZERO;
        self.cpu_before = Some(cpu_now);
        let of_mode: &[(FieldId, Duration)] = match quasirent {
            true => &[(field::QRDISPT, dispatched), (field::QRCPUT, cpu)],
            false => &[
                (field::KY8DISPT, dispatched),
                (field::KY8CPUT, cpu),
                (field::L8CPUT, cpu),
            ],
        };
        for (clock, time) in [(field::USRDISPT, dispatched), (field::USRCPUT, cpu)]
            .iter()
            .chain(of_mode)
        {
            self.add(*clock, *time, 1);
        }
    }

    /// Times of the task up to now.
    pub fn times(&mut self, quasirent: bool) -> Option<Times> {
        self.part_ends(quasirent);
        let running = self.running.as_ref()?;
        Some(Times {
            began_ns: running.began_ns,
            elapsed_ns: nanos(running.part.saturating_duration_since(running.began)),
            clocks: self.clocks.clone(),
            changes: running.changes,
        })
    }

    fn add(&mut self, clock: FieldId, time: Duration, periods: u32) {
        let ns = nanos(time);
        match self.clocks.iter_mut().find(|(known, ..)| *known == clock) {
            Some((_, sum, count)) => {
                *sum = sum.saturating_add(ns);
                *count = count.saturating_add(periods);
            }
            None => self.clocks.push((clock, ns, periods)),
        }
    }
}

/// The time of day at moments of the clock that never goes back, so that one clock is read for
/// both. It is set again each second.
#[derive(Default)]
struct TimeOfDay(Option<(Instant, u64)>);

impl TimeOfDay {
    /// Nanoseconds since 1970 UTC.
    fn at(&mut self, moment: Instant) -> u64 {
        let since = |(at, _): &(Instant, u64)| moment.saturating_duration_since(*at);
        let good = self.0.filter(|set| since(set) < Duration::from_secs(1));
        let (at, unix) = good.unwrap_or_else(|| (moment, unix_ns()));
        self.0 = Some((at, unix));
        unix.saturating_add(nanos(moment.saturating_duration_since(at)))
    }
}

fn unix_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(0))
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A processor that does nothing else.
    fn cpu() -> u64 {
        unix_ns()
    }

    fn burn() {
        let until = Instant::now() + Duration::from_millis(3);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
    }

    fn ns(times: &Times, clock: FieldId) -> u64 {
        let found = times.clocks.iter().find(|(known, ..)| *known == clock);
        found.map_or(0, |(_, ns, _)| *ns)
    }

    #[test]
    fn dispatch_and_suspend_time_are_all_of_the_elapsed_time() {
        let mut watch = StopWatch::new(cpu);
        watch.begin(true);
        burn();
        watch.waits_for(Some(field::FCIOWTT));
        watch.wait_begins();
        burn();
        let came = watch.wait_over(true);
        burn();
        watch.wait_ends(came);
        watch.mode_changes(true);
        burn();
        let times = watch.times(false).unwrap();
        let (dispatched, suspended) = (ns(&times, field::USRDISPT), ns(&times, field::SUSPTIME));
        assert_eq!(dispatched + suspended, times.elapsed_ns);
        assert_eq!(ns(&times, field::FCIOWTT), suspended);
        assert!(ns(&times, field::DISPWTT) < suspended);
        let modes = ns(&times, field::QRDISPT) + ns(&times, field::KY8DISPT);
        assert_eq!(modes, dispatched);
        assert!(ns(&times, field::USRCPUT) > 0);
        assert_eq!(times.changes, 1);
        watch.begin(false);
        assert_eq!(watch.times(true), None);
    }
}
