//! `transom sql`: scripts of Db2 statements against the database of a system directory.
//!
//! What: each statement with its SQLCODE, its rows as a table. A region may run on the database at
//! the same time. Not here: statements and engines (`region/sql`).

use super::idcams::texts;
use super::output::{Terminal, findings};
use crate::system::{self, collating, page};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_copybook::CodePage;
use transom_messages as messages;
use transom_region_sql::{Script, SqlEngine};
use transom_sql::{Name, TableDefinition};
use transom_utilities::SysPrint;

#[derive(Debug, Args)]
#[command(
    after_help = "Statements end with a semicolon. COMMIT and ROLLBACK are those of the script; its end commits,
the first SQLCODE below 0 ends it and backs out what was not committed. Names without a schema are those of
CURRENT SCHEMA: what SET CURRENT SQLID or SET SCHEMA said, else `[sql] qualifier`.

Examples:
  transom sql my-system --in tables.sql
  echo 'SELECT * FROM EMP;' | transom sql my-system"
)]
pub(crate) struct SqlArgs {
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

/// The database of a system directory, and the code page of its sources.
fn database(dir: &Path) -> Result<(Arc<dyn SqlEngine>, &'static CodePage), String> {
    let (mut system, found) = system::open(dir)?;
    if findings(&found) > 0 {
        let dir = dir.display();
        return Err(format!("{dir}: transom.toml has errors; nothing was run"));
    }
    let code_page = page(system.settings.cobol.source_codepage);
    let order = collating::seen(&system);
    collating::compile_for(&mut system, order);
    let engine = system::sql::config(&system).open();
    Ok((engine.map_err(|why| why.to_string())?, code_page))
}

fn not_opened(error: impl std::fmt::Display) -> String {
    messages::sq::not_opened(&error).to_string()
}

/// A table of the database of a system directory.
pub(crate) fn table(dir: &Path, name: &Name) -> Result<Option<TableDefinition>, String> {
    let session = database(dir)?.0.session(Arc::default());
    session
        .and_then(|mut session| session.definition(name))
        .map_err(not_opened)
}

/// Runs the command.
pub(crate) fn run(args: &SqlArgs) -> Result<(), String> {
    let (engine, code_page) = database(&args.dir)?;
    let user = args.user.clone().or_else(|| std::env::var("USER").ok());
    let user = user.unwrap_or_default().to_ascii_uppercase();
    let mut script = Script::on(&*engine, &user).map_err(not_opened)?;
    let mut terminal = Terminal::default();
    let done = script.print(&texts(&args.input, code_page)?, |line| terminal.line(line));
    done.map_err(|problem| problem.place_first().to_string())
}
