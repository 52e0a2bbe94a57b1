//! `transom sql` and tables for `transom dclgen`: the database of a system directory is opened.
//!
//! Not here: options and scripts (`tools/batch`), statements and engines (`region/sql`).

use super::idcams::texts;
use super::output::Terminal;
use crate::system::{self, collating, page};
use std::path::Path;
use std::sync::Arc;
use transom_batch::{Beside, Database, SqlArgs};
use transom_messages as messages;
use transom_sql::{Name, TableDefinition};
use transom_utilities::SysPrint;

pub(super) fn database(dir: &Path) -> Result<Database, String> {
    let mut system = super::store::sound(dir)?;
    let page = page(system.settings.cobol.source_codepage);
    let order = collating::seen(&system);
    collating::compile_for(&mut system, order);
    let engine = system::sql::config(&system).open();
    let engine = engine.map_err(|why| why.to_string())?;
    Ok(Database { engine, page })
}

/// A table of the database of a system directory.
pub(crate) fn table(dir: &Path, name: &Name) -> Result<Option<TableDefinition>, String> {
    let session = database(dir)?.engine.session(Arc::default());
    let found = session.and_then(|mut session| session.definition(name));
    found.map_err(|error| messages::sq::not_opened(&error).to_string())
}

/// Runs the command.
pub(crate) fn run(args: &SqlArgs) -> Result<(), String> {
    let mut terminal = Terminal::default();
    let beside = Beside {
        database: &database,
        texts: &texts,
        print: &mut |line| terminal.line(line),
    };
    transom_batch::sql(args, beside)
}
