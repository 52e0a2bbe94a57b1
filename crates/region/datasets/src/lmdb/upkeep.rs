//! What keeps a store in good shape: away with what was deleted, room for what comes, room given
//! back.
//!
//! What: records of deleted tables are swept in steps, between commits and when nothing else is to
//! be done; pages that are free beyond what work needs become holes of the data file. Why in steps:
//! a table may have millions of records, and tasks wait for the one writer. Not here: commits
//! (`engine`), making a stopped store as short as its data (`compact`).

use super::apply::Group;
use super::durable::Durable;
use super::engine::LmdbEngine;
use super::free::{freed_before, freed_max};
use super::header;
use super::numbers::Numbers;
use super::punch::{on_disk, punch, runs};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use transom_recovery::{Space, StoreError, Tend};

/// Sweeps an `empty` does itself; what is left goes with later commits, and when nothing else is to
/// be done.
const SWEEPS_AT_ONCE: usize = 40;
/// Records swept at a time when nothing else is to be done: some milliseconds.
const SWEPT_WHEN_IDLE: usize = 4_000;
/// Holes made at a time.
const HOLES_AT_ONCE: usize = 64;
/// Between two looks at a flush.
const FLUSH_PAUSE: Duration = Duration::from_millis(50);

impl LmdbEngine {
    /// Makes sure that a table exists; false: it does. A new one is safe with what is written next,
    /// at the latest: an empty table that is lost is made again, and nothing names it so far. So a
    /// start, which asks for ten tables, flushes once or not at all.
    pub(super) fn make_table(&self, table: &str) -> Result<bool, StoreError> {
        let mut durable = self.durable();
        durable.sound()?;
        let map = &self.inside().map;
        let txn = map.read()?;
        let found = map.id(&txn, table);
        drop(txn);
        match found {
            Err(StoreError::NoTable(_)) => {}
            found => return found.map(|_| false),
        }
        let new = self.change_tables(&mut durable, |group| {
            let new = group.define(table)?;
            group.must_fit(self.options().map_bytes).map(|()| new)
        })?;
        durable.has_new_tables();
        Ok(new)
    }

