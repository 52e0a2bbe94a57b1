//! The folder of a store: its lock, a new data file, the trees of an environment.
//!
//! Not here: what is written (`engine`), the log (`log`, `checkpoint`).

use super::error::{io, translate};
use super::identity;
use super::layout::{BEFORE_LOG, DATA, FORMAT, RECORDS};
use super::lock_file;
use super::map::{Access, Map, READERS_MAX, Tree};
use heed::{CompactionOption, Env, RoTxn};
use rustix::fs::IFlags;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};
use transom_recovery::StoreError;

/// How long the lock is waited for: a process that its last owner was just starting has a copy of
/// it until it runs its own program, and one that was killed lets go when the kernel has taken it
/// apart.
const LOCK_MAX: Duration = Duration::from_millis(500);
/// Bytes a disk must have that is not full.
const ROOM: usize = 64 << 10;
/// Between two looks.
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The environment with the trees only the writer needs.
pub(super) struct Inside {
    pub(super) map: Map,
    /// Numbers of deleted tables whose records are still there.
    pub(super) trash: Tree,
    pub(super) meta: Tree,
}

impl Inside {
    /// Bytes of all trees, free pages not counted.
    pub(super) fn bytes(&self, txn: &RoTxn<'_>) -> Result<u64, StoreError> {
        let mut bytes = 0_u64;
        for tree in [self.map.tables, self.map.records, self.trash, self.meta] {
            let stat = tree.stat(txn).map_err(translate)?;
            // The numbers of a damaged store are any.
            for pages in [stat.branch_pages, stat.leaf_pages, stat.overflow_pages] {
                let of_kind = (pages as u64).saturating_mul(u64::from(stat.page_size));
                bytes = bytes.saturating_add(of_kind);
            }
        }
        Ok(bytes)
    }
}

/// A new store gets its name when it is whole: a machine that dies meanwhile must not leave half a
/// header behind.
pub(super) fn create(folder: &Path, size: usize) -> Result<(), StoreError> {
    let new = folder.join("new");
    let failed = |e: std::io::Error| io("cannot make the store in", folder, &e);
    if new.exists() {
        fs::remove_dir_all(&new).map_err(failed)?;
    }
    fs::create_dir(&new).map_err(failed)?;
    let written = lock_file::open(&new, Some(size), READERS_MAX, Access::Flushed)?;
    trees(written.env.clone(), &new)?;
    written.close();
    File::open(new.join(DATA))
        .and_then(|f| f.sync_all())
        .and_then(|()| fs::rename(new.join(DATA), folder.join(DATA)))
        .and_then(|()| fs::remove_dir_all(&new))
        .and_then(|()| File::open(folder)?.sync_all())
        .map_err(failed)
}

/// Opens or makes the trees: tables, records, trash, meta.
pub(super) fn trees(env: Env, folder: &Path) -> Result<Inside, StoreError> {
    let mut txn = env.write_txn().map_err(translate)?;
    let mut tree = |name| -> Result<Tree, StoreError> {
        env.create_database(&mut txn, Some(name)).map_err(translate)
    };
    let (tables, records) = (tree("tables")?, tree(RECORDS)?);
    let (trash, meta) = (tree("trash")?, tree("meta")?);
    match meta.get(&txn, b"format").map_err(translate)? {
        Some(format) if format == FORMAT.to_be_bytes() => {}
        // Without a log; from now on it has one.
        Some(format) if format == BEFORE_LOG.to_be_bytes() => {
            let format = FORMAT.to_be_bytes();
            meta.put(&mut txn, b"format", &format).map_err(translate)?;
        }
        Some(other) => return Err(StoreError::Io(other_format(folder, other))),
        None => {
            let format = FORMAT.to_be_bytes();
            meta.put(&mut txn, b"format", &format).map_err(translate)?;
            identity::choose(meta, &mut txn)?;
        }
    }
    txn.commit().map_err(translate)?;
    Ok(Inside {
        map: Map::new(env, tables, records).of_writer(),
        trash,
        meta,
    })
}

