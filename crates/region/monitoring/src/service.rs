//! Whether tasks are measured, and where their records go.
//!
//! Whether a task is measured is decided at its attach, so that it is as a whole or not at all. A
//! record and the time by transaction and program are wanted apart from each other: records cost
//! more, and the worker helps. Not here: a record (`measured`), writing it (`recorder`).

use crate::config::{Figures, RecorderConfig};
use crate::gauge::group;
use crate::measured::{Measured, NewTask};
use crate::observer::{Observer, TaskSeen};
use crate::recorder::Recorder;
use crate::schedule::Schedule;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;
use transom_messages::Operator;
use transom_monitoring::statistics::Written;
use transom_monitoring::stream::Begin;
use transom_monitoring::{ControlTable, More, Record};
use transom_region_api::{StatisticsGroup, TaskTimes};
use transom_telemetry::Timings;
use transom_types::{AbendCode, Applid, ProgramName, SysId, TransId};

/// Milliseconds from 1900, where ABSTIME begins, to 1970.
const EPOCH_MS: i64 = 2_208_988_800_000;

/// Monitoring at the start; the default is off.
#[derive(Debug, Clone, Default)]
pub struct MonitoringConfig {
    /// MN=ON.
    pub on: bool,
    /// MNPER=ON.
    pub performance: bool,
    /// When statistics are written.
    pub schedule: Schedule,
    /// The monitoring control table.
    pub control_table: Option<Arc<ControlTable>>,
    /// Where records go; `None`: nowhere, and none is made.
    pub recorder: Option<RecorderConfig>,
    /// Who else is told of tasks, whatever MN and MNPER say.
    pub observer: Option<Observer>,
    /// Transactions, and programs, whose tasks' times are counted by themselves; 0: no times are.
    pub times_max: usize,
}

/// A task that is measured.
pub struct Measuring {
    /// When it was attached, where its time is counted.
    since: Option<Instant>,
    task: Measured,
    /// It leaves a record.
    records: bool,
    /// Calls that an observer wants; `None`: there is none.
    observed: Option<u16>,
}

impl Measuring {
    /// Its worker is to say what it used, and so many of its calls.
    pub fn asks_worker(&self) -> Option<u16> {
        self.observed.or(self.records.then_some(0))
    }
}

/// How long tasks took.
struct Times {
    transactions: Timings<TransId>,
    programs: Timings<ProgramName>,
}

/// The service.
pub struct Monitoring {
    applid: Applid,
    started_ns: u64,
    abstime_at: fn(i64) -> i64,
    recorder: Option<Recorder>,
    observer: Option<Observer>,
    times: Option<Times>,
    control_table: Option<Arc<ControlTable>>,
    on: AtomicBool,
    performance: AtomicBool,
}

impl Monitoring {
    /// Of this region, which started then; `abstime_at` makes ABSTIME of milliseconds since 1970.
    pub fn new(
        config: &MonitoringConfig,
        (applid, sysid): (Applid, SysId),
        (started_ns, abstime_at): (u64, fn(i64) -> i64),
        operator: &Operator,
    ) -> Arc<Self> {
        let started_ms = (started_ns / 1_000_000) as i64;
        let offset_ms = abstime_at(started_ms) - started_ms - EPOCH_MS;
        let mut begin = Begin::of(applid, sysid, started_ns, (offset_ms / 1_000) as i32);
        let mut excluded = Vec::new();
        if let Some(table) = &config.control_table {
            begin = begin.with(table);
            excluded.extend(table.excluded());
        }
        let recorder = config.recorder.clone();
        let me = Self {
            applid,
            started_ns,
            abstime_at,
            recorder: recorder
                .map(|config| Recorder::new(config, (begin, excluded), operator.clone())),
            observer: config.observer.clone(),
            times: (config.times_max > 0).then(|| Times {
                transactions: Timings::new(config.times_max),
                programs: Timings::new(config.times_max),
            }),
            control_table: config.control_table.clone(),
            on: AtomicBool::new(false),
            performance: AtomicBool::new(false),
        };
        me.set(config.on, config.performance);
        Arc::new(me)
    }

