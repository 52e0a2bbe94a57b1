//! The engine of the region process: the only writer.

use super::apply::Group;
use super::durable::{Durable, set_back};
use super::error::{io, translate};
use super::layout::{BEFORE_LOG, FORMAT, ID};
use super::map::{Access, Map, Tree, open_env};
use super::structure::{self, Depth};
use heed::{CompactionOption, Env};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use transom_recovery::{
    Batch, Damage, Engine, EngineCaps, EngineWrite, LimitStat, Row, Scan, StoreError,
};

/// The data file of an environment.
const DATA: &str = "data.mdb";
/// Longest record: what one transaction of LMDB takes without trouble.
const RECORD_MAX: usize = 32 << 20;
/// Longest key of a record; LMDB's own limit is higher.
const KEY_MAX: usize = 600;
/// Bytes a disk must have that is not full.
const ROOM: usize = 64 << 10;
/// Sweeps an `empty` does itself; what is left goes with later commits.
const SWEEPS_AT_ONCE: usize = 40;

/// How a store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalOptions {
    /// Most bytes the data can have. Address space, not memory and not disk: it costs nothing until it is used.
    pub map_bytes: usize,
    /// Bytes of changes after which the tree is flushed and the log begins again. Twice that is used of the disk, and what a
    /// start after a crash has to read.
    pub log_bytes: usize,
}

impl Default for LocalOptions {
    /// 1 TiB; 32 MiB.
    fn default() -> Self {
        Self {
            map_bytes: 1 << 40,
            log_bytes: 32 << 20,
        }
    }
}

/// LMDB as an engine of units of work.
pub struct LmdbEngine {
    inside: Inside,
    /// Held by who writes.
    durable: Mutex<Durable>,
    folder: PathBuf,
    options: LocalOptions,
    dirty_trash: AtomicBool,
    peak: AtomicU64,
    full: AtomicU64,
    /// Held as long as the store is open.
    _lock: File,
}

/// The environment with the trees only the writer needs.
pub(super) struct Inside {
    pub(super) map: Map,
    /// Numbers of deleted tables whose records are still there.
    pub(super) trash: Tree,
    pub(super) meta: Tree,
}

impl LmdbEngine {
    /// Opens, or creates, the environment of a folder and locks it against other regions.
    pub fn open(folder: &Path, options: LocalOptions) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(|e| io("cannot make folder", folder, &e))?;
        let lock = lock_folder(folder)?;
        // LMDB wants whole pages.
        let size = options.map_bytes.next_multiple_of(1 << 16).max(1 << 20);
        if fs::metadata(folder.join(DATA)).map_or(0, |m| m.len()) == 0 {
            create(folder, size)?;
        }
        let data = folder.join(DATA);
        let found = set_back(folder, &data)?;
        structure::check(&data, Depth::AtOpen, None)?;
        let env = open_env(folder, Some(size), Access::Logged)?;
        // Readers that died with an earlier region.
        env.clear_stale_readers().map_err(translate)?;
        let [tables, records, trash, meta] = trees(&env, folder)?;
        let inside = Inside {
            map: Map::new(env, tables, records),
            trash,
            meta,
        };
        let env = &inside.map.env;
        let mut replay = |writes| replay(&inside, writes);
        let durable = Durable::start(folder, data, env, found, options.log_bytes, &mut replay)?;
        Ok(Self {
            durable: Mutex::new(durable),
            inside,
            folder: folder.to_owned(),
            options,
            dirty_trash: AtomicBool::new(true),
            peak: AtomicU64::new(0),
            full: AtomicU64::new(0),
            _lock: lock,
        })
    }

    /// Frees the places of processes that died while they read; how many. Without it their pages stay in use.
    pub fn clear_stale_readers(&self) -> Result<usize, StoreError> {
        self.inside.map.env.clear_stale_readers().map_err(translate)
    }

    fn apply_all(
        &self,
        durable: &mut Durable,
        batches: &[Batch],
    ) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        let mut group = Group::begin(&self.inside)?;
        let mut results = Vec::with_capacity(batches.len());
        for batch in batches {
            let checked = group.check(batch);
            if checked.is_ok() {
                group.write(batch)?;
            }
            results.push(checked);
        }
        if self.dirty_trash.load(Relaxed) && group.sweep()? {
            self.dirty_trash.store(false, Relaxed);
        }
        let good = |(batch, result): (_, &Result<_, _>)| result.is_ok().then_some(batch);
        let accepted = batches.iter().zip(&results).filter_map(good);
        let logged = durable.write(accepted)?;
        let committed = group.commit();
        let env = &self.inside.map.env;
        match (committed, logged) {
            (Err(error), true) => {
                durable.take_back()?;
                return Err(error);
            }
            (Err(error), false) => return Err(error),
            (Ok(()), true) => durable.committed(env),
            (Ok(()), false) => durable.checkpoint(env)?,
        }
        Ok(results)
    }

    /// Changes of the catalog of tables: rare, and not logged.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Group<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut durable = self.durable();
        let mut group = Group::begin(&self.inside)?;
        let done = change(&mut group)?;
        group.commit()?;
        durable.checkpoint(&self.inside.map.env)?;
        Ok(done)
    }

    fn durable(&self) -> MutexGuard<'_, Durable> {
        self.durable.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn sweep(&self) -> Result<(), StoreError> {
        self.dirty_trash.store(true, Relaxed);
        // Not safe before the next checkpoint; what is there again then is swept again.
        let _durable = self.durable();
        for _ in 0..SWEEPS_AT_ONCE {
            let mut group = Group::begin(&self.inside)?;
            let clean = group.sweep()?;
            group.commit()?;
            if clean {
                self.dirty_trash.store(false, Relaxed);
                break;
            }
        }
        Ok(())
    }

    /// A write that a full disk cut short comes as EIO; the operator has to know which of the two it was.
    fn explained(&self, error: StoreError) -> StoreError {
        let StoreError::Io(text) = error else {
            return error;
        };
        let probe = self.folder.join("room");
        let written = fs::write(&probe, vec![1; ROOM]);
        // What is left of it is in the way only until the next start.
        let _ = fs::remove_file(&probe);
        match written.map_err(|e| io("cannot write", &probe, &e)) {
            Err(StoreError::NoSpace(_)) => {
                let folder = self.folder.display();
                StoreError::Io(format!(
                    "{text}; the disk of {folder} is full: make room and start again"
                ))
            }
            _ => StoreError::Io(text),
        }
    }

    fn used(&self) -> u64 {
        let info = self.inside.map.env.info();
        (info.last_page_number as u64 + 1) * 4096
    }
}

