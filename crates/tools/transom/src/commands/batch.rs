//! `transom batch`: wiring. Not here: options and DD names (`tools/batch`), steps (`region/batch`).

use super::build::{built, leave_out};
use super::output::print;
use super::{sql, store};
use crate::system::region;
use std::path::Path;
use std::process::ExitCode;
use transom_batch::{BatchArgs, Built, Programs};
use transom_log::operator;

/// Runs the command; the exit code is the condition code.
pub(crate) fn run(args: &BatchArgs) -> ExitCode {
    let programs = Programs {
        build,
        datasets: store::open_datasets,
        database: sql::database,
        print: |line| print(&format!("{line}\n")),
        operator: operator(),
    };
    ExitCode::from(transom_batch::batch(args, &programs))
}

fn build(dir: &Path) -> Result<Built, String> {
    let (system, outcome) = built(dir)?;
    leave_out(&outcome);
    let modules = outcome.modules.into_iter();
    Ok(Built {
        modules: modules.map(|m| (m.program, m.path)).collect(),
        folder: system.own("modules"),
        dumps: system.own("dumps"),
        zygote: region::zygote_args(&system.settings, "step-zygote"),
    })
}