/// Writes the state committed last to a new data file.
pub(super) fn copy_env(env: &Env, folder: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(|e| io("cannot make folder", folder, &e))?;
    let target = folder.join(DATA);
    if target.exists() {
        return Err(StoreError::Io(format!("{} exists", target.display())));
    }
    let copy = env.copy_to_path(&target, CompactionOption::Enabled);
    let copy = copy.map_err(translate)?;
    copy.sync_all().map_err(|e| io("cannot flush", &target, &e))
}

/// A commit that failed has changed nothing: its pages were free ones. So one that a full disk cut
/// short, which LMDB calls an error of the device, is one for which there is no room.
pub(super) fn without_room(folder: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Io(text) if is_full(folder) => {
            let folder = folder.display();
            StoreError::NoSpace(format!("{text}; the disk of {folder} is full"))
        }
        other => other,
    }
}

/// The disk of a folder does not take even a little.
pub(super) fn is_full(folder: &Path) -> bool {
    let probe = folder.join("room");
    let written = fs::write(&probe, vec![1; ROOM]);
    // What is left of it is in the way only until the next start.
    let _ = fs::remove_file(&probe);
    let written = written.map_err(|e| io("cannot write", &probe, &e));
    matches!(written, Err(StoreError::NoSpace(_)))
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
    match lock_patiently(&file) {
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
    // In place: a full disk has no room for what was given back a moment ago.
    let line = format!("{}\n", std::process::id());
    let written = file.write_all_at(line.as_bytes(), 0);
    let written = written.and_then(|()| file.set_len(line.len() as u64));
    written.map_err(|e| io("cannot write", &path, &e))?;
    Ok(file)
}

/// Files that are made in a folder from now on keep their places when they are written over, where
/// the file system knows that (btrfs): a record of the log must be taken back, and a checkpoint
/// written, when nothing is free. The checksums of the file system go with it; all that is read of
/// a store has one of its own.
pub(super) fn keep_places(folder: &Path) {
    let Ok(folder) = File::open(folder) else {
        return;
    };
    // Others do not know it, and need it not.
    if let Ok(flags) = rustix::fs::ioctl_getflags(&folder) {
        let _ = rustix::fs::ioctl_setflags(&folder, flags | IFlags::NOCOW);
    }
}

/// Locks the data itself: whoever removes `region.lock` under a running region must not get a
/// second one on the same data. The lock ends with the process, however it ends.
pub(super) fn lock_data(folder: &Path, data: &Path) -> Result<File, StoreError> {
    let file = OpenOptions::new().read(true).write(true).open(data);
    let file = file.map_err(|e| io("cannot open", data, &e))?;
    match lock_patiently(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let who = format!("another process (data in {})", folder.display());
            Err(StoreError::InUse(who))
        }
        Err(TryLockError::Error(e)) => Err(io("cannot lock", data, &e)),
    }
}

fn lock_patiently(file: &File) -> Result<(), TryLockError> {
    let begin = Instant::now();
    let mut locked = file.try_lock();
    while matches!(locked, Err(TryLockError::WouldBlock)) && begin.elapsed() < LOCK_MAX {
        std::thread::sleep(LOCK_PAUSE);
        locked = file.try_lock();
    }
    locked
}

/// What a flush has done that failed is not known, whatever the reason was; the operator has to
/// know whether it was the room.
pub(super) fn explained(folder: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Io(text) if is_full(folder) => {
            let folder = folder.display();
            StoreError::Io(format!(
                "{text}; the disk of {folder} is full: make room and start again"
            ))
        }
        other => other,
    }
}

pub(super) fn other_format(folder: &Path, format: &[u8]) -> String {
    let number = format.try_into().map(u32::from_be_bytes);
    let (folder, whose) = (folder.display(), "were written by another version");
    match number {
        Ok(number @ FORMAT..) => format!(
            "the data in {folder} {whose}, a later one: their format is {number}, this one knows \
             {FORMAT}"
        ),
        _ => format!("the data in {folder} {whose}"),
    }
}
