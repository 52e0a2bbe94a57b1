//! Results as they are written to JSON and shown in the report.

use crate::cpu::ProcessCpu;
use crate::machine::Machine;
use crate::moments::{Moment, Share};
use serde::{Deserialize, Serialize};

/// One run: the same workload with one or more numbers of clients.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunResult {
    /// Title given by the user.
    pub title: String,
    /// Where and how it was made.
    #[serde(default)]
    pub machine: Machine,
    /// Where the requests went.
    pub url: String,
    /// `closed` or `paced`.
    pub mode: String,
    /// Think time or period, milliseconds.
    pub think_ms: u64,
    /// Not measured, milliseconds.
    pub ramp_up_ms: u64,
    /// Not measured, milliseconds.
    pub settle_ms: u64,
    /// Not measured, milliseconds.
    pub warm_up_ms: u64,
    /// Measured, milliseconds.
    pub duration_ms: u64,
    /// Processors of the machine.
    pub processors: usize,
    /// Time of a fixed integer loop on this machine, so that figures can be put in proportion.
    pub calibration_ns: u64,
    /// One per number of clients.
    pub steps: Vec<StepResult>,
}

/// One step. Times are those of replies that arrived in the measured interval.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StepResult {
    /// Clients.
    pub clients: u32,
    /// Good replies.
    pub transactions: u64,
    /// Good replies per second.
    pub tps: f64,
    /// Most that a closed loop with this think time can do (clients / think time); 0 without.
    pub tps_bound: f64,
    /// Response times, milliseconds.
    pub average_ms: f64,
    /// Median.
    pub p50_ms: f64,
    /// 90th percentile.
    pub p90_ms: f64,
    /// 95th percentile.
    #[serde(default)]
    pub p95_ms: f64,
    /// 99th percentile.
    pub p99_ms: f64,
    /// Longest.
    pub max_ms: f64,
    /// Bytes of reply bodies.
    pub reply_bytes: u64,
    /// Failures by kind.
    pub failures: Failures,
    /// The first reasons why requests failed, each once.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// CPU milliseconds of the named processes per good reply.
    pub cpu_ms_per_transaction: f64,
    /// CPU of the named processes in percent of one processor.
    pub cpu_percent: f64,
    /// Part of that CPU spent in processes named as offload-eligible, percent.
    pub offload_percent: f64,
    /// CPU of the driver itself in percent of one processor.
    pub driver_cpu_percent: f64,
    /// By name of the processes.
    #[serde(default)]
    pub processes: Vec<ProcessCpu>,
    /// The step as it went.
    #[serde(default)]
    pub moments: Vec<Moment>,
    /// How response times are spread.
    #[serde(default)]
    pub spread: Vec<Share>,
}

/// Requests that did not get a good reply.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Failures {
    /// No connection.
    pub connect: u64,
    /// No reply in time.
    pub timeout: u64,
    /// Connection broke.
    pub broken: u64,
    /// Status 400 to 499.
    pub status_4xx: u64,
    /// Status 500 to 599.
    pub status_5xx: u64,
    /// Reply without the expected text, or another status.
    pub unexpected: u64,
}

impl Failures {
    /// All kinds together.
    pub fn total(&self) -> u64 {
        self.connect
            + self.timeout
            + self.broken
            + self.status_4xx
            + self.status_5xx
            + self.unexpected
    }
}
