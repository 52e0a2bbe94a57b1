//! The embedded engine: SQLite in the region's process.
//!
//! What: a file with write-ahead log and full synchronisation, opened by one region; tables of
//! Transom in it say what order its characters have, which unit of work decided, and how Db2
//! described its tables. Begin at `session`. Why in this process: decision 0028. Not here: Db2's
//! dialect (`formats/sql`).

mod bind;
mod catalog;
mod copies;
mod cursor;
mod cursors;
mod decimal;
mod engine;
mod errors;
mod functions;
mod names;
mod open;
mod plan;
mod registers;
mod requests;
mod rows;
mod run;
mod savepoints;
mod script;
mod session;
mod shared;
mod text;
mod values;

pub use bind::not_bound;
pub use copies::{Held, put_back};
pub use engine::Sqlite;
pub use script::{Done, Script};
pub use shared::{Qualifiers, SqliteOptions};
