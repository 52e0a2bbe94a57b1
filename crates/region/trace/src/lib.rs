//! The trace of a region: what is traced, and the data sets of the auxiliary trace.
//!
//! What: [`Trace`] answers INQUIRE and SET TRACEDEST, TRACEFLAG and TRACETYPE, and starts a thread
//! that takes entries of the workers' rings to the data set in use; [`Ring`] is such a ring. Not
//! here: entries and their file ([`transom_trace`]), the memory of the rings (`region/workers`).

#![forbid(unsafe_code)]

mod asked;
mod auxiliary;
mod config;
mod data_sets;
mod ring;
mod service;

pub use asked::Asked;
pub use config::TraceConfig;
pub use data_sets::{DATA_SETS, FOLDER};
pub use ring::{ENTRIES, Ring};
pub use service::Trace;
