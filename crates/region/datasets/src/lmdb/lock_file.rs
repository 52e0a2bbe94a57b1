//! LMDB's lock file, in memory.
//!
//! What: the environment of a writer, opened while `lock.mdb` leads to memory of this process. Why:
//! LMDB stores to a map of that file at each transaction. A file system that writes elsewhere what
//! is changed (btrfs) needs room for that, and ends the process by SIGBUS where there is none; so
//! does one in which the file has holes. What is in it is of the moment, and of the region alone:
//! other processes that read have places of their own (`readers`). Not here: what is opened
//! (`map`).

use super::error::io;
use super::layout::DATA;
use super::map::{Access, open_env};
use heed::Env;
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::{self, File};
use std::io::ErrorKind::{NotFound, StorageFull};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, symlink};
use std::path::Path;
use tempfile::TempDir;
use transom_recovery::StoreError;

/// Its name.
pub(super) const NAME: &str = "lock.mdb";
/// A file system that is memory.
const IN_MEMORY: &str = "/dev/shm";
/// What the table of readers begins with, and the bytes of one of them. A place among them has the
/// transaction, which is [`NOBODY`] between two of them, and the process.
const READERS: usize = 128;
const READER: usize = 64;
const NOBODY: u64 = u64::MAX;

/// An environment that is written, with its lock file.
pub(super) struct Written {
    pub(super) env: Env,
    pub(super) lock: LockFile,
}

/// The lock file of an environment of this process; it must live as long.
pub(super) struct LockFile(File);

/// Opens the environment of a folder for its only writer.
pub(super) fn open(
    folder: &Path,
    size: Option<usize>,
    readers_max: u32,
    access: Access,
) -> Result<Written, StoreError> {
    let path = folder.join(NAME);
    let failed = |e: std::io::Error| io("cannot make", &path, &e);
    let memory = memfd_create(NAME, MemfdFlags::CLOEXEC).map_err(|e| failed(e.into()))?;
    let memory = File::from(memory);
    let target = format!("/proc/self/fd/{}", memory.as_raw_fd());
    // An earlier version, or a copy that was checked, left one on the disk.
    remove(&path).map_err(failed)?;
    if !Path::new(&target).exists() {
        // Without /proc it is on the disk, as its name says.
        let env = open_env(folder, size, readers_max, access)?;
        let lock = File::open(&path).map_err(failed)?;
        return Ok(Written {
            env,
            lock: LockFile(lock),
        });
    }
    let opened = match symlink(&target, &path) {
        Ok(()) => {
            let opened = open_env(folder, size, readers_max, access);
            // Nobody opens it again.
            remove(&path).map_err(failed)?;
            opened
        }
        // A folder of a full xfs has no room for a name.
        Err(error) if error.kind() == StorageFull => {
            let beside = beside(folder, &target).map_err(|_| failed(error))?;
            open_env(beside.path(), size, readers_max, access)
        }
        Err(error) => return Err(failed(error)),
    };
    Ok(Written {
        env: opened?,
        lock: LockFile(memory),
    })
}

/// A folder elsewhere whose names lead to the data and to the lock file, for the moment in which
/// LMDB opens both by their names. Tables are counted by their records then, not by pages of the
/// file (`Map::count_pages`).
fn beside(folder: &Path, lock: &str) -> std::io::Result<TempDir> {
    let folder = fs::canonicalize(folder)?;
    let make = |at: &Path| {
        let made = tempfile::Builder::new().prefix("transom").tempdir_in(at)?;
        symlink(folder.join(DATA), made.path().join(DATA))?;
        symlink(lock, made.path().join(NAME))?;
        Ok(made)
    };
    make(Path::new(IN_MEMORY)).or_else(|_: std::io::Error| make(&std::env::temp_dir()))
}

impl Written {
    /// Closes it.
    pub(super) fn close(self) {
        self.env.prepare_for_closing().wait();
    }
}

impl LockFile {
    /// The oldest state anybody reads. The own reader of a state that is known is looked for: where
    /// it is not found the table is not as it is known to be, and nothing is said. The caller is
    /// the writer and writes nothing meanwhile: who begins to read now reads the state committed
    /// last.
    pub(super) fn oldest_reader(&self, own: u64) -> Option<u64> {
        let mut bytes = vec![0; usize::try_from(self.0.metadata().ok()?.len()).ok()?];
        self.0.read_exact_at(&mut bytes, 0).ok()?;
        let process = std::process::id();
        let mut oldest = u64::MAX;
        let mut known = false;
        for place in bytes.get(READERS..)?.chunks_exact(READER) {
            let transaction = u64::from_le_bytes(place.get(..8)?.try_into().ok()?);
            let reader = u32::from_le_bytes(place.get(8..12)?.try_into().ok()?);
            if reader == 0 || transaction == NOBODY {
                continue;
            }
            known |= reader == process && transaction == own;
            oldest = oldest.min(transaction);
        }
        known.then_some(oldest)
    }
}

fn remove(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != NotFound => Err(error),
        _ => Ok(()),
    }
}
