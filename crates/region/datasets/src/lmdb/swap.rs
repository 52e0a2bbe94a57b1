//! The files of a restored store take the places of those before it.
//!
//! What: moves that can be broken off anywhere and are finished by who opens the store next. Not
//! here: making the new store (`restore`).

use super::error::io;
use super::folder::DATA;
use std::fs::{self, File};
use std::path::Path;
use transom_recovery::{StoreError, fail_point};

/// The new store, whole: from now on it counts.
pub(super) const READY: &str = "restore.ready";
/// Files of the store before it.
pub(super) const REPLACED: &str = "replaced";
/// All that makes a store, the data last: whoever looks for a store looks for them.
pub(super) const FILES: [&str; 4] = ["checkpoint", "log.0", "log.1", DATA];

/// Finishes what a process began that died in between. The caller has locked the folder.
pub(super) fn finish_restore(folder: &Path) -> Result<(), StoreError> {
    let ready = folder.join(READY);
    if !ready.is_dir() {
        return Ok(());
    }
    let failed = |e: std::io::Error| io("cannot restore into", folder, &e);
    let replaced = folder.join(REPLACED);
    fs::create_dir_all(&replaced).map_err(failed)?;
    for name in FILES {
        let (new, place) = (ready.join(name), folder.join(name));
        // Away means that it is in its place already.
        if !new.exists() {
            continue;
        }
        if place.exists() {
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
    // Empty when there was no store before.
    let _ = fs::remove_dir(&replaced);
    sync_folder(folder)
}

/// Names in a folder are on the device.
pub(super) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    File::open(folder)
        .and_then(|f| f.sync_all())
        .map_err(|e| io("cannot flush", folder, &e))
}
