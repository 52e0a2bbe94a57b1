//! Writing statistics: at the end of intervals and of the day, when somebody asks, at the end of
//! the region; and what begins anew then.
//!
//! What is written of resources are those that something was counted for. Not here: counting
//! (`records`), when the next time is (`times`).

use super::Statistics;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use transom_monitoring::statistics::{self as table, Counted, Figure, Layout, Why, Written};
use transom_region_monitoring::{Change, Gone};
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_wire::system::{Collected, StatisticsChange, StatisticsFacts};

/// Between two looks at the time of day, which an operator may change.
const EVERY: Duration = Duration::from_secs(1);

impl Statistics {
    /// Writes at intervals and at the end of the day from now on.
    pub(crate) fn begin(self: &Arc<Self>) {
        tokio::spawn(run(Arc::downgrade(self)));
        let weak = Arc::downgrade(self);
        let hears = Box::new(move |gone: &Gone<'_>| {
            if let Some(statistics) = weak.upgrade() {
                statistics.gone(gone);
            }
        });
        self.times.kernel.departures.heard_by(hears);
    }

    /// Writes what a resource that goes has counted; what it counted nothing for says nothing.
    fn gone(&self, gone: &Gone<'_>) {
        let times = (
            self.times.now().unix_ns,
            self.times.recording.facts().since_ns,
        );
        let (all, is_gone) = match gone {
            Gone::Closed(layout, name) => (self.counted(layout, Some(name)), false),
            Gone::Discarded(layout, name) => (self.counted(layout, Some(name)), true),
            Gone::Ended(counted) => (vec![counted.clone()], true),
        };
        for counted in &all {
            let counted = self.times.recording.goes(counted, is_gone);
            if counted.has_counts() {
                let written = Written::of(&counted, times, Why::Unsolicited);
                self.times.monitoring.write(written);
            }
        }
    }

    /// The end of a region is the end of its day.
    pub(crate) fn end(&self) {
        self.write_all(Why::EndOfDay, false);
    }

    pub(crate) fn facts(&self) -> StatisticsFacts {
        let facts = self.times.recording.facts();
        StatisticsFacts {
            on: facts.schedule.on,
            interval_s: facts.schedule.interval_s,
            end_of_day_s: facts.schedule.end_of_day_s,
            next_s: facts.next_second,
        }
    }

    /// SET STATISTICS. RECORDNOW and RESETNOW mean something where RECORDING is switched alone.
    pub(crate) fn set(&self, change: &StatisticsChange) -> RegionAnswer {
        let switched = self.times.recording.change(
            Change {
                on: change.on,
                interval_s: change.interval_s,
                end_of_day_s: change.end_of_day_s,
            },
            self.times.now(),
        );
        match (switched, change.record, change.reset) {
            (true, true, reset) => self.write_all(asked(reset), reset),
            (true, false, true) => self.reset(&self.since_start(&table::ALL)),
            _ => {}
        }
        RegionAnswer::normal()
    }

    /// PERFORM STATISTICS: records of these options of the command; none: all.
    pub(crate) fn perform(&self, options: &[String], reset: bool) -> RegionAnswer {
        let meant = |layout: &&&'static Layout| options.iter().any(|name| name == layout.option);
        match options.is_empty() {
            true => self.write_all(asked(reset), reset),
            false => {
                let layouts: Vec<_> = table::ALL.iter().filter(meant).copied().collect();
                self.write((self.times.now().unix_ns, Why::Requested), &layouts);
            }
        }
        RegionAnswer::normal()
    }

    /// COLLECT and EXTRACT STATISTICS: one record as a program sees it.
    pub(crate) fn collect(&self, option: &str, resource: Option<&[u8]>) -> RegionAnswer {
        let layout = table::ALL
            .iter()
            .find(|layout| layout.option == option && layout.of_resource == resource.is_some());
        let Some(layout) = layout else {
            return RegionAnswer::refused(Resp::INVREQ, 4, "");
        };
        let Some(counted) = self.counted(layout, resource).into_iter().next() else {
            return RegionAnswer::refused(Resp::NOTFND, 1, "");
        };
        let since_ms = (self.times.recording.facts().since_ns / 1_000_000) as i64;
        RegionAnswer::with(&Collected {
            bytes: self.times.recording.since_reset(counted).bytes(),
            reset_abstime_ms: transom_time::abstime_at(since_ms),
        })
    }

    /// Hands all of them to the files of records, and what only a region of ours counts. With a
    /// reset counts begin anew with what was written, so that nothing falls between.
    fn write_all(&self, why: Why, reset: bool) {
        let at_ns = self.times.now().unix_ns;
        let all = self.write((at_ns, why), &table::ALL);
        self.write_others((at_ns, why));
        if reset {
            self.reset(&all);
        }
    }

    /// Hands these to the files of records; answers them as they were counted since the start.
    fn write(&self, (at_ns, why): (u64, Why), layouts: &[&'static Layout]) -> Vec<Counted> {
        let times = (at_ns, self.times.recording.facts().since_ns);
        let all = self.since_start(layouts);
        for counted in &all {
            let counted = self.times.recording.since_reset(counted.clone());
            if !counted.layout.of_resource || counted.has_counts() {
                self.times
                    .monitoring
                    .write(Written::of(&counted, times, why));
            }
        }
        all
    }

    fn write_others(&self, (at_ns, why): (u64, Why)) {
        let mut seen = HashMap::new();
        for group in self.all() {
            // Of things with one name the first has no number.
            let number: &mut u32 = seen.entry(group.name).or_default();
            *number += 1;
            let resource = match *number {
                1 => String::new(),
                number => number.to_string(),
            };
            let figures = group.values.iter().map(|value| Figure {
                name: value.name.to_owned(),
                number: value.value,
                text: None,
            });
            self.times.monitoring.write(Written {
                at_ns,
                since_ns: self.times.monitoring.started_ns(),
                why,
                record: group.name.to_owned(),
                resource,
                figures: figures.collect(),
            });
        }
    }

    fn since_start(&self, layouts: &[&'static Layout]) -> Vec<Counted> {
        let all = layouts.iter().flat_map(|layout| self.counted(layout, None));
        all.collect()
    }

    /// Counts and peaks begin anew.
    fn reset(&self, all: &[Counted]) {
        self.times.recording.reset(all, self.times.now());
        self.dispatcher.reset_peaks();
        self.workers.reset_peaks();
    }
}

/// Somebody asks, maybe with a reset.
fn asked(reset: bool) -> Why {
    match reset {
        true => Why::RequestedReset,
        false => Why::Requested,
    }
}

async fn run(statistics: Weak<Statistics>) {
    loop {
        let Some(sleep) = statistics
            .upgrade()
            .map(|s| s.times.kernel.clock.sleep(EVERY))
        else {
            return;
        };
        sleep.await;
        match statistics.upgrade() {
            Some(statistics) if !statistics.times.kernel.is_stopping() => {
                if let Some(why) = statistics.times.recording.due(statistics.times.now()) {
                    statistics.write_all(why, true);
                }
            }
            _ => return,
        }
    }
}
