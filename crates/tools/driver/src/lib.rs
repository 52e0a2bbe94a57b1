//! Workload driver and reports: an honest outside client.
//!
//! What: N clients with think time against an HTTP endpoint, or N 3270 terminals with a script
//! (`terminals`); response times, failures by kind, CPU per transaction of named processes, one
//! JSON result and one HTML page with the plots of R1 and R2. Why: the product's figures must be
//! repeatable by anybody, against any server. Not here: any room of the region or a door; the
//! driver talks only over the wire.

#![forbid(unsafe_code)]

mod client;
mod command;
mod cpu;
mod error;
mod machine;
mod moments;
mod options;
mod page;
mod plan;
mod plot;
mod report;
mod result;
mod run;
mod terminals;
mod timer;

pub use command::{DriveCommand, command};
pub use cpu::ProcessCpu;
pub use error::DriveError;
pub use machine::Machine;
pub use moments::{Moment, Share};
pub use options::DriveArgs;
pub use result::{Failures, RunResult, StepResult};
pub use terminals::{
    FailedScreen, LabelStatistics, TerminalArgs, TerminalFailures, TerminalRun, TerminalStep,
    Times, drive_terminals, drive_terminals_silently,
};
use transom_messages as messages;

/// Runs the workload, prints the table, writes the JSON and HTML files that were asked for.
pub fn drive(args: &DriveArgs) -> Result<RunResult, DriveError> {
    let result = drive_silently(args)?;
    report::print(&result);
    Ok(result)
}

/// As [`drive`], without the table.
pub fn drive_silently(args: &DriveArgs) -> Result<RunResult, DriveError> {
    let plan = plan::Plan::new(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| DriveError(messages::dr::cannot_start(&e).to_string()))?;
    let result = runtime.block_on(run::run(&plan))?;
    report::write_files(args, &result)?;
    Ok(result)
}
