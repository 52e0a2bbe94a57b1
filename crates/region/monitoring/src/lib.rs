//! How a region is measured.
//!
//! What: [`Gauge`], what is bounded with its peak and how often the bound was reached; a record of
//! each task that ends ([`Measured`]); the [`Recorder`], which writes records to files of bounded
//! size and number beside the work of the region; when statistics are written and what counts anew
//! then ([`Recording`]); what its processes used of the machine; how long tasks took, by
//! transaction and program; [`lists`] of what there is, and records of it ([`counted`]); in a
//! worker the [`StopWatch`].
//! Not here: what a worker counts, fields and stream
//! (`formats/monitoring`), which figures a service has.

#![forbid(unsafe_code)]

mod beside;
mod config;
mod connections;
mod files;
mod gauge;
mod gone;
mod measured;
mod observer;
mod overview;
mod processes;
mod processor;
mod queue;
mod recorder;
mod recording;
mod resources;
mod schedule;
mod service;
mod stopwatch;

pub use config::{Figures, RecorderConfig};
pub use connections::{connections, db2_entries, ip_connections};
pub use files::{NAME_ENDS, in_order};
pub use gauge::{Gauge, group};
pub use gone::{Departures, Gone};
pub use measured::{Measured, NewTask};
pub use observer::{Called, Doing, Observer, TaskSeen};
pub use overview::{file_statistics, lists};
pub use processes::processes;
pub use recorder::Recorder;
pub use recording::{Change, Facts, Moment, Recording};
pub use resources::{counted, named, of_services};
pub use schedule::Schedule;
pub use service::{Measuring, Monitoring, MonitoringConfig};
pub use stopwatch::StopWatch;
