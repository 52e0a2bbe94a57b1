//! `transom check`: everything that would not work, before anything runs.

use super::output::{bar, findings, print};
use crate::system::build::{Mode, build};
use crate::system::{self, decks};
use std::path::Path;

pub(crate) fn run(dir: &Path) -> Result<(), String> {
    let (system, mut found) = system::open(dir)?;
    let progress = bar(system.sources.len());
    let outcome = build(&system, Mode::CheckOnly, &|done, _, name| {
        progress.set_position(done as u64);
        progress.set_message(name.to_owned());
    })?;
    progress.finish_and_clear();
    found.extend(outcome.findings);
    let (definitions, more) = decks::read(&system);
    found.extend(more);
    found.extend(decks::missing_programs(&definitions, &outcome.programs));
    found.extend(super::run::check_gateway(&system));
    let errors = findings(&found);
    if errors > 0 {
        return Err(format!("{}: {errors} errors", dir.display()));
    }
    print(&format!(
        "{}: {} programs, nothing stands in the way\n",
        dir.display(),
        outcome.programs.len()
    ));
    Ok(())
}
