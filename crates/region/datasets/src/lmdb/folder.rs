//! The folder of a store: its lock, a new data file, the trees of an environment.
//!
//! Not here: what is written (`engine`), the log (`log`, `checkpoint`).

use super::error::{io, translate};
use super::layout::{BEFORE_LOG, FORMAT};
use super::map::{Access, Tree, open_env};
use heed::Env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};
use transom_recovery::StoreError;

/// How long the lock is waited for: a process that its last owner was just starting has a copy of it until it runs its own
/// program, and one that was killed lets go when the kernel has taken it apart.
const LOCK_MAX: Duration = Duration::from_millis(500);
/// Between two looks.
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The data file of an environment.
pub(super) const DATA: &str = "data.mdb";

/// A new store gets its name when it is whole: a machine that dies meanwhile must not leave half a header behind.
pub(super) fn create(folder: &Path, size: usize) -> Result<(), StoreError> {
    let new = folder.join("new");
    let failed = |e: std::io::Error| io("cannot make the store in", folder, &e);
    if new.exists() {
        fs::remove_dir_all(&new).map_err(failed)?;
    }
    fs::create_dir(&new).map_err(failed)?;
    let env = open_env(&new, Some(size), Access::Flushed)?;
    trees(&env, &new)?;
    env.prepare_for_closing().wait();
    File::open(new.join(DATA))
        .and_then(|f| f.sync_all())
        .and_then(|()| fs::rename(new.join(DATA), folder.join(DATA)))
        .and_then(|()| fs::remove_dir_all(&new))
        .and_then(|()| File::open(folder)?.sync_all())
        .map_err(failed)
}

/// Opens or makes the trees: tables, records, trash, meta.
pub(super) fn trees(env: &Env, folder: &Path) -> Result<[Tree; 4], StoreError> {
    let mut txn = env.write_txn().map_err(translate)?;
    let mut tree = |name| env.create_database(&mut txn, Some(name)).map_err(translate);
    let trees: [Tree; 4] = [
        tree("tables")?,
        tree("records")?,
        tree("trash")?,
        tree("meta")?,
    ];
    let meta = trees[3];
    match meta.get(&txn, b"format").map_err(translate)? {
        Some(format) if format == FORMAT.to_be_bytes() => {}
        // Without a log; from now on it has one.
        Some(format) if format == BEFORE_LOG.to_be_bytes() => {
            let format = FORMAT.to_be_bytes();
            meta.put(&mut txn, b"format", &format).map_err(translate)?;
        }
        Some(_) => return Err(StoreError::Io(other_format(folder))),
        None => {
            let format = FORMAT.to_be_bytes();
            meta.put(&mut txn, b"format", &format).map_err(translate)?;
        }
    }
    txn.commit().map_err(translate)?;
    Ok(trees)
}

/// The lock ends with the process, however it ends.
pub(super) fn lock_folder(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("region.lock");
    let mut options = OpenOptions::new();
    let file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let mut file = file.map_err(|e| io("cannot open", &path, &e))?;
    let begin = Instant::now();
    let mut locked = file.try_lock();
    while matches!(locked, Err(TryLockError::WouldBlock)) && begin.elapsed() < LOCK_MAX {
        std::thread::sleep(LOCK_PAUSE);
        locked = file.try_lock();
    }
    match locked {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            // Only for the message.
            let _ = file.read_to_string(&mut owner);
            let who = format!("process {} (data in {})", owner.trim(), folder.display());
            return Err(StoreError::InUse(who));
        }
        Err(TryLockError::Error(e)) => return Err(io("cannot lock", &path, &e)),
    }
    let written = file
        .set_len(0)
        .and_then(|()| writeln!(file, "{}", std::process::id()));
    written.map_err(|e| io("cannot write", &path, &e))?;
    Ok(file)
}

fn other_format(folder: &Path) -> String {
    format!(
        "the data in {} were written by another version",
        folder.display()
    )
}