impl Engine for LmdbEngine {
    fn caps(&self) -> EngineCaps {
        EngineCaps {
            durable: true,
            shared_map: true,
            key_max: KEY_MAX.min(self.inside.map.env.max_key_size() - ID),
            record_max: RECORD_MAX,
        }
    }

    fn define(&self, table: &str) -> Result<bool, StoreError> {
        self.change(|group| group.define(table))
    }

    fn drop_table(&self, table: &str) -> Result<bool, StoreError> {
        let dropped = self.change(|group| group.discard(table))?;
        self.sweep()?;
        Ok(dropped)
    }

    fn empty(&self, table: &str) -> Result<(), StoreError> {
        self.change(|group| match group.discard(table)? {
            true => group.define(table),
            false => Err(StoreError::NoTable(table.to_owned())),
        })?;
        self.sweep()
    }

    fn tables(&self) -> Result<Vec<String>, StoreError> {
        self.inside.map.names()
    }

    fn count(&self, table: &str) -> Result<u64, StoreError> {
        self.inside.map.count(table)
    }

    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.inside.map.get(table, key)
    }

    fn scan(&self, table: &str, scan: Scan<'_>) -> Result<(Vec<Row>, bool), StoreError> {
        self.inside.map.scan(table, scan)
    }

    fn apply(&self, batches: &[Batch]) -> Vec<Result<(), StoreError>> {
        let mut durable = self.durable();
        let mut applied = self.apply_all(&mut durable, batches);
        if matches!(applied, Err(StoreError::NoSpace(_))) && durable.used() > 0 {
            // Pages of the last checkpoint and the log may be all that is in the way.
            let freed = durable.checkpoint(&self.inside.map.env);
            applied = freed.and_then(|()| self.apply_all(&mut durable, batches));
        }
        drop(durable);
        let results = match applied {
            Ok(results) => results,
            Err(error) => {
                let error = self.explained(error);
                if matches!(error, StoreError::NoSpace(_)) {
                    self.full.fetch_add(1, Relaxed);
                }
                vec![Err(error); batches.len()]
            }
        };
        self.peak.fetch_max(self.used(), Relaxed);
        results
    }

    fn verify(&self, prefix: &str, limit: usize) -> Result<Vec<Damage>, StoreError> {
        self.inside.map.verify(prefix, limit)
    }

    fn checkpoint(&self) -> Result<(), StoreError> {
        self.durable().checkpoint(&self.inside.map.env)
    }

    fn backup(&self, folder: &Path) -> Result<(), StoreError> {
        fs::create_dir_all(folder).map_err(|e| io("cannot make folder", folder, &e))?;
        let target = folder.join(DATA);
        if target.exists() {
            return Err(StoreError::Io(format!("{} exists", target.display())));
        }
        let copy = self
            .inside
            .map
            .env
            .copy_to_path(&target, CompactionOption::Enabled);
        let copy = copy.map_err(translate)?;
        copy.sync_all().map_err(|e| io("cannot flush", &target, &e))
    }

    fn limits(&self) -> Vec<LimitStat> {
        let now = self.used();
        let map = LimitStat {
            name: "store map bytes",
            now,
            peak: self.peak.load(Relaxed).max(now),
            limit: self.options.map_bytes as u64,
            reached: self.full.load(Relaxed),
        };
        vec![map, self.durable().limit()]
    }

    fn reader_died(&self) {
        // A failure leaves the place in use; the next death tries again.
        let _ = self.clear_stale_readers();
    }
}

impl Drop for LmdbEngine {
    /// An orderly end leaves nothing in the log. If it fails the next start does what is left.
    fn drop(&mut self) {
        let mut durable = self.durable();
        if durable.used() > 0 {
            let _tried = durable.checkpoint(&self.inside.map.env);
        }
    }
}

impl std::fmt::Debug for LmdbEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LmdbEngine({})", self.folder.display())
    }
}

/// A new store gets its name when it is whole: a machine that dies meanwhile must not leave half a header behind.
fn create(folder: &Path, size: usize) -> Result<(), StoreError> {
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
fn trees(env: &Env, folder: &Path) -> Result<[Tree; 4], StoreError> {
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

/// Changes of a log, in a transaction that is not flushed.
fn replay(inside: &Inside, writes: Vec<EngineWrite>) -> Result<(), StoreError> {
    let mut group = Group::begin(inside)?;
    group.write(&Batch { writes })?;
    group.commit()
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
    match file.try_lock() {
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
