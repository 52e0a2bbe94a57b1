//! 3270 terminals: thousands of them, each playing a script.
//!
//! What: TN3270(E) sessions with a screen each, response times by screen, failures with their
//! screens. Why: R2's users are terminals, and a tutorial needs a terminal that types by itself.
//! Reading order: `script`, `session` (the wire), `play` (one terminal), `run` (all of them). Not
//! here: the data stream (`transom-datastream`).

mod compare;
mod counts;
mod fault;
mod options;
mod page;
mod plan;
mod play;
mod report;
mod result;
mod run;
mod script;
mod session;
mod show;
mod tls;
mod typing;
mod verdict;

pub use options::TerminalArgs;
pub use result::{
    FailedScreen, LabelStatistics, TerminalFailures, TerminalRun, TerminalStep, Times,
};
use transom_messages as messages;

use crate::DriveError;
use plan::Plan;
use std::sync::Arc;

/// Runs the terminals, prints the table, writes the files that were asked for. With `--check` and
/// `--once` there is nothing to report.
///
/// # Errors
/// TXMDR0002E to TXMDR0004E before anything is sent, TXMDR0003E for files, TXMDR0005E when the one
/// pass of `--once` fails, TXMDR0006E and TXMDR0007E when the run is not good.
pub fn drive_terminals(args: &TerminalArgs) -> Result<Option<TerminalRun>, DriveError> {
    if args.check {
        let script = plan::read_script(&args.script)?;
        println!(
            "{}: {} statements, {} screens",
            args.script.display(),
            script.statements.len(),
            script.labels.len()
        );
        return Ok(None);
    }
    if args.once {
        return once(args).map(|()| None);
    }
    let before = args.compare.as_deref().map(compare::read).transpose()?;
    let mut plan = Plan::new(args)?;
    plan.interruptible = true;
    let result = run::run(&Arc::new(plan))?;
    report::print(&result, before.as_ref());
    report::write_files(args, &result, before.as_ref())?;
    match verdict::verdict(&result) {
        None => Ok(Some(result)),
        Some(bad) => Err(DriveError(bad.to_string())),
    }
}

/// As [`drive_terminals`], without the table; `--once` and `--check` do not count here.
///
/// # Errors
/// As [`drive_terminals`].
pub fn drive_terminals_silently(args: &TerminalArgs) -> Result<TerminalRun, DriveError> {
    let plan = Arc::new(Plan::new(args)?);
    let result = run::run(&plan)?;
    report::write_files(args, &result, None)?;
    Ok(result)
}

fn once(args: &TerminalArgs) -> Result<(), DriveError> {
    let plan = Arc::new(Plan::new(args)?);
    let counts = run::once(&plan)?;
    match counts.samples.first() {
        None => Ok(()),
        Some(failed) => Err(DriveError(
            messages::dr::script_failed(
                &plan.script_name,
                failed.line,
                format_args!("{}\n{}", failed.reason, failed.screen.trim_end()),
            )
            .to_string(),
        )),
    }
}
