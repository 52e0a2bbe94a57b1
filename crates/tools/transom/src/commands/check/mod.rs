//! `transom check`: everything that would not work, before anything runs, and what is there.
//!
//! What: findings to standard error, then one table of the whole system directory, for people or as
//! JSON. Not here: what is looked at (`report`, `files`), how it is laid out (`table`, `json`).

mod files;
mod json;
mod report;
mod services;
mod table;

use super::output::{bar, findings, print};
use crate::system::build::{Mode, build};
use crate::system::{
    self, Finding, SystemDirectory, collating, decks, exposure, gateway, program_lists, recovery,
};
use clap::{Args, ValueEnum};
use report::Report;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom check my-system
  transom check my-system --format json")]
pub(crate) struct CheckArgs {
    /// The system directory
    dir: PathBuf,
    /// How the result is written to standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Form of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Findings on standard error, a table on standard output
    Text,
    /// One JSON document on standard output, findings in it
    Json,
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), String> {
    let (mut system, mut found) = system::open(&args.dir)?;
    let order = collating::seen(&system);
    collating::compile_for(&mut system, order);
    found.extend(collating::exceptions(&system).err().map(Finding::from));
    let progress = bar(system.sources.len());
    let outcome = build(&system, Mode::CheckOnly, &|done, _, name| {
        progress.set_position(done as u64);
        progress.set_message(name.to_owned());
    })?;
    progress.finish_and_clear();
    found.extend(outcome.findings.iter().cloned());
    let decks = decks::read(&system);
    found.extend(decks.findings.iter().cloned());
    found.extend(decks::missing(&decks, &outcome));
    let (lists, wrong) = program_lists::read(&system);
    found.extend(wrong);
    found.extend(program_lists::missing(&system, &lists, &outcome));
    found.extend(recovery::findings(&system, &decks.definitions));
    found.extend(open_to_others(&system));
    let gateway = gateway::check(&system);
    found.extend(gateway.findings.iter().cloned());
    found.extend(services::check(&gateway.services, &outcome.reports));
    let (data, more) = files::DataSets::of(&system);
    found.extend(more);
    let sysid = system.settings.region.sysidnt.as_str();
    let report = Report::of(
        &outcome,
        &decks,
        &gateway.operations,
        &data,
        (sysid, &system.own("maps")),
    );
    let dir = args.dir.display().to_string();
    // Known and harmless: they do not count among the notices.
    let idle = decks::attributes_without_effect(&decks);
    let errors = match args.format {
        Format::Json => {
            let all: Vec<Finding> = found.iter().chain(&idle).cloned().collect();
            print(&json::document(&dir, &report, &all));
            found.iter().filter(|f| f.is_error).count()
        }
        Format::Text => {
            let errors = findings(&found);
            findings(&idle);
            print(&table::text(&report));
            errors
        }
    };
    match errors {
        0 => {
            if args.format == Format::Text {
                print(&ending(&dir, &report, &found));
            }
            Ok(())
        }
        1 => Err(format!("{dir}: 1 error")),
        n => Err(format!("{dir}: {n} errors")),
    }
}

/// Listeners that a start would refuse. What is wrong with the gateway's files is found elsewhere.
fn open_to_others(system: &SystemDirectory) -> Option<Finding> {
    let setup = gateway::read(system).ok().flatten();
    let table = &system.settings.terminals;
    let terminals = table.port.or(table.tls_port).is_some();
    let refused = exposure::foreseen(system, setup.as_ref(), terminals).err()?;
    Some(Finding::from(refused))
}

/// The last line where there are no errors.
fn ending(dir: &str, report: &Report, found: &[Finding]) -> String {
    let programs = report.programs.ready.len();
    match found.len() {
        0 if report.is_whole() => {
            format!("{dir}: {programs} programs, nothing stands in the way\n")
        }
        0 => format!("{dir}: {programs} programs, no errors; the table says what is not there\n"),
        n => format!("{dir}: {programs} programs, no errors, {n} notices\n"),
    }
}
