//! The engine of the region process: the only writer.

use super::ahead::Ahead;
use super::apply::{Group, SWEEP_BATCH};
use super::durable::Durable;
use super::error::io;
use super::figures::LogFigures;
use super::folder::{
    Inside, copy_env, create, explained, keep_places, lock_data, lock_folder, trees, without_room,
};
use super::found::set_back;
use super::header;
use super::identity::{self, Identity};
use super::keeper::Left;
use super::layout::{DATA, ID};
use super::lock_file::{self, LockFile};
use super::map::{Access, READERS_MAX, mapped};
use super::readers::Places;
use super::replay::Replay;
use super::swap::finish_restore;
use heed::Env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use transom_recovery::guard::lock;
use transom_recovery::{
    Batch, Damage, Engine, EngineCaps, LimitStat, Row, Scan, Space, StoreError, Tend,
};

/// Longest record: what one transaction of LMDB takes without trouble.
const RECORD_MAX: usize = 32 << 20;
/// Longest key of a record; LMDB's own limit is higher.
const KEY_MAX: usize = 600;

/// How a store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalOptions {
    /// Most bytes the data can have. Address space, not memory and not disk: it costs nothing until
    /// it is used. As much again is mapped, for pages that hold no data: the file is usually half
    /// as long again as its data.
    pub map_bytes: usize,
    /// Bytes of changes after which the tree is flushed and the log begins again. Twice that is
    /// used of the disk, and what a start after a crash has to read.
    pub log_bytes: usize,
    /// Processes that can read at a time, a worker is one from its first file on; as many threads
    /// of the region and processes that copy the store.
    pub readers_max: u32,
}

impl Default for LocalOptions {
    /// 1 TiB; 32 MiB; 4,096 readers.
    fn default() -> Self {
        Self {
            map_bytes: 1 << 40,
            log_bytes: 32 << 20,
            readers_max: READERS_MAX,
        }
    }
}

/// LMDB as an engine of units of work.
pub struct LmdbEngine {
    inside: Inside,
    /// Held by who writes.
    durable: Mutex<Durable>,
    log: Arc<LogFigures>,
    /// Of other processes that read.
    places: Arc<Places>,
    lock_file: LockFile,
    ahead: Ahead,
    folder: PathBuf,
    options: LocalOptions,
    /// There may be records of deleted tables.
    pub(super) dirty_trash: AtomicBool,
    /// Some were swept since the last checkpoint.
    pub(super) swept: AtomicBool,
    /// Bytes of the trees, now and at most.
    used: AtomicU64,
    peak: AtomicU64,
    full: AtomicU64,
    /// Held as long as the store is open: of the folder, and the data file.
    locks: [File; 2],
}