    /// Changes of the catalog of tables: rare, and not logged.
    pub(super) fn change<T>(
        &self,
        change: impl Fn(&mut Group<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut durable = self.durable();
        let done = self.change_tables(&mut durable, change)?;
        durable.checkpoint(self.env()).map(|()| done)
    }

    /// The same without the checkpoint that makes it safe.
    pub(super) fn change_tables<T>(
        &self,
        durable: &mut Durable,
        change: impl Fn(&mut Group<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        durable.sound()?;
        let _changing = self.inside().map.numbers().map(Numbers::change);
        let once = || {
            let mut group = Group::begin(self.inside())?;
            let done = change(&mut group)?;
            self.commit(group).map(|()| done)
        };
        match once() {
            Err(StoreError::NoSpace(_)) => {
                self.make_room(durable)?;
                once()
            }
            done => done,
        }
    }

    /// Deletes records of tables that are no more.
    pub(super) fn sweep(&self, durable: &mut Durable) -> Result<(), StoreError> {
        // Not safe before the next checkpoint; what is there again then is swept again.
        let mut freed = true;
        for _ in 0..SWEEPS_AT_ONCE {
            if !self.dirty_trash.load(Relaxed) {
                break;
            }
            match self.sweep_once(durable, super::apply::SWEEP_BATCH) {
                Ok(true) => self.dirty_trash.store(false, Relaxed),
                Ok(false) => freed = true,
                // What was freed can be used after a checkpoint.
                Err(StoreError::NoSpace(_)) if freed => {
                    self.make_room(durable)?;
                    freed = false;
                }
                // The table is gone; its records go when there is room to write that.
                Err(StoreError::NoSpace(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Deletes all of them, and makes their pages free.
    pub(super) fn sweep_all(&self) -> Result<(), StoreError> {
        let mut durable = self.durable();
        while !self.sweep_once(&mut durable, SWEPT_WHEN_IDLE)? {
            durable.sound()?;
        }
        self.dirty_trash.store(false, Relaxed);
        durable.checkpoint(self.env())
    }

    /// Makes pages that are free usable. LMDB takes those that were freed before the state of the
    /// oldest reader, which is the last checkpoint at best; so what the last commit freed needs one
    /// more.
    pub(super) fn make_room(&self, durable: &mut Durable) -> Result<(), StoreError> {
        let mut group = Group::begin(self.inside())?;
        match group.touch().and_then(|()| self.commit(group)) {
            Ok(()) | Err(StoreError::NoSpace(_)) => {}
            Err(error) => return Err(error),
        }
        durable.checkpoint(self.env())
    }

    /// True when nothing is left to sweep.
    fn sweep_once(&self, durable: &mut Durable, records: usize) -> Result<bool, StoreError> {
        let mut group = Group::begin(self.inside())?;
        let clean = group.sweep(records)?;
        if !group.is_unchanged() {
            self.commit(group)?;
            durable.committed();
            durable.pay(self.env(), self.net());
        }
        Ok(clean)
    }

    /// A step of what can wait until nobody does.
    pub(super) fn tend_once(&self) -> Result<Tend, StoreError> {
        let mut durable = self.durable();
        durable.sound()?;
        if self.dirty_trash.load(Relaxed) {
            return match self.sweep_once(&mut durable, SWEPT_WHEN_IDLE) {
                Ok(clean) => {
                    self.dirty_trash.store(!clean, Relaxed);
                    self.swept.fetch_or(!clean, Relaxed);
                    Ok(Tend::Again)
                }
                // There is room after the next checkpoint, which later commits make.
                Err(StoreError::NoSpace(_)) => Ok(Tend::Done),
                Err(error) => Err(error),
            };
        }
        if durable.settle()? {
            return Ok(Tend::After(FLUSH_PAUSE));
        }
        if self.swept.swap(false, Relaxed) {
            // Pages of what was swept are free when the checkpoint has moved on.
            durable.begin_now(self.env())?;
            return Ok(Tend::After(FLUSH_PAUSE));
        }
        match durable.has_moved_on() && self.trim(&mut durable)? {
            true => Ok(Tend::Again),
            false => {
                durable.is_trimmed();
                Ok(Tend::Done)
            }
        }
    }

    /// Makes holes of pages that are free beyond what work needs; whether there is more to do.
    fn trim(&self, durable: &mut Durable) -> Result<bool, StoreError> {
        let net = self.net();
        let most = net.saturating_add(2 * freed_max(net, self.options().log_bytes));
        let (data, path, kept) = durable.data();
        let mut used = on_disk(data);
        if used <= most {
            return Ok(false);
        }
        let header = header::newest(data, path)?;
        let own = self.lock_file().oldest_reader(kept);
        let free = own.and_then(|oldest| freed_before(data, &header, oldest));
        let (Some(free), Some(page)) = (free, header::page_bytes(&header)) else {
            return Ok(false);
        };
        let mut made = 0;
        for run in runs(&free) {
            if used <= most {
                return Ok(false);
            }
            if made == HOLES_AT_ONCE {
                return Ok(true);
            }
            if !punch(data, path, &run, page as u64)? {
                return Ok(false);
            }
            let now = on_disk(data);
            // A run that was a hole already costs nothing.
            made += usize::from(now < used);
            used = now;
        }
        Ok(false)
    }

    /// Bytes of the data and of their file. Not through the lock of the writer: who asks must not
    /// wait.
    pub(super) fn space_now(&self) -> Result<Space, StoreError> {
        let data = self.data();
        let found = data.metadata();
        let found = found.map_err(|e| super::error::io("cannot read", self.folder(), &e))?;
        Ok(Space::of(self.net(), found.len(), on_disk(data)))
    }
}
