//! A store made as short as its data.
//!
//! What: the state committed last, copied without its free pages, takes the place of the store it
//! is a copy of. Why: a file never gets shorter by itself; what was deleted leaves pages that only
//! later data use. Made like a restore: the new store is whole and on the disk before one rename
//! decides, so whatever ends the process leaves the old store or the new one. Not here: giving
//! pages back while a region runs (`upkeep`).

use super::copy::check_copy;
use super::engine::{LmdbEngine, LocalOptions};
use super::error::io;
use super::folder::copy_env;
use super::layout::DATA;
use super::restore::finish_new;
use super::swap::{COMPACTED, COMPACTING, finish_restore};
use std::fs::{self, File};
use std::path::Path;
use transom_recovery::{Space, StoreError, fail_point};

/// Bytes before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compacted {
    /// What the data need, free pages and all.
    pub before: Space,
    /// The same afterwards.
    pub after: Space,
}

/// Makes the data file of a store as short as its data. Nobody may use the store; beside it there
/// must be room for the data once more.
///
/// # Errors
/// [`StoreError::InUse`]: somebody uses it. [`StoreError::NoSpace`]: there is no room for the copy.
/// [`StoreError::Damaged`], [`StoreError::Io`]: the copy is damaged, since the store is. The store
/// is as it was.
pub fn compact_local(folder: &Path, options: LocalOptions) -> Result<Compacted, StoreError> {
    if !folder.join(DATA).is_file() {
        let text = format!("there is no store in {}", folder.display());
        return Err(StoreError::Wrong(text));
    }
    // Holds the store until the new one is in its place.
    let engine = LmdbEngine::open(folder, options)?;
    let before = engine.space_now()?;
    engine.sweep_all()?;
    let part = folder.join(COMPACTING);
    let made = make(&engine, &part, options);
    if made.is_err() {
        // What is left goes with the next start.
        let _ = fs::remove_dir_all(&part);
    }
    made?;
    fail_point("compact-ready")?;
    fs::rename(&part, folder.join(COMPACTED)).map_err(|e| io("cannot rename in", folder, &e))?;
    File::open(folder)
        .and_then(|f| f.sync_all())
        .map_err(|e| io("cannot flush", folder, &e))?;
    finish_restore(folder)?;
    // It has nothing left to write, and its files have no names any more.
    drop(engine);
    let after = LmdbEngine::open(folder, options)?.space_now()?;
    Ok(Compacted { before, after })
}

/// Makes the new store beside the old one, whole and flushed.
fn make(engine: &LmdbEngine, part: &Path, options: LocalOptions) -> Result<(), StoreError> {
    let failed = |e: std::io::Error| io("cannot write", part, &e);
    if part.exists() {
        fs::remove_dir_all(part).map_err(failed)?;
    }
    fs::create_dir(part).map_err(failed)?;
    copy_env(engine.env(), part)?;
    fail_point("compact-copied")?;
    check_copy(part)?;
    drop(LmdbEngine::open(part, options)?);
    finish_new(part).map_err(failed)
}
