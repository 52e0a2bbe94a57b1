//! The embedded engine: SQLite in the region's process.
//!
//! What: a file with write-ahead log and full synchronisation, opened by one region; tables of
//! Transom in it say what order its characters have, which unit of work decided, and how Db2
//! described its tables. Begin at `session`. Why in this process: decision 0028. Not here: Db2's
//! dialect (`formats/sql`).

mod catalog;
mod cursor;
mod cursors;
mod decimal;
mod engine;
mod errors;
mod functions;
mod open;
mod plan;
mod registers;
mod run;
mod script;
mod session;
mod shared;
mod text;
mod values;

pub use engine::Sqlite;
pub use script::{Done, Script};
pub use shared::SqliteOptions;
