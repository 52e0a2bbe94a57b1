//! `transom sql`: scripts of Db2 statements against the database of a system directory.
//!
//! What: each statement with its SQLCODE, its rows as a table. A region may run on the database at
//! the same time. Not here: statements and engines (`region/sql`).

use crate::beside::{Beside, not_opened, user};
use crate::unload::{self, LoadArgs, UnloadArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use transom_region_sql::Script;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Statements end with a semicolon. COMMIT and ROLLBACK are those of the script; its end commits,
the first SQLCODE below 0 ends it and backs out what was not committed. Names without a schema are those of
CURRENT SCHEMA: what SET CURRENT SQLID or SET SCHEMA said, else `[sql] qualifier`.

Examples:
  transom sql my-system --in tables.sql
  echo 'SELECT * FROM EMP;' | transom sql my-system
  transom sql unload my-system EMP --data emp.unl --control emp.load"
)]
pub struct SqlArgs {
    #[command(subcommand)]
    command: Option<SqlCommand>,
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// File with statements; default: standard input
    #[arg(long = "in", value_name = "FILE")]
    input: Vec<PathBuf>,
    /// Authorization ID, the special register USER; default: the environment's USER
    #[arg(long, value_name = "ID")]
    user: Option<String>,
}

#[derive(Debug, Subcommand)]
enum SqlCommand {
    /// Write the rows of a table to a file, and the LOAD statement for it
    Unload(UnloadArgs),
    /// Load a file of rows by a LOAD statement, as a whole or not at all
    Load(LoadArgs),
}

/// Runs the command.
pub(crate) fn run(args: &SqlArgs, beside: Beside<'_>) -> Result<(), String> {
    match &args.command {
        Some(SqlCommand::Unload(args)) => return unload::unload(args, beside),
        Some(SqlCommand::Load(args)) => return unload::load(args, beside),
        None => {}
    }
    let database = (beside.database)(&args.dir)?;
    let user = user(args.user.as_ref());
    let mut script = Script::on(&*database.engine, &user).map_err(not_opened)?;
    let texts = (beside.texts)(&args.input, database.page)?;
    let done = script.print(&texts, beside.print);
    done.map_err(|problem| problem.place_first().to_string())
}
