//! `transom import`, with what runs a system directory.
//!
//! Not here: what becomes of a checkout (`tools/import`).

use super::output::print;
use super::{build, check, sql};
use std::path::Path;
use std::process::ExitCode;
use transom_import::{Beside, ImportArgs};
use transom_region_sql::Script;

/// Runs the command, and `transom check` of what it made.
pub(crate) fn run(args: &ImportArgs) -> ExitCode {
    let script = |dir: &Path| {
        let database = sql::database(dir)?;
        Script::on(&*database.engine, "IMPORT").map_err(|why| why.to_string())
    };
    let beside = Beside {
        build: &|dir| Ok(build::built(dir)?.1),
        script: &script,
        say: &|message| transom_log::say(message.to_string()),
        print,
    };
    let check = || check::run(&check::CheckArgs::of(args.dir()));
    transom_import::run(args, &beside, &check, transom_log::say)
}
