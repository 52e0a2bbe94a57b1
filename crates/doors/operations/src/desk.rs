//! What this door looks at.
//!
//! Why functions where there is no facet: the gateway is another door, and the log is the
//! executable's; neither is known here.

use std::sync::{Arc, OnceLock};
use transom_messages::Severity;
use transom_region_api::{Control, Overview, Users};
use transom_telemetry::OperationFigures;

/// The region and what stands beside it.
#[derive(Clone)]
pub struct Desk {
    /// Name, size and limits.
    pub control: Arc<dyn Control>,
    /// Stage, lists, times of tasks.
    pub overview: Arc<dyn Overview>,
    /// Who may look.
    pub users: Arc<dyn Users>,
    /// Version of the executable.
    pub version: &'static str,
    /// What the operator was told.
    pub told: Arc<dyn Fn() -> Told + Send + Sync>,
    /// What is there once the region takes requests; set once.
    pub opened: Arc<OnceLock<Opened>>,
}

/// What is there once the region takes requests.
pub struct Opened {
    /// Totals of the operations of all APIs.
    pub operations: Box<dyn Fn() -> Vec<OperationFigures> + Send + Sync>,
    /// Addresses of all listeners.
    pub listeners: Vec<String>,
    /// Scheme, host and port at which descriptions of APIs are read.
    pub apis_at: Option<String>,
}

/// What the operator was told.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// The last lines, oldest first.
    pub lines: Vec<ToldLine>,
    /// All lines so far: informations, warnings, errors and severe errors.
    pub counts: [u64; 4],
    /// Lines that nobody could write.
    pub lost: u64,
    /// Lines of the access log that nobody could write.
    pub access_lost: u64,
}

/// One line.
#[derive(Debug, Clone)]
pub struct ToldLine {
    /// When, milliseconds since 1970.
    pub unix_ms: u64,
    /// How urgent.
    pub level: Severity,
    /// What was said.
    pub text: String,
}
