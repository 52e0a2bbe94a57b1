//! `transom drive`: HTTP by default, terminals as `transom drive 3270`.

use crate::options::DriveArgs;
use crate::report::not_good;
use crate::terminals::{TerminalArgs, drive_terminals};
use crate::{DriveError, drive};
use clap::{Args, Subcommand};
use transom_messages as messages;

/// Options of `transom drive`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = AFTER_HELP
)]
pub struct DriveCommand {
    #[command(subcommand)]
    protocol: Option<Protocol>,
    #[command(flatten)]
    http: Option<DriveArgs>,
}

#[derive(Debug, Subcommand)]
enum Protocol {
    /// Drive 3270 terminals by a script and report on them
    #[command(name = "3270")]
    Terminals(Box<TerminalArgs>),
}

/// Examples, and what scripts read.
const AFTER_HELP: &str = "Examples:
  transom drive http://localhost:2222/comm1k/mapping/CABASIC-RS2/1 \\
      --method PUT --body '{\"COMM1KOperation\":{\"count_out\":32}}' \\
      --clients 100,200,300,400,500 --think 100ms --duration 30s \\
      --process transom --json out.json --html out.html
  transom drive http://localhost:2222/ --mode paced --think 10ms --clients 50

The exit code is 0 when each step had good replies and nothing failed; 1 when a request failed, no reply came or nothing
could be sent, with the first reasons; 2 when the command line is wrong.";

/// Runs it.
///
/// # Errors
/// What failed.
pub fn command(command: &DriveCommand) -> Result<(), String> {
    let done = match (&command.protocol, &command.http) {
        (Some(Protocol::Terminals(args)), _) => drive_terminals(args).map(drop),
        (None, Some(args)) => drive(args).and_then(|result| match not_good(&result) {
            None => Ok(()),
            Some(bad) => Err(DriveError(bad.to_string())),
        }),
        (None, None) => return Err(messages::dr::plan_not_possible("nothing to drive").to_string()),
    };
    done.map_err(|e| e.to_string())
}