impl LmdbEngine {
    /// Opens, or creates, the environment of a folder and locks it against other regions.
    pub fn open(folder: &Path, options: LocalOptions) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(|e| io("cannot make folder", folder, &e))?;
        keep_places(folder);
        let lock = lock_folder(folder)?;
        finish_restore(folder)?;
        let (size, readers) = (mapped(options.map_bytes), options.readers_max);
        if fs::metadata(folder.join(DATA)).map_or(0, |m| m.len()) == 0 {
            create(folder, size)?;
        }
        let data = folder.join(DATA);
        let locks = [lock, lock_data(folder, &data)?];
        let ahead = Ahead::of(&locks[1], size as u64);
        let found = set_back(folder, &data)?;
        header::announce(&data, size)?;
        if found.is_none() {
            // There is nothing to go back to yet: what an older version wrote is brought to this
            // one with a flush.
            let written = lock_file::open(folder, Some(size), readers, Access::Flushed)?;
            trees(written.env.clone(), folder)?;
            written.close();
        }
        let written = lock_file::open(folder, Some(size), readers, Access::Logged)?;
        let inside = trees(written.env, folder)?;
        let env = &inside.map.env;
        let mut replay = Replay::new(&inside);
        let places = Arc::new(Places::make(folder, readers)?);
        let (limit, left) = (options.log_bytes, Left::new(places.clone()));
        let durable = Durable::start(folder, data, env, found, limit, left, &mut replay)?;
        let txn = inside.map.read()?;
        let used = inside.bytes(&txn)?;
        let unknown = identity::read(inside.meta, &txn)?.is_none();
        drop(txn);
        let engine = Self {
            log: durable.figures(),
            durable: Mutex::new(durable),
            places,
            inside,
            lock_file: written.lock,
            ahead,
            folder: folder.to_owned(),
            options,
            dirty_trash: AtomicBool::new(true),
            swept: AtomicBool::new(false),
            used: AtomicU64::new(used),
            peak: AtomicU64::new(used),
            full: AtomicU64::new(0),
            locks,
        };
        if unknown {
            // A store without room gets one another time.
            let _ = engine.change(|group| group.identify());
        }
        Ok(engine)
    }

    /// Which store this is; none while there is no room to write it.
    pub fn identity(&self) -> Option<Identity> {
        let txn = self.inside.map.read().ok()?;
        identity::read(self.inside.meta, &txn).ok()?
    }

    fn apply_all(
        &self,
        durable: &mut Durable,
        batches: &[Batch],
        sweep: bool,
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
        if sweep && self.dirty_trash.load(Relaxed) && group.sweep(SWEEP_BATCH)? {
            self.dirty_trash.store(false, Relaxed);
        }
        if group.is_unchanged() {
            return Ok(results);
        }
        group.must_fit(self.options.map_bytes)?;
        let good = |(batch, result): (_, &Result<_, _>)| result.is_ok().then_some(batch);
        let accepted = batches.iter().zip(&results).filter_map(good);
        let logged = durable.write(accepted)?;
        let committed = self.commit(group);
        let env = &self.inside.map.env;
        match (committed, logged) {
            (Err(error), true) => {
                durable.take_back()?;
                return Err(error);
            }
            (Err(error), false) => return Err(error),
            (Ok(()), true) => durable.committed(),
            (Ok(()), false) => durable.checkpoint(env)?,
        }
        Ok(results)
    }

    pub(super) fn durable(&self) -> MutexGuard<'_, Durable> {
        lock(&self.durable)
    }

    pub(super) fn commit(&self, group: Group<'_>) -> Result<(), StoreError> {
        self.ahead.before(self.env(), self.data(), group.written());
        let used = group.commit().map_err(|e| without_room(&self.folder, e))?;
        self.used.store(used, Relaxed);
        self.peak.fetch_max(used, Relaxed);
        Ok(())
    }

    /// Bytes of all trees.
    pub(super) fn net(&self) -> u64 {
        self.used.load(Relaxed)
    }

    pub(super) fn inside(&self) -> &Inside {
        &self.inside
    }

    pub(super) fn env(&self) -> &Env {
        &self.inside.map.env
    }

    pub(super) fn lock_file(&self) -> &LockFile {
        &self.lock_file
    }

    pub(super) fn data(&self) -> &File {
        &self.locks[1]
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn options(&self) -> &LocalOptions {
        &self.options
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
        self.make_table(table)
    }

    fn drop_table(&self, table: &str) -> Result<bool, StoreError> {
        let dropped = self.change(|group| group.discard(table))?;
        self.dirty_trash.store(true, Relaxed);
        self.sweep(&mut self.durable())?;
        Ok(dropped)
    }

    fn empty(&self, table: &str) -> Result<(), StoreError> {
        self.change(|group| match group.discard(table)? {
            true => group.define(table),
            false => Err(StoreError::NoTable(table.to_owned())),
        })?;
        self.dirty_trash.store(true, Relaxed);
        self.sweep(&mut self.durable())
    }

    fn tables(&self) -> Result<Vec<String>, StoreError> {
        self.inside.map.names()
    }

    fn count(&self, table: &str) -> Result<u64, StoreError> {
        self.inside.map.count(table)
    }

    fn has(&self, table: &str) -> Result<(), StoreError> {
        self.inside.map.has(table)
    }

    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.inside.map.get(table, key)
    }

    fn scan(&self, table: &str, scan: Scan<'_>) -> Result<(Vec<Row>, bool), StoreError> {
        self.inside.map.scan(table, scan)
    }

    fn apply(&self, batches: &[Batch]) -> Vec<Result<(), StoreError>> {
        let mut durable = self.durable();
        // Who applies twice without [`Engine::answered`].
        durable.pay(self.env(), self.net());
        let safe = durable.tables_are_safe(self.env());
        let mut applied = safe.and_then(|()| self.apply_all(&mut durable, batches, true));
        if matches!(applied, Err(StoreError::NoSpace(_))) {
            // Records nobody needs, and pages of the last checkpoint, may be all that is in the
            // way.
            let swept = self.sweep(&mut durable);
            let freed = swept.and_then(|()| self.make_room(&mut durable));
            applied = freed.and_then(|()| self.apply_all(&mut durable, batches, false));
        }
        drop(durable);
        match applied {
            Ok(results) => results,
            Err(error) => {
                let error = explained(&self.folder, error);
                let full = matches!(error, StoreError::NoSpace(_));
                self.full.fetch_add(full.into(), Relaxed);
                vec![Err(error); batches.len()]
            }
        }
    }

    fn answered(&self) {
        self.durable().pay(self.env(), self.net());
    }

    fn verify(&self, prefix: &str, limit: usize) -> Result<Vec<Damage>, StoreError> {
        self.inside.map.verify(prefix, limit)
    }

    fn checkpoint(&self) -> Result<(), StoreError> {
        self.durable().checkpoint(&self.inside.map.env)
    }

    fn backup(&self, folder: &Path) -> Result<(), StoreError> {
        copy_env(&self.inside.map.env, folder)
    }

    fn scratch(&self) -> PathBuf {
        self.folder.clone()
    }

    fn limits(&self) -> Vec<LimitStat> {
        let map = LimitStat {
            name: "store map bytes",
            now: self.used.load(Relaxed),
            peak: self.peak.load(Relaxed),
            limit: self.options.map_bytes as u64,
            reached: self.full.load(Relaxed),
        };
        let (now, peak) = self.places.figures();
        let limit = u64::from(self.options.readers_max);
        let readers = LimitStat {
            name: "store readers",
            now,
            peak,
            limit,
            reached: u64::from(peak >= limit),
        };
        // Not through the lock of the writer: who asks must not wait.
        vec![map, readers, self.log.limit(self.options.log_bytes)]
    }

    fn space(&self) -> Option<Space> {
        self.space_now().ok()
    }

    fn tend(&self) -> Result<Tend, StoreError> {
        self.tend_once()
    }

    fn reader_places(&self) -> Option<Arc<File>> {
        Some(self.places.memory())
    }
}

impl Drop for LmdbEngine {
    /// An orderly end leaves nothing in the log. If it fails the next start does what is left.
    fn drop(&mut self) {
        let mut durable = self.durable();
        if durable.is_behind() {
            let _tried = durable.checkpoint(&self.inside.map.env);
        }
    }
}

impl std::fmt::Debug for LmdbEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LmdbEngine({})", self.folder.display())
    }
}
