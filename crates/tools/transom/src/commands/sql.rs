//! `transom sql`: scripts of Db2 statements against the database of a system directory.
//!
//! What: each statement with its SQLCODE, its rows as a table. A region may run on the database at
//! the same time. Not here: statements and engines (`region/sql`).

use super::idcams::texts;
use super::output::{Terminal, findings};
use crate::system::{self, collating, page};
use clap::Args;
use std::path::PathBuf;
use transom_messages as messages;
use transom_region_sql::{Script, Sqlite};
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

/// Runs the command.
pub(crate) fn run(args: &SqlArgs) -> Result<(), String> {
    let (mut system, found) = system::open(&args.dir)?;
    if findings(&found) > 0 {
        let dir = args.dir.display();
        return Err(format!("{dir}: transom.toml has errors; nothing was run"));
    }
    if system.settings.sql.engine == "NONE" {
        return Err(messages::sq::no_engine().to_string());
    }
    let code_page = page(system.settings.cobol.source_codepage);
    let order = collating::seen(&system);
    collating::compile_for(&mut system, order);
    let engine = Sqlite::open(system::sql::options(&system));
    let engine = engine.map_err(|e| messages::sq::not_opened(&e).to_string())?;
    let user = args.user.clone().or_else(|| std::env::var("USER").ok());
    let user = user.unwrap_or_default().to_ascii_uppercase();
    let script = Script::on(&engine, &user);
    let mut script = script.map_err(|e| messages::sq::not_opened(&e).to_string())?;
    let mut terminal = Terminal::default();
    let mut totals = (0_u64, 0_u64);
    for (name, text) in texts(&args.input, code_page)? {
        let mut failed = None;
        let ended = script.run(&text, |done| {
            done.report().iter().for_each(|line| terminal.line(line));
            totals.0 += 1;
            totals.1 += u64::from(done.answer.count);
            if done.answer.code < 0 {
                failed = Some(format!("{name}:{}: {}", done.line, done.problem()));
            }
        });
        ended.map_err(|e| messages::sq::not_opened(&e).to_string())?;
        if let Some(text) = failed {
            return Err(text);
        }
    }
    let end = messages::sq::script_done(totals.0, totals.1);
    terminal.line(end.as_ref());
    Ok(())
}
