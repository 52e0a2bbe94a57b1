//! What of a store is there before its tree is mapped.
//!
//! What: the checkpoint, whose state the data file is set back to when its pages are in order. Why
//! before: LMDB believes what it maps. Not here: what the logs have behind it (`durable`).

use super::checkpoint::{Checkpoint, CheckpointFile};
use super::format;
use super::header;
use super::log::LogFile;
use super::pages::{self, state_of};
use super::structure::{self, Depth};
use std::path::{Path, PathBuf};
use transom_recovery::StoreError;

/// What is found before the tree is mapped.
pub(super) type Found = Option<(CheckpointFile, Checkpoint)>;

/// Looks for a checkpoint, checks the data file and sets it back to it.
pub(super) fn set_back(folder: &Path, data: &Path) -> Result<Found, StoreError> {
    let found = CheckpointFile::open(folder)?;
    let header = found.as_ref().map(|(_, found)| found.header.as_slice());
    check(folder, data, found.as_ref(), Depth::AtOpen)?;
    format::must_be_known(folder, data, header)?;
    match header {
        Some(header) => header::restore(data, header)?,
        None => must_be_new(folder)?,
    }
    if header.is_none_or(|header| header::number(header) == 0) {
        header::renumber(data)?;
    }
    Ok(found)
}

/// Whether the pages of a data file are those of its checkpoint.
pub(super) fn check(
    folder: &Path,
    data: &Path,
    found: Option<&(CheckpointFile, Checkpoint)>,
    depth: Depth,
) -> Result<(), StoreError> {
    let state = found.map(|(file, checkpoint)| state_of(checkpoint, file.number()));
    let Some(state) = state else {
        return structure::check(data, depth, None);
    };
    pages::must_be_last(folder, &state)?;
    structure::check(data, depth, Some(&state.header))?;
    pages::check(folder, data, &state, depth)
}

/// Without a checkpoint, records of a log are of something that is lost.
fn must_be_new(folder: &Path) -> Result<(), StoreError> {
    for path in log_paths(folder) {
        if path.exists() && LogFile::open(&path, 0)?.was_used() {
            let text = "has no checkpoint, restore a backup";
            return Err(StoreError::Io(format!("{} {text}", path.display())));
        }
    }
    Ok(())
}

/// The two logs of a folder.
pub(super) fn log_paths(folder: &Path) -> [PathBuf; 2] {
    ["log.0", "log.1"].map(|name| folder.join(name))
}
