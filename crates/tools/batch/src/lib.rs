//! What is run beside regions, as jobs are on z/OS: SQL scripts, LOAD and UNLOAD of tables.
//!
//! What: options and what is printed. Who has the command line hands in how a database is opened
//! and a source is read. Not here: statements and files of rows (region/sql), IDCAMS
//! (region/utilities).

#![forbid(unsafe_code)]

mod beside;
mod sql;
mod unload;

pub use beside::{Beside, Database, Texts};
pub use sql::SqlArgs;

/// Runs `transom sql`.
pub fn sql(args: &SqlArgs, beside: Beside<'_>) -> Result<(), String> {
    sql::run(args, beside)
}
