//! Results of runs with terminals, as they are written to JSON and shown in the report.

use crate::cpu::ProcessCpu;
use crate::machine::Machine;
use crate::moments::{Moment, Share};
use serde::{Deserialize, Serialize};

/// One run: the same script with one or more numbers of terminals.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TerminalRun {
    /// Title given by the user.
    pub title: String,
    /// Where and how it was made.
    #[serde(default)]
    pub machine: Machine,
    /// HOST:PORT.
    pub host: String,
    /// File of the script.
    pub script: String,
    /// `closed` or `paced`.
    pub mode: String,
    /// Pause after each screen, milliseconds (closed).
    pub think_ms: u64,
    /// Screens per second aimed at (paced); 0 in the closed loop.
    pub paced_rate: f64,
    /// Terminal type.
    pub model: String,
    /// `none`, `immediate` or `negotiated`.
    pub tls: String,
    /// Not measured, milliseconds.
    pub ramp_ms: u64,
    /// Not measured, milliseconds.
    pub warm_up_ms: u64,
    /// Measured, milliseconds.
    pub duration_ms: u64,
    /// Processors of the machine.
    pub processors: usize,
    /// Time of a fixed integer loop on this machine, so that figures can be put in proportion.
    pub calibration_ns: u64,
    /// It was ended before its time; its last step is shorter.
    #[serde(default)]
    pub interrupted: bool,
    /// One per number of terminals.
    pub steps: Vec<TerminalStep>,
}

/// One step. A response time is that from a key to the unlocked keyboard with the expected screen.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TerminalStep {
    /// Terminals.
    pub terminals: u32,
    /// Most of them connected at a time.
    pub connected: u64,
    /// Good screens.
    pub screens: u64,
    /// Good screens per second.
    pub screens_per_s: f64,
    /// Response times of good screens.
    pub times: Times,
    /// Connect, negotiation, first screen; all of the step.
    pub logons: Times,
    /// Number of them.
    pub logon_count: u64,
    /// Bytes received from the server, without TLS.
    pub bytes_in: u64,
    /// Failures by kind.
    pub failures: TerminalFailures,
    /// The first failures with their screens.
    pub samples: Vec<FailedScreen>,
    /// CPU milliseconds of the named processes per good screen.
    pub cpu_ms_per_screen: f64,
    /// CPU of the named processes in percent of one processor.
    pub cpu_percent: f64,
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
    /// By label of the script.
    pub labels: Vec<LabelStatistics>,
}

/// Response times, milliseconds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Times {
    pub average_ms: f64,
    pub p50_ms: f64,
    pub p90_ms: f64,
    #[serde(default)]
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
}

/// One screen of the script.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LabelStatistics {
    pub label: String,
    /// Good ones.
    pub screens: u64,
    /// Failed ones, of all kinds that happen after a key.
    pub failures: u64,
    pub times: Times,
}

/// A failure and what was on the screen.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FailedScreen {
    /// Number of the terminal.
    pub terminal: u32,
    /// Line of the script; 0 before the script.
    pub line: u32,
    /// What was wrong.
    pub reason: String,
    /// Rows with line feeds; empty without a screen.
    pub screen: String,
}

/// What went wrong, by kind.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TerminalFailures {
    /// No connection, TLS or negotiation.
    pub connect: u64,
    /// The server refused the LU or device type.
    pub rejected: u64,
    /// The keyboard was not unlocked in time.
    pub timeout: u64,
    /// The connection ended.
    pub broken: u64,
    /// Another screen than the script expects.
    pub unexpected: u64,
    /// The screen does not take what the script types.
    pub keyboard: u64,
    /// A data stream that a 3270 refuses.
    pub stream: u64,
}

impl TerminalFailures {
    /// All kinds together.
    pub fn total(&self) -> u64 {
        self.rows().iter().map(|(_, n)| n).sum()
    }

    /// Adds those of another thread.
    pub(crate) fn add(&mut self, other: &Self) {
        self.connect += other.connect;
        self.rejected += other.rejected;
        self.timeout += other.timeout;
        self.broken += other.broken;
        self.unexpected += other.unexpected;
        self.keyboard += other.keyboard;
        self.stream += other.stream;
    }

    /// Kinds in the order of the report.
    pub fn rows(&self) -> [(&'static str, u64); 7] {
        [
            ("connect", self.connect),
            ("rejected", self.rejected),
            ("timeout", self.timeout),
            ("broken", self.broken),
            ("unexpected", self.unexpected),
            ("keyboard", self.keyboard),
            ("stream", self.stream),
        ]
    }
}
