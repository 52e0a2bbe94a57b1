//! `transom sql`: scripts of Db2 statements against the database of a system directory.
//!
//! What: each statement with its SQLCODE, its rows as a table. A region may run on the database at
//! the same time. Not here: statements and engines (`region/sql`).

use super::output::{Terminal, findings};
use crate::system::{self, collating, page, read_source};
use clap::Args;
use std::io::Read;
use std::path::PathBuf;
use transom_copybook::CodePage;
use transom_messages as messages;
use transom_region_sql::{Done, Script, Sqlite};
use transom_utilities::SysPrint;

#[derive(Debug, Args)]
#[command(
    after_help = "Statements end with a semicolon. COMMIT and ROLLBACK are those of the script; its end commits,
the first SQLCODE below 0 ends it and backs out what was not committed.

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
    let script = Script::on(&engine);
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
                failed = Some(problem(&name, done));
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

fn texts(files: &[PathBuf], code_page: &CodePage) -> Result<Vec<(String, String)>, String> {
    if files.is_empty() {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|e| e.to_string())?;
        return Ok(vec![("-".to_owned(), text)]);
    }
    let read = |path: &PathBuf| -> Result<(String, String), String> {
        let name = path.display().to_string();
        let (text, found) = read_source(path, &name, code_page).map_err(|e| e.to_string())?;
        findings(&found);
        Ok((name, text))
    };
    files.iter().map(read).collect()
}

fn problem(file: &str, done: &Done) -> String {
    let code = done.answer.code;
    let mut reason = transom_sql::text(code, &done.answer.tokens);
    if !done.answer.text.is_empty() {
        reason += &format!(" ({})", done.answer.text);
    }
    let message = messages::sq::script_failed(code, reason);
    format!("{file}:{}: {message}", done.line)
}
