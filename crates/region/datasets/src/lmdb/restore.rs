//! A copy put in the place of a store.
//!
//! What: the copy becomes a store beside the one that is there, whole and flushed; then one rename
//! decides, and the files change places. A process that dies before the rename leaves the old
//! store, one that dies after it leaves work that whoever opens the store next finishes first. The
//! files of the old store are kept in `replaced`. Why not over the old files: half of each would
//! be believed. Not here: which copies are refused (utilities).

use super::copy::check_copy;
use super::engine::{LmdbEngine, LocalOptions};
use super::error::io;
use super::folder::{keep_places, lock_folder};
use super::layout::DATA;
use super::swap::{FILES, READY, REPLACED, finish_restore, sync_folder};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use transom_recovery::{EngineStore, Settings, StoreError, fail_point};

/// The new store while it is made.
const PART: &str = "restore.part";

/// Puts a copy made by [`copy_local`](super::copy_local) in the place of the store in a folder, or
/// makes a store of it where none is. `prepare` may write to the new store before it counts.
/// Answers where the files of the old one are kept.
pub fn restore_local(
    copy: &Path,
    folder: &Path,
    options: LocalOptions,
    prepare: &mut dyn FnMut(&EngineStore<LmdbEngine>) -> Result<(), StoreError>,
) -> Result<Option<PathBuf>, StoreError> {
    let failed = |e: std::io::Error| io("cannot restore into", folder, &e);
    fs::create_dir_all(folder).map_err(failed)?;
    let _lock = lock_folder(folder)?;
    finish_restore(folder)?;
    let part = folder.join(PART);
    if part.exists() {
        fs::remove_dir_all(&part).map_err(failed)?;
    }
    fs::create_dir(&part).map_err(failed)?;
    keep_places(&part);
    fs::copy(copy.join(DATA), part.join(DATA)).map_err(failed)?;
    fail_point("restore-copied")?;
    check_copy(&part)?;
    let store = EngineStore::open(LmdbEngine::open(&part, options)?, Settings::default())?;
    prepare(&store)?;
    // An orderly end leaves nothing in the log.
    drop(store);
    finish_new(&part).map_err(failed)?;
    let replaces = folder.join(DATA).exists();
    keep_earlier(folder).map_err(failed)?;
    fail_point("restore-ready")?;
    fs::rename(&part, folder.join(READY)).map_err(failed)?;
    sync_folder(folder)?;
    finish_restore(folder)?;
    Ok(replaces.then(|| folder.join(REPLACED)))
}

/// Everything of a new store that was closed is on the device.
pub(super) fn finish_new(part: &Path) -> std::io::Result<()> {
    for name in ["region.lock", "lock.mdb"] {
        let _ = fs::remove_file(part.join(name));
    }
    for name in FILES {
        File::open(part.join(name))?.sync_all()?;
    }
    File::open(part)?.sync_all()
}

/// What an earlier restore kept gets a number.
fn keep_earlier(folder: &Path) -> std::io::Result<()> {
    let replaced = folder.join(REPLACED);
    if !replaced.exists() {
        return Ok(());
    }
    let numbered = |n: u32| folder.join(format!("{REPLACED}.{n}"));
    let free = (1..).map(numbered).find(|path| !path.exists());
    free.map_or(Ok(()), |path| fs::rename(&replaced, path))
}