    /// Switches monitoring and its performance records on or off, for tasks that are attached from
    /// now on.
    pub fn set(&self, on: bool, performance: bool) {
        if let Some(recorder) = self.recorder.as_ref().filter(|_| on && performance) {
            recorder.start();
        }
        self.on.store(on, Relaxed);
        self.performance.store(performance, Relaxed);
    }

    /// Monitoring is on, and performance records are.
    pub fn switches(&self) -> (bool, bool) {
        (self.on.load(Relaxed), self.performance.load(Relaxed))
    }

    /// A task is attached. Clocks are asked for what is wanted alone: nanoseconds since 1970, and
    /// the same moment of a clock that never goes back.
    pub fn began(
        &self,
        task: impl FnOnce() -> NewTask,
        (unix_ns, now): (impl FnOnce() -> u64, impl FnOnce() -> Instant),
    ) -> Option<Measuring> {
        let records = self.records() && self.recorder.is_some();
        let times = self.times.is_some();
        let observed = self.observer.as_ref().map(|observer| observer.calls_max);
        let timed = records || observed.is_some();
        (timed || times).then(|| Measuring {
            since: times.then(now),
            task: Measured::new(task(), if timed { unix_ns() } else { 0 }),
            records,
            observed,
        })
    }

    /// A task that is measured has ended. Takes what its worker said of it off its reply.
    pub fn ended(
        &self,
        measuring: &Measuring,
        (unix_ns, now): (impl FnOnce() -> u64, impl FnOnce() -> Instant),
        abend: Option<AbendCode>,
        reply: &mut Vec<u8>,
    ) {
        let task = &measuring.task;
        if let (Some(times), Some(since)) = (&self.times, measuring.since) {
            let took = now().saturating_duration_since(since);
            let (transid, program) = task.what();
            times.transactions.saw(transid, took, abend.is_some());
            times.programs.saw(program, took, abend.is_some());
        }
        if measuring.asks_worker().is_none() {
            return;
        }
        let mut record = Record::default();
        let region = (self.applid, self.abstime_at);
        let calls = task.end(&mut record, (unix_ns, abend), reply, region);
        if let Some(observer) = &self.observer {
            let seen = match measuring.records {
                true => record.clone(),
                false => std::mem::take(&mut record),
            };
            (observer.tell)(TaskSeen::new(seen, calls));
        }
        if !measuring.records {
            return;
        }
        if let Some(table) = &self.control_table {
            let values = record.more().map(|more| more.values.clone());
            record.set_more(More::of(table, values.unwrap_or_default()));
            record.leave_out(table.excluded());
        }
        // What was switched off while the task ran is not written.
        if let Some(recorder) = self.recorder.as_ref().filter(|_| self.records()) {
            recorder.record(&record);
        }
    }

    /// How long tasks took.
    pub fn times(&self) -> TaskTimes {
        let times = self.times.as_ref().map(|times| TaskTimes {
            transactions: times.transactions.read(),
            programs: times.programs.read(),
        });
        times.unwrap_or_default()
    }

    /// Hands a statistics record to the files, whether tasks are measured or not.
    pub fn write(&self, written: Written) {
        if let Some(recorder) = &self.recorder {
            recorder.statistics(written);
        }
    }

    /// When the region started, in nanoseconds since 1970.
    pub fn started_ns(&self) -> u64 {
        self.started_ns
    }

    /// What has become of records.
    pub fn figures(&self) -> Figures {
        let figures = self.recorder.as_ref().map(Recorder::figures);
        figures.unwrap_or_default()
    }

    /// The same as a group of statistics.
    pub fn statistics(&self) -> StatisticsGroup {
        let figures = self.figures();
        group(
            "monitoring",
            &[
                ("performance_records", figures.scheduled),
                ("records_lost", figures.lost),
                ("queued_bytes", figures.queued_bytes),
                ("queued_bytes_peak", figures.queued_bytes_peak),
                ("times_queue_full", figures.times_full),
            ],
        )
    }

    /// Performance records are made.
    fn records(&self) -> bool {
        self.switches() == (true, true)
    }

    /// Writes what waits; no task ends any more.
    pub fn stop(&self) {
        if let Some(recorder) = &self.recorder {
            recorder.stop();
        }
    }
}
