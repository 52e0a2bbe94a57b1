//! The files of a restored or compacted store take the places of those before it.
//!
//! What: moves that can be broken off anywhere and are finished by who opens the store next. Not
//! here: making the new store (`restore`, `compact`).

use super::error::io;
use super::layout::DATA;
use super::sums;
use std::fs::{self, File};
use std::path::Path;
use transom_recovery::{StoreError, fail_point};

/// The new store, whole: from now on it counts.
pub(super) const READY: &str = "restore.ready";
/// The same after a compaction: the files before it are not kept.
pub(super) const COMPACTED: &str = "compact.ready";
/// A compacted store that is not whole.
pub(super) const COMPACTING: &str = "compact.part";
/// Files of the store before it.
pub(super) const REPLACED: &str = "replaced";
/// All that makes a store, the data last: whoever looks for a store looks for them.
pub(super) const FILES: [&str; 5] = [sums::NAME, "checkpoint", "log.0", "log.1", DATA];

/// Finishes what a process began that died in between. The caller has locked the folder.
pub(super) fn finish_restore(folder: &Path) -> Result<(), StoreError> {
    let failed = |e: std::io::Error| io("cannot compact", folder, &e);
    let left = folder.join(COMPACTING);
    if left.is_dir() {
        fs::remove_dir_all(&left).map_err(failed)?;
    }
    // Whichever was decided first was finished before the other could begin.
    finish(folder, COMPACTED, None)?;
    finish(folder, READY, Some(REPLACED))
}

/// Moves the files of a new store to their places.
fn finish(folder: &Path, ready: &str, keep: Option<&str>) -> Result<(), StoreError> {
    let ready = folder.join(ready);
    if !ready.is_dir() {
        return Ok(());
    }
    let failed = |e: std::io::Error| io("cannot replace the store in", folder, &e);
    let replaced = keep.map(|name| folder.join(name));
    for name in FILES {
        let (new, place) = (ready.join(name), folder.join(name));
        // Away means that it is in its place already.
        if !new.exists() {
            continue;
        }
        if let Some(replaced) = replaced.as_ref().filter(|_| place.exists()) {
            fs::create_dir_all(replaced).map_err(failed)?;
            fs::rename(&place, replaced.join(name)).map_err(failed)?;
        }
        fail_point("restore-swap")?;
        fs::rename(&new, &place).map_err(failed)?;
    }
    // Readers of the old store stand in it.
    match fs::remove_file(folder.join("lock.mdb")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    sync_folder(folder)?;
    fs::remove_dir_all(&ready).map_err(failed)?;
    sync_folder(folder)
}

/// Names in a folder are on the device.
pub(super) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    File::open(folder)
        .and_then(|f| f.sync_all())
        .map_err(|e| io("cannot flush", folder, &e))
}
