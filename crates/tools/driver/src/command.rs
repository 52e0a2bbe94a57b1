//! `transom drive`: HTTP by default, terminals as `transom drive 3270`.

use crate::drive;
use crate::options::DriveArgs;
use crate::terminals::{TerminalArgs, drive_terminals};
use clap::{Args, Subcommand};
use transom_messages as messages;

/// Options of `transom drive`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
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

/// Runs it.
///
/// # Errors
/// What failed.
pub fn command(command: &DriveCommand) -> Result<(), String> {
    let done = match (&command.protocol, &command.http) {
        (Some(Protocol::Terminals(args)), _) => drive_terminals(args).map(drop),
        (None, Some(args)) => drive(args).map(drop),
        (None, None) => return Err(messages::dr::plan_not_possible("nothing to drive").to_string()),
    };
    done.map_err(|e| e.to_string())
}
