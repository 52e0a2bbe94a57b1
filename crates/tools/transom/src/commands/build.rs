//! `transom build`, and what `run` does with its findings.
//!
//! Not here: translating and compiling (`system::build`).

use super::output::{bar, findings, print};
use crate::system::build::{Mode, Outcome, build};
use crate::system::{self, Finding, SystemDirectory, collating};
use transom_messages as messages;

/// The command: the first half of `run`.
pub(crate) fn build_only(dir: &std::path::Path) -> Result<(), String> {
    let (mut system, found) = system::open(dir)?;
    stop_on_errors(dir, &found)?;
    let order = collating::seen(&system);
    collating::compile_for(&mut system, order);
    let outcome = compile(&system)?;
    stop_on_errors(dir, &outcome.findings)?;
    print(&format!(
        "{}: {} programs, {} compiled\n",
        dir.display(),
        outcome.modules.len(),
        outcome.compiled
    ));
    Ok(())
}

/// Says what is wrong with sources, and that the rest is started.
pub(super) fn leave_out(outcome: &Outcome) {
    if findings(&outcome.findings) > 0 {
        let there = outcome.modules.len();
        let text = messages::si::sources_left_out(there).to_string();
        findings(&[Finding::notice(text)]);
    }
}

/// Compiles what changed; a bar shows how far it is.
pub(super) fn compile(system: &SystemDirectory) -> Result<Outcome, String> {
    let progress = bar(system.sources.len());
    let outcome = build(system, Mode::Compile, &|done, _, name| {
        progress.set_position(done as u64);
        progress.set_message(name.to_owned());
    });
    progress.finish_and_clear();
    Ok(outcome?)
}

pub(crate) fn stop_on_errors(dir: &std::path::Path, list: &[Finding]) -> Result<(), String> {
    match findings(list) {
        0 => Ok(()),
        1 => Err(format!("{}: 1 error; nothing was started", dir.display())),
        n => Err(format!(
            "{}: {n} errors; nothing was started",
            dir.display()
        )),
    }
}
