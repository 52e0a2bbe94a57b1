//! A copy of a store, made while a region uses it or while nobody does.
//!
//! What: the state committed last, as a data file without gaps, checked when it is there: its pages
//! and every record. Why checked: a copy that is damaged is found when it is needed otherwise. Why
//! not made by the region: reading all of a store must not hold up tasks, and damage that ends who
//! reads it must not end the region. Not here: what lies beside a copy (utilities), putting one in
//! the place of a store (`restore`).

use super::engine::{LmdbEngine, LocalOptions};
use super::error::{io, translate};
use super::folder::copy_env;
use super::identity::{self, Identity};
use super::layout::{DATA, RECORDS};
use super::look::read;
use super::map::{Access, Map, READERS_MAX, open_env};
use super::readers::Place;
use super::structure::{self, Depth};
use std::fs::{self, File, TryLockError};
use std::path::Path;
use transom_recovery::{Engine, StoreError};

/// What a copy is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// Of the store and of all copies of it.
    pub identity: Option<Identity>,
    /// A region or a utility had it open.
    pub in_use: bool,
}

/// Copies the store in a folder into another folder, which must be there and have no store. Who has
/// the store open goes on meanwhile.
///
/// # Errors
/// [`StoreError::Unavailable`]: who had it open ended, or began, before the copy was whole; what
/// was copied is worth nothing. [`StoreError::Damaged`], [`StoreError::Io`]: the copy is damaged,
/// since the store is.
pub fn copy_local(
    folder: &Path,
    target: &Path,
    options: LocalOptions,
) -> Result<Copied, StoreError> {
    copy_local_and(folder, target, options, &mut || {})
}

/// The same; `copied` is called when the copy is whole and has yet to be read.
pub fn copy_local_and(
    folder: &Path,
    target: &Path,
    options: LocalOptions,
    copied: &mut dyn FnMut(),
) -> Result<Copied, StoreError> {
    if !folder.join(DATA).is_file() {
        let text = format!("there is no store in {}", folder.display());
        return Err(StoreError::Wrong(text));
    }
    let in_use = match LmdbEngine::open(folder, options) {
        Ok(engine) => {
            engine.backup(target)?;
            false
        }
        Err(StoreError::InUse(_)) => {
            copy_used(folder, target)?;
            true
        }
        Err(error) => return Err(error),
    };
    copied();
    Ok(Copied {
        identity: check_copy(target)?,
        in_use,
    })
}

/// Checks all of a copy; of which store it is. Nothing may write to it meanwhile.
pub(super) fn check_copy(folder: &Path) -> Result<Option<Identity>, StoreError> {
    structure::check(&folder.join(DATA), Depth::Leaves, None)?;
    checked(folder)
}

fn checked(folder: &Path) -> Result<Option<Identity>, StoreError> {
    let env = open_env(folder, None, READERS_MAX, Access::Placed)?;
    let txn = read(&env)?;
    let tree = |name| {
        let opened = env.open_database(&txn, Some(name)).map_err(translate)?;
        opened.ok_or_else(|| StoreError::Io(format!("{} is no store", folder.display())))
    };
    let (tables, records, meta) = (tree("tables")?, tree(RECORDS)?, tree("meta")?);
    let identity = identity::read(meta, &txn)?;
    txn.commit().map_err(translate)?;
    let map = Map::new(env, tables, records);
    let damaged = map.verify("", 1)?.pop();
    map.env.prepare_for_closing().wait();
    match damaged {
        Some(damage) => Err(StoreError::Damaged {
            table: damage.table,
            key: damage.key,
        }),
        None => Ok(identity),
    }
}

/// A region that starts after a crash sets the tree back, and then writes over pages that are being
/// copied; so it must have been the same one from the beginning to the end.
fn copy_used(folder: &Path, target: &Path) -> Result<(), StoreError> {
    let before = Owner::of(folder)?;
    let place = Place::of_utility(folder)?;
    let access = match place {
        Some(_) => Access::Placed,
        // A region of an earlier version.
        None => Access::ReadOnly,
    };
    let env = open_env(folder, None, READERS_MAX, access)?;
    let copied = copy_env(&env, target);
    env.prepare_for_closing().wait();
    copied?;
    match Owner::of(folder)? == before {
        true => Ok(()),
        false => Err(ended()),
    }
}

fn ended() -> StoreError {
    let text = "the region that used it ended, or another one began, while it was copied";
    StoreError::Unavailable(text.to_owned())
}

/// The process that has a store open.
#[derive(PartialEq, Eq)]
struct Owner {
    pid: String,
    /// When it began, since numbers of processes come again.
    since: String,
}

impl Owner {
    fn of(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("region.lock");
        let file = File::open(&path).map_err(|e| io("cannot open", &path, &e))?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => {}
            Ok(()) => return Err(ended()),
            Err(TryLockError::Error(e)) => return Err(io("cannot lock", &path, &e)),
        }
        let text = fs::read_to_string(&path).map_err(|e| io("cannot read", &path, &e))?;
        let pid = text.trim().to_owned();
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).map_err(|_| ended())?;
        // Behind the name, which may have blanks: state, parent, ... the 20th is the start.
        let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
        let since = behind.split_whitespace().nth(19).unwrap_or("").to_owned();
        Ok(Self { pid, since })
    }
}
