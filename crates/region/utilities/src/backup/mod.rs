//! Backups of the store of a system directory, and stores made from them.
//!
//! What: [`backup()`] copies a store, in use or not, with what a restore must know of it
//! ([`Manifest`]); [`restore()`] puts a backup in the place of the store or into an empty folder.
//! A backup gets its name when it is whole, and counts only with its manifest. Not here: copying
//! pages and changing files (datasets), forward recovery (`forward`), databases beside the store,
//! which have backups of their own.

mod failure;
mod manifest;

pub use manifest::Manifest;

use crate::backup_failure::BackupFailure;
use crate::forward::places;
use crate::time::utc;
use failure::Fault;
use manifest::{DATA, DATABASE, VERSION, sum};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use transom_datasets::{
    Identity, LmdbEngine, LocalOptions, ReadOnlyStore, copy_local_and, restore_local,
};
use transom_messages::bk;
use transom_recovery::{Restored, StoreError, wait};

/// What is backed up.
#[derive(Debug)]
pub struct Source<'a> {
    /// Folder of the store.
    pub store: &'a Path,
    /// How it is opened when nobody uses it.
    pub options: LocalOptions,
    /// Folder with the journals of its region.
    pub journals: &'a Path,
    /// APPLID of the region.
    pub applid: &'a str,
    /// Databases that keep some of its data sets.
    pub databases: Vec<String>,
}

/// A database that ends units of work together with the store. Nobody changes it when a backup
/// begins.
pub struct Beside<'a> {
    /// The store has been copied: it may be changed again.
    pub release: &'a mut dyn FnMut(),
    /// Writes the state of the moment in which nobody changed it to a file.
    pub copy: &'a dyn Fn(&Path) -> Result<(), StoreError>,
}

/// Makes a backup in a folder that is not there, or empty.
///
/// # Errors
/// TXMBK0001E to TXMBK0004E: there is no backup then, and none that looks like one.
pub fn backup(
    source: &Source<'_>,
    beside: Option<Beside<'_>>,
    target: &Path,
    now_ms: u64,
) -> Result<Manifest, BackupFailure> {
    let failed = |why: &dyn fmt::Display| bk::not_made(target.display(), why);
    match fs::read_dir(target).map(|mut entries| entries.next()) {
        Ok(Some(_)) => {
            return Err(bk::target_not_empty(target.display()).into());
        }
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(&e).into()),
        _ => {}
    }
    let part = part_of(target);
    fresh(&part).map_err(|e| failed(&e))?;
    let made = fill(source, beside, &part, now_ms);
    if made.is_err() {
        // What is left of it is taken away by the next one.
        let _ = fs::remove_dir_all(&part);
    }
    let manifest = made.map_err(|why| failed(&why))?;
    fs::rename(&part, target)
        .and_then(|()| File::open(parent(target))?.sync_all())
        .map_err(|e| failed(&e))?;
    Ok(manifest)
}

fn fill(
    source: &Source<'_>,
    mut beside: Option<Beside<'_>>,
    part: &Path,
    now_ms: u64,
) -> Result<Manifest, Fault> {
    // Before the copy: what is committed behind these places may or may not be in it.
    let mut logs = places(source.journals)?;
    let mut release = || beside.iter_mut().for_each(|one| (one.release)());
    let copied = copy_local_and(source.store, part, source.options, &mut release)?;
    let database = part.join(DATABASE);
    let sql = match &beside {
        Some(one) => {
            (one.copy)(&database)?;
            Some(sum(&database)?)
        }
        None => None,
    };
    if let Some(before) = pending(part)? {
        logs = before;
    }
    let (bytes, sha256) = sum(&part.join(DATA))?;
    let manifest = Manifest {
        product: env!("CARGO_PKG_VERSION").to_owned(),
        identity: copied.identity.map(|identity| identity.to_string()),
        applid: source.applid.to_owned(),
        made: utc(now_ms),
        in_use: copied.in_use,
        bytes,
        sha256,
        sql,
        version: VERSION,
        logs,
        databases: source.databases.clone(),
    };
    manifest.write(part)?;
    Ok(manifest)
}

/// Places of logs of a store that was restored and has not been used since: it is no newer than
/// those.
fn pending(copy: &Path) -> Result<Option<Vec<transom_recovery::LogPlace>>, StoreError> {
    let store = ReadOnlyStore::open(copy)?;
    let restored = wait(Restored::read(&store))?;
    drop(store);
    Ok(restored.filter(|r| r.open).map(|r| r.logs))
}

/// What became of a restore.
#[derive(Debug)]
pub struct Done {
    /// Of the backup.
    pub manifest: Manifest,
    /// Where the files of the store before it are kept.
    pub replaced: Option<PathBuf>,
}

/// Puts a backup in the place of the store in a folder, or makes a store of it where none is.
/// `whatever`: also when the store that is there cannot be read.
///
/// # Errors
/// TXMBK0005E to TXMBK0009E; the store is as it was.
pub fn restore(
    backup: &Path,
    store: &Path,
    options: LocalOptions,
    whatever: bool,
    now_ns: u64,
) -> Result<Done, BackupFailure> {
    let manifest = Manifest::checked(backup)?;
    if store.join(DATA).exists() {
        must_be_same(&manifest, backup, store, options, whatever)?;
    }
    let restored = Restored {
        when_ns: now_ns,
        made: manifest.made.clone(),
        logs: manifest.logs.clone(),
        open: true,
        applied: None,
    };
    let replaced = restore_local(backup, store, options, &mut |new| restored.write(new));
    let replaced = replaced.map_err(|error| match error {
        StoreError::InUse(who) => bk::in_use(store.display(), who),
        other => bk::not_restored(store.display(), other),
    })?;
    Ok(Done { manifest, replaced })
}

fn must_be_same(
    manifest: &Manifest,
    backup: &Path,
    store: &Path,
    options: LocalOptions,
    whatever: bool,
) -> Result<(), BackupFailure> {
    match LmdbEngine::open(store, options).map(|engine| engine.identity()) {
        Ok(there) => {
            let there = there.map(|identity: Identity| identity.to_string());
            match there.is_some() && there == manifest.identity {
                true => Ok(()),
                false => Err(bk::other_store(backup.display(), store.display()).into()),
            }
        }
        Err(StoreError::InUse(who)) => Err(bk::in_use(store.display(), who).into()),
        Err(_) if whatever => Ok(()),
        Err(error) => Err(bk::not_readable(store.display(), error).into()),
    }
}

/// An empty folder for this user alone; what an earlier backup left there that did not end goes.
fn fresh(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    fs::DirBuilder::new()
        .mode(0o700)
        .recursive(true)
        .create(folder)
}

fn part_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn parent(target: &Path) -> &Path {
    let parent = target.parent().filter(|p| !p.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}
