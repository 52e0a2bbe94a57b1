//! `transom dclgen`: the member that programs include for a table.
//!
//! What: a table out of scripts, or out of a database that is handed in, as DECLARE TABLE and COBOL
//! structure. Not here: the text of the member (`formats/sql`), databases.

use crate::output::Output;
use clap::Args;
use std::path::{Path, PathBuf};
use transom_messages as messages;
use transom_sql::{DclgenOptions, Kind, Name, TableDefinition};

/// `transom dclgen`.
#[derive(Debug, Args)]
#[command(
    after_help = "The member is what DCLGEN makes with LANGUAGE(IBMCOB). Tables come from the database of a system directory, or
from scripts with CREATE TABLE and ALTER TABLE.

Examples:
  transom dclgen EMP --dir my-system --out my-system/copy/EMP.cpy
  transom dclgen DSN8C10.EMP --in tables.sql --names EMP- --colsuffix"
)]
pub struct DclgenArgs {
    /// The table, with its schema where it has one
    table: String,
    /// The system directory whose database has the table
    #[arg(long, default_value = ".")]
    dir: PathBuf,
    /// Script with CREATE TABLE, instead of a database
    #[arg(long = "in", value_name = "FILE", conflicts_with = "dir")]
    input: Vec<PathBuf>,
    /// STRUCTURE: name of the 01 level; default: DCL and the name of the table
    #[arg(long, value_name = "NAME")]
    structure: Option<String>,
    /// NAMES: fields are this and a number
    #[arg(long, value_name = "PREFIX")]
    names: Option<String>,
    /// COLSUFFIX(YES): fields are the prefix and the name of the column
    #[arg(long, requires = "names")]
    colsuffix: bool,
    /// INDVAR(YES): a table of indicators besides
    #[arg(long)]
    indvar: bool,
    /// LABEL(YES): a comment with the name of each column
    #[arg(long)]
    label: bool,
    /// File for the member; default: standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command. `of_database` finds a table in the database of a system directory.
pub fn dclgen(
    args: &DclgenArgs,
    output: Output,
    of_database: impl FnOnce(&Path, &Name) -> Result<Option<TableDefinition>, String>,
) -> Result<(), String> {
    let name = transom_sql::name(&args.table).map_err(|e| messages::sq::refused(e).to_string())?;
    let (table, place) = match args.input.as_slice() {
        [] => (
            of_database(&args.dir, &name)?,
            args.dir.display().to_string(),
        ),
        files => {
            let shown: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
            (of_scripts(files, &name)?, shown.join(", "))
        }
    };
    let table = table.ok_or_else(|| messages::sq::no_such_table(&name, place).to_string())?;
    let options = DclgenOptions {
        structure: args
            .structure
            .clone()
            .unwrap_or_default()
            .to_ascii_uppercase(),
        names: args.names.clone().unwrap_or_default().to_ascii_uppercase(),
        column_suffix: args.colsuffix,
        indicators: args.indvar,
        comments: args.label,
    };
    let text = transom_sql::dclgen(&table, &options);
    let text = text.ok_or_else(|| messages::sq::no_cobol_type(&name).to_string())?;
    match &args.out {
        None => output.print(text.trim_end_matches('\n')),
        Some(file) => std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))?,
    }
    Ok(())
}

/// The table as scripts leave it.
fn of_scripts(files: &[PathBuf], name: &Name) -> Result<Option<TableDefinition>, String> {
    let mut found: Option<TableDefinition> = None;
    for file in files {
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|e| format!("{}: {e}", file.display()))?;
        for one in transom_sql::script(&text) {
            // What is no table is no matter of a member, done or not.
            let Ok(statement) = transom_sql::statement(&one.text) else {
                continue;
            };
            match statement.kind {
                Kind::CreateTable(table) if is_it(&table.name, name) => found = Some(table),
                Kind::AlterTable(more) if is_it(&more.name, name) => {
                    if let Some(table) = &mut found {
                        table.columns.extend(more.columns);
                    }
                }
                Kind::Drop {
                    kind: "TABLE",
                    name: dropped,
                } if is_it(&dropped, name) => found = None,
                _ => {}
            }
        }
    }
    // The schema that was asked for is that of the member.
    if let Some(table) = &mut found {
        table.name = name.clone();
    }
    Ok(found)
}

/// A table of a script without a schema is the one of any schema.
fn is_it(table: &Name, wanted: &Name) -> bool {
    table.name == wanted.name && (table.qualifier.is_none() || table.qualifier == wanted.qualifier)
}
