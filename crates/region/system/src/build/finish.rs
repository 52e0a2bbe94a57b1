//! The sum of a build: links to modules, modules that nobody needs, what is known of the sources.

use super::outcome::{Mode, Module, OneResult, Outcome, Pending};
use super::scratch::scratch;
use super::state::{Built, State};
use crate::directory::SystemDirectory;
use crate::finding::Finding;
use crate::report::SourceState;
use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, SystemTime};
use transom_messages::{Message, si};
use transom_types::ProgramName;

/// Age of a file that is being written after which nobody writes it any more.
const LEFT_OVER: Duration = Duration::from_secs(3600);

pub(super) fn finish(
    system: &SystemDirectory,
    mode: Mode,
    results: Vec<(String, OneResult)>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut state = State::default();
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    let mut results = results;
    results.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, result) in results {
        outcome.compiled += usize::from(result.compiled);
        outcome.taken += usize::from(result.taken);
        outcome.findings.extend(result.findings);
        outcome.reports.push(result.report);
        let Some(built) = result.built else { continue };
        if let Some(other) = owners.insert(built.program.clone(), name.clone()) {
            let twice = si::program_twice(&built.program, other);
            let text = format!("{name}: {twice}");
            outcome.findings.push(Finding::error(text));
            if let Some(report) = outcome.reports.last_mut() {
                report.state = SourceState::Failed;
            }
            continue;
        }
        outcome.programs.push(built.program.clone());
        let later = ProgramName::new(&built.program).ok();
        if mode != Mode::CheckOnly
            && built.module.is_empty()
            && let Some(program) = later
        {
            let source = system.root.join(&name);
            outcome.pending.push(Pending { program, source });
        } else if mode != Mode::CheckOnly {
            let path = system.own("modules").join(&built.module);
            if let Err(error) = point_link(system, &built) {
                outcome.findings.push(Finding::error(error));
            }
            outcome.modules.push(Module {
                program: built.program.clone(),
                path,
            });
        }
        state.sources.insert(name, built);
    }
    if mode != Mode::CheckOnly {
        remove_old_modules(system, &state);
    }
    state.write(system);
    outcome
}

/// Moves NAME.so to the newest version in one step.
pub(super) fn point_link(system: &SystemDirectory, built: &Built) -> Result<(), Message> {
    let link = system.own("modules").join(format!("{}.so", built.program));
    let fresh = scratch(&link);
    std::os::unix::fs::symlink(&built.module, &fresh)
        .and_then(|()| std::fs::rename(&fresh, &link))
        .map_err(|e| si::not_written(link.display(), e))
}

/// A program that is not compiled yet has no module either: the one it had is of another source.
fn remove_old_modules(system: &SystemDirectory, state: &State) {
    let built = state.sources.values().filter(|b| !b.module.is_empty());
    let known: HashSet<String> = built
        .flat_map(|b| [b.module.clone(), format!("{}.so", b.program)])
        .collect();
    let before = SystemTime::now().checked_sub(LEFT_OVER);
    for entry in std::fs::read_dir(system.own("modules"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| known.contains(name)) {
            continue;
        }
        // Another build may be writing it.
        let written = entry.metadata().and_then(|found| found.modified()).ok();
        let is_new = name.to_string_lossy().ends_with(".new");
        if is_new && before.zip(written).is_some_and(|(before, at)| at > before) {
            continue;
        }
        // A module that stays costs disk space only.
        let _removed = std::fs::remove_file(entry.path());
    }
}
