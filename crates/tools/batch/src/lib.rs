//! What is run beside regions, as jobs are on z/OS: programs with their files and SQL, SQL scripts,
//! LOAD and UNLOAD of tables.
//!
//! What: options and what is printed. Who has the command line hands in how a database is opened
//! and a source is read. Not here: statements and files of rows (region/sql), steps (region/batch),
//! IDCAMS (region/utilities).

#![forbid(unsafe_code)]

mod beside;
mod command;
mod dd;
mod job;
mod program;
mod sql;
mod tso;
mod unload;

pub use beside::{Beside, Database, Texts};
pub use program::{BatchArgs, Built, Programs};
pub use sql::SqlArgs;

/// Runs `transom sql`.
pub fn sql(args: &SqlArgs, beside: Beside<'_>) -> Result<(), String> {
    sql::run(args, beside)
}

/// Runs `transom batch`; the exit code is the condition code, 255 after an abend.
pub fn batch(args: &BatchArgs, programs: &Programs) -> u8 {
    command::run(args, programs)
}
