//! `transom build`, and what `run` does with its findings.
//!
//! Not here: translating and compiling (`system::build`).

use super::output::{bar, findings, print};
use crate::system::build::{Later, Lines, Mode, Outcome, build};
use crate::system::{self, Finding, SystemDirectory, collating};
use std::path::Path;
use std::sync::Arc;
use transom_log::{operator, say};
use transom_messages as messages;
use transom_region_server::LocalRegion;

/// The command: the first half of `run`.
pub(crate) fn build_only(dir: &Path) -> Result<(), String> {
    let (_, outcome) = built(dir)?;
    stop_on_errors(dir, &outcome.findings)?;
    print(&format!("{}: {}\n", dir.display(), outcome.sum()));
    Ok(())
}

/// Compiles what changed in the order of the store.
pub(super) fn built(dir: &Path) -> Result<(SystemDirectory, Outcome), String> {
    let (mut system, found) = system::open(dir)?;
    stop_on_errors(dir, &found)?;
    let order = collating::seen(&system);
    collating::compile_for(&mut system, order);
    let outcome = compile(&system, Mode::Compile)?;
    Ok((system, outcome))
}

/// Says what is wrong with sources, and that the rest is started.
pub(super) fn leave_out(outcome: &Outcome) {
    if findings(&outcome.findings) > 0 {
        let there = outcome.modules.len() + outcome.pending.len();
        findings(&[Finding::notice(messages::si::sources_left_out(there))]);
    }
}

/// Compiles, prepares or checks what changed; a bar shows how far it is, or lines do.
pub(super) fn compile(system: &SystemDirectory, mode: Mode) -> Result<Outcome, String> {
    let all = system.sources.len();
    let (bar, lines) = (bar(all), Lines::of(all));
    let outcome = build(system, mode, &|done, _, name| {
        bar.set_position(done as u64);
        bar.set_message(name.to_owned());
        let line = lines.line(done, name).filter(|_| bar.is_hidden());
        line.into_iter().for_each(say);
    });
    bar.finish_and_clear();
    Ok(outcome?)
}

/// Begins to compile what a start has left, beside a region.
pub(super) fn compile_later(later: &Later, system: &SystemDirectory, region: &Arc<LocalRegion>) {
    operator().tell(later.beginning());
    let region = Arc::downgrade(region);
    later.begin(system.clone(), move |ended| {
        ended.findings.into_iter().for_each(|found| say(found.text));
        let region = region.upgrade().filter(|_| ended.compiled);
        region
            .into_iter()
            .for_each(|region| region.module_arrived(ended.program));
        ended.all.into_iter().for_each(|all| operator().tell(all));
    });
}

pub(crate) fn stop_on_errors(dir: &Path, list: &[Finding]) -> Result<(), String> {
    let dir = dir.display();
    match findings(list) {
        0 => Ok(()),
        1 => Err(format!("{dir}: 1 error; nothing was started")),
        n => Err(format!("{dir}: {n} errors; nothing was started")),
    }
}
