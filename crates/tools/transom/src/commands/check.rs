//! `transom check`: everything that would not work, before anything runs, and what is there.
//!
//! What: findings to standard error, then one table of the whole system directory, for people or as
//! JSON. Not here: what is looked at and how it is laid out (`tools/check`).

use super::build::compile;
use super::output::{findings, print};
use crate::system::build::Mode;
use crate::system::{self, Finding, SystemDirectory, collating, exposure, gateway, store, users};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use transom_check::{Around, check};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom check my-system
  transom check my-system --json

The exit code is 0 when nothing stands in the way of a start, 1 when there are errors, 2 when the command line is wrong.")]
pub(crate) struct CheckArgs {
    /// The system directory
    dir: PathBuf,
    /// How the result is written to standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Form of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Findings on standard error, a table on standard output
    Text,
    /// One JSON document on standard output, findings in it
    Json,
}

impl CheckArgs {
    /// The table of a system directory, for people.
    pub(crate) fn of(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            format: Format::Text,
            json: false,
        }
    }
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), String> {
    let (mut system, mut found) = system::open(&args.dir)?;
    let order = collating::seen(&system);
    collating::compile_for(&mut system, order);
    found.extend(collating::exceptions(&system).err().map(Finding::from));
    found.extend(users::problem(&system).map(Finding::from));
    let outcome = compile(&system, Mode::CheckOnly)?;
    let setup = gateway::read(&system);
    found.extend(system::sql::not_bound(&system, &outcome));
    let refused = open_to_others(&system, setup.as_ref().ok().and_then(Option::as_ref));
    let gateway = setup.as_ref().ok().and_then(Option::as_ref);
    let listeners = gateway.map(gateway::Setup::listeners).unwrap_or_default();
    let supplied = |transid: &str| {
        let mut all = transom_region_supplied::definitions();
        all.any(|(transaction, _)| transaction.transid.as_str() == transid)
    };
    let around = Around {
        found,
        refused,
        listeners,
        gateway: setup.map(|setup| setup.map(|setup| setup.archives())),
        store: &|| store::open(&system, true).map(|opened| opened.store),
        supplied: &supplied,
    };
    let checked = check(&system, &outcome, around);
    let dir = args.dir.display().to_string();
    let format = if args.json { Format::Json } else { args.format };
    match format {
        Format::Json => print(&checked.json(&dir)),
        Format::Text => {
            findings(&checked.with_lines());
            findings(checked.idle());
            print(&checked.table());
        }
    }
    match checked.errors() {
        0 => {
            if format == Format::Text {
                print(&checked.ending(&dir));
            }
            Ok(())
        }
        1 => Err(format!("{dir}: 1 error")),
        n => Err(format!("{dir}: {n} errors")),
    }
}

/// A listener that a start would refuse. What is wrong with the gateway's files is found elsewhere.
fn open_to_others(system: &SystemDirectory, setup: Option<&gateway::Setup>) -> Option<Finding> {
    let table = &system.settings.terminals;
    let terminals = table.port.or(table.tls_port).is_some();
    let refused = exposure::foreseen(system, setup, terminals).err()?;
    Some(Finding::from(refused))
}
