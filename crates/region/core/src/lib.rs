//! CICS meaning: what every command does, and the region that dispatches tasks to workers.
//!
//! Worker side (runs inside a COBOL worker process): [`exec::Executor`] implements
//! `transom_workers::seam::Commands`; `dispatch` maps a command number to its function; each folder
//! is a CICS domain and each file in it a command. Both sides: [`payload`], [`definitions`],
//! [`requests`]. Region side: `region`. Not here: processes and memory (`transom_workers`),
//! protocols (doors).

#![forbid(unsafe_code)]

mod codec;
pub mod definitions;
pub mod payload;
pub mod requests;
