//! `transom run` of a folder with a plex.toml, and of the regions it names.

use crate::service;
use std::path::Path;
use transom_log::{operator, say};
use transom_messages as messages;
use transom_plex::Outside;

/// Options of one region stand in plex.toml, for each region its own.
pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let outside = Outside {
        say: |line| say(line),
        operator: operator(),
        notify: service::notify,
    };
    transom_log::serve().map_err(|e| e.to_string())?;
    transom_plex::run(folder, &outside)
}

/// This process is told to end (SIGTERM) when the one that started it is gone.
pub(crate) fn end_with_parent() -> Result<(), String> {
    let told = Some(rustix::process::Signal::TERM);
    let set = rustix::process::set_parent_process_death_signal(told);
    set.map_err(|e| messages::si::region_cannot_start(e).to_string())
}
