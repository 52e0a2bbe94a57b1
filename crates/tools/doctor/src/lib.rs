//! `transom doctor`: what of the machine and of a system directory makes a region fail or slow.
//!
//! What: [`doctor`] looks at one thing after the other and says of each whether it is well, and
//! what to do where it is not. Reading order: `machine` (compiler, limits, addresses, clock),
//! `folder` (space, file system, rights, settings, store), `ports`, `certificates`. Why beside
//! `transom check`: that compiles and tells what of an application would not work; this is about
//! the place it runs at. Not here: mending anything.

#![forbid(unsafe_code)]

mod certificates;
mod folder;
mod machine;
mod ports;
mod report;
mod validity;

use clap::Args;
use report::Report;
use std::path::PathBuf;
use std::process::ExitCode;
use transom_settings::Settings;
use transom_system::SystemDirectory;

/// Something to look at.
const NOTE: u8 = 4;
/// A region fails, now or soon.
const FAULT: u8 = 8;
/// There is nothing to look at.
const NO_DIRECTORY: u8 = 16;

/// The command line.
#[derive(Debug, Args)]
#[command(
    after_help = "Each line is ok, note or fault, with what to do. Nothing is changed, but a restore of the store that was interrupted is finished. The exit code is 0 when all is \
well, 4 with notes, 8 with faults, 16 when DIR is no system directory.

Examples:
  transom doctor my-system
  transom doctor my-system --json"
)]
pub struct DoctorArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the executable brings.
#[derive(Clone, Copy)]
pub struct Around {
    /// Problems of settings that other rooms read, each with its line.
    pub problems: fn(&Settings) -> Vec<(usize, String)>,
    /// Prints results.
    pub print: fn(&str),
    /// Tells why there are none.
    pub say: fn(&str),
}

/// Looks, and prints what there is to say.
pub fn doctor(args: &DoctorArgs, around: Around) -> ExitCode {
    let (system, findings) = match SystemDirectory::open(&args.dir, around.problems) {
        Ok(opened) => opened,
        Err(message) => {
            (around.say)(message.as_ref());
            return ExitCode::from(NO_DIRECTORY);
        }
    };
    let mut report = Report::default();
    machine::look(&mut report);
    folder::look(&system, &findings, &mut report);
    let is_running = folder::store(&system, &mut report);
    ports::look(&system, is_running, &mut report);
    certificates::look(&system, &mut report);
    let dir = args.dir.display().to_string();
    (around.print)(&match args.json {
        true => report.json(&dir),
        false => report.text(&dir),
    });
    match report.counts() {
        (0, 0) => ExitCode::SUCCESS,
        (_, 0) => ExitCode::from(NOTE),
        _ => ExitCode::from(FAULT),
    }
}
