//! The embedded engine: SQLite in the region's process.
//!
//! What: a file with write-ahead log, opened by one region, whose commits are flushed together
//! (decision 0057); tables of Transom in it say what order its characters have, which unit of work
//! decided, and how Db2 described its tables. Begin at `driver`. Why in this process: decision
//! 0028. Not here: Db2's dialect (`formats/sql`), what a session keeps (`statements`).

mod catalog;
mod checkpoints;
mod commits;
mod copies;
mod driver;
mod engine;
mod errors;
mod flushes;
pub(crate) mod functions;
mod hurry;
mod open;
mod reading;
mod run;
#[cfg(test)]
mod samples;
mod shared;
mod straight;
mod syncs;
mod text;
pub(crate) mod values;

pub use copies::{Held, put_back};
pub use engine::Sqlite;
pub(crate) use reading::{Reading, hold, log_files, told};
pub use shared::SqliteOptions;
