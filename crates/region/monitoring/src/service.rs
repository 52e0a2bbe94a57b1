//! Whether tasks are measured, and where their records go.
//!
//! Whether a task is measured is decided at its attach, so that it is as a whole or not at all. Not
//! here: a record (`measured`), writing it (`recorder`).

use crate::config::RecorderConfig;
use crate::gauge::group;
use crate::measured::{Measured, NewTask};
use crate::recorder::Recorder;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use transom_messages::Operator;
use transom_monitoring::Record;
use transom_monitoring::stream::Begin;
use transom_region_api::StatisticsGroup;
use transom_types::{AbendCode, Applid, SysId};

/// Milliseconds from 1900, where ABSTIME begins, to 1970.
const EPOCH_MS: i64 = 2_208_988_800_000;

/// Monitoring at the start; the default is off.
#[derive(Debug, Clone, Default)]
pub struct MonitoringConfig {
    /// MN=ON.
    pub on: bool,
    /// MNPER=ON.
    pub performance: bool,
    /// Where records go; `None`: nowhere, and nothing is measured.
    pub recorder: Option<RecorderConfig>,
}

/// The service.
pub struct Monitoring {
    applid: Applid,
    abstime_at: fn(i64) -> i64,
    recorder: Option<Recorder>,
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
        let begin = Begin::of(applid, sysid, started_ns, (offset_ms / 1_000) as i32);
        let recorder = config.recorder.clone();
        let me = Self {
            applid,
            abstime_at,
            recorder: recorder.map(|config| Recorder::new(config, begin, operator.clone())),
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

    /// A task is attached. `now`: nanoseconds since 1970.
    pub fn began(
        &self,
        task: impl FnOnce() -> NewTask,
        now: impl FnOnce() -> u64,
    ) -> Option<Measured> {
        let measures = self.records() && self.recorder.is_some();
        measures.then(|| Measured::new(task(), now()))
    }

    /// A task that is measured has ended. Takes what its worker said of it off its reply.
    pub fn ended(
        &self,
        measured: &Measured,
        now: impl FnOnce() -> u64,
        abend: Option<AbendCode>,
        reply: &mut Vec<u8>,
    ) {
        let mut record = Record::default();
        let region = (self.applid, self.abstime_at);
        measured.end(&mut record, (now, abend), reply, region);
        // What was switched off while the task ran is not written.
        if let Some(recorder) = self.recorder.as_ref().filter(|_| self.records()) {
            recorder.record(&record);
        }
    }

    /// What has become of records.
    pub fn statistics(&self) -> StatisticsGroup {
        let figures = self.recorder.as_ref().map(Recorder::figures);
        let figures = figures.unwrap_or_default();
        group(
            "monitoring",
            &[
                ("performance_records", figures.written),
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
