//! What regions left of their tasks, for people: `transom monitor`, `transom report`,
//! `transom dump` and `transom trace`.
//!
//! What: options, reading the files of a system directory ([`source`]), which records are meant
//! ([`filter`]), lists ([`show`]) and tables ([`report`]). Why from files: a region that runs, one
//! that has ended and files of another machine are read alike, and no question reaches a region.
//! Not here: the stream itself (`formats/monitoring`), where lines go ([`Print`] is handed in).

#![forbid(unsafe_code)]

mod areas;
mod compiled;
mod dump;
mod filter;
mod moment;
mod monitor;
mod names;
mod notes;
mod print;
mod report;
mod show;
mod smf;
mod smf_requests;
mod smf_statistics;
mod source;
mod trace;

pub use dump::{DumpArgs, dump};
pub use monitor::{MonitorArgs, monitor};
pub use print::Print;
pub use report::{ReportArgs, report};
pub use trace::{TraceArgs, trace};
