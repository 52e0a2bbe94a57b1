//! The facets of a store: each operation goes to the store that keeps the table.

use super::JointStore;
use crate::{
    Caps, Damage, Direction, InDoubt, Lock, Match, Outcome, Part, Participant, Records, Row,
    StoreError, StoreFuture, StoreStats, SyncpointManager, Units, UowId, UowStore, Upkeep, Wait,
    Write, ready,
};
use std::fs::File;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Records that change together lie in one store.
const TWO_STORES: StoreError = StoreError::Unsupported("change records of two stores in one step");

/// Sends an operation to the store of a table.
macro_rules! at {
    ($self:ident, $table:ident, $store:ident => $call:expr) => {
        match $self.at($table) {
            Ok($store) => $call,
            Err(error) => ready(Err(error)),
        }
    };
}

impl UowStore for JointStore {
    fn syncpoint_manager(&self) -> Option<Arc<dyn SyncpointManager>> {
        Some(self.coordinator.clone())
    }
}

impl Records for JointStore {
    fn caps(&self) -> Caps {
        let mut caps = self.local.caps();
        for (_, store) in self.present() {
            let other = store.caps();
            caps.key_max = caps.key_max.min(other.key_max);
            caps.record_max = caps.record_max.min(other.record_max);
        }
        caps
    }

    /// Those of partners that are away are missing.
    fn tables<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<String>> {
        Box::pin(async move {
            let mut all = self.local.tables(prefix).await?;
            for (place, store) in self.present() {
                // Another system may keep tables of other names there.
                let mine = |table: &String| {
                    let found = self.place_of(table);
                    found.is_some_and(|found| found.member == place.member)
                };
                all.extend(store.tables(prefix).await?.into_iter().filter(mine));
            }
            all.sort();
            Ok(all)
        })
    }

    fn count<'a>(&'a self, table: &'a str) -> StoreFuture<'a, u64> {
        at!(self, table, store => store.count(table))
    }

    fn read<'a>(
        &'a self,
        uow: Option<UowId>,
        table: &'a str,
        key: &'a [u8],
        select: Match,
        lock: Lock,
    ) -> StoreFuture<'a, Option<Row>> {
        match (uow, lock) {
            (Some(owner), Lock::Update(wait)) => {
                self.patiently(owner, table, wait, move |store, wait| {
                    store.read(uow, table, key, select, Lock::Update(wait))
                })
            }
            _ => at!(self, table, store => store.read(uow, table, key, select, lock)),
        }
    }

    fn scan<'a>(
        &'a self,
        uow: Option<UowId>,
        table: &'a str,
        from: Bound<&'a [u8]>,
        prefix: &'a [u8],
        direction: Direction,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Row>> {
        at!(self, table, store => store.scan(uow, table, from, prefix, direction, limit))
    }

    fn place(&self, table: &str) -> &str {
        self.place_of(table).map_or("", |place| place.name.as_str())
    }
}

impl Units for JointStore {
    fn lock<'a>(
        &'a self,
        uow: UowId,
        table: &'a str,
        key: &'a [u8],
        wait: Wait,
    ) -> StoreFuture<'a, ()> {
        self.patiently(uow, table, wait, move |store, wait| {
            store.lock(uow, table, key, wait)
        })
    }

    fn unlock(&self, uow: UowId, table: &str, key: &[u8]) {
        if let Ok(store) = self.at(table) {
            store.unlock(uow, table, key);
        }
    }

    fn stage_all(&self, uow: UowId, writes: Vec<Write>, wait: Wait) -> StoreFuture<'_, ()> {
        if let Err(error) = self.at_all(&writes) {
            return ready(Err(error));
        }
        let table = writes.first().map_or(String::new(), |w| w.table.clone());
        self.patiently(uow, &table, wait, move |store, wait| {
            store.stage_all(uow, writes, wait)
        })
    }

    fn room(&self, uow: UowId, table: &str) -> usize {
        self.at(table).map_or(0, |store| store.room(uow, table))
    }

    fn write_now(
        &self,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> StoreFuture<'_, ()> {
        match self.at_all(&writes) {
            Ok(store) => store.write_now(owner, writes, wait),
            Err(error) => ready(Err(error)),
        }
    }

    fn allocate<'a>(&'a self, table: &'a str, amount: u64) -> StoreFuture<'a, u64> {
        at!(self, table, store => store.allocate(table, amount))
    }
}

/// Units of work end as the coordinator says.
impl Participant for JointStore {
    fn part(&self, uow: UowId) -> Part {
        self.coordinator.part(uow)
    }

    fn prepare<'a>(&'a self, uow: UowId, info: &'a [u8]) -> StoreFuture<'a, ()> {
        self.coordinator.prepare(uow, info)
    }

    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.coordinator.commit(uow)
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.coordinator.backout(uow)
    }

    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        self.coordinator.in_doubt()
    }

    fn retain(&self, uow: UowId) {
        self.coordinator.retain(uow);
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()> {
        self.coordinator.resolve(uow, outcome)
    }

    fn release(&self, uow: UowId) {
        self.coordinator.release(uow);
    }
}

impl Upkeep for JointStore {
    fn define<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        at!(self, table, store => store.define(table))
    }

    fn drop_table<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        at!(self, table, store => store.drop_table(table))
    }

    fn empty<'a>(&'a self, table: &'a str) -> StoreFuture<'a, ()> {
        at!(self, table, store => store.empty(table))
    }

    fn verify<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<Damage>> {
        Box::pin(async move {
            let mut all = self.local.verify(prefix).await?;
            for (_, store) in self.present() {
                all.extend(store.verify(prefix).await?);
            }
            Ok(all)
        })
    }

    fn checkpoint(&self) -> StoreFuture<'_, ()> {
        self.local.checkpoint()
    }

    /// Of the region's own store; partners have backups of their own.
    fn backup<'a>(&'a self, folder: &'a Path) -> StoreFuture<'a, ()> {
        self.local.backup(folder)
    }

    fn scratch(&self) -> PathBuf {
        self.local.scratch()
    }

    fn others(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(async move {
            let mut all = self.local.others().await?;
            for (_, store) in self.present() {
                all.extend(store.others().await?);
            }
            Ok(all)
        })
    }

    fn reader_places(&self) -> Option<Arc<File>> {
        self.local.reader_places()
    }

    /// Figures of all stores together; limits of the region's own store first.
    fn stats(&self) -> StoreStats {
        let mut all = self.local.stats();
        self.present().for_each(|(_, store)| all.add(store.stats()));
        all
    }
}

impl JointStore {
    /// The store of all writes.
    fn at_all(&self, writes: &[Write]) -> Result<&dyn UowStore, StoreError> {
        let Some(first) = writes.first() else {
            return Ok(&*self.local);
        };
        let place = |write: &Write| self.place_of(&write.table).map(|place| place.member);
        match writes.iter().all(|write| place(write) == place(first)) {
            true => self.at(&first.table),
            false => Err(TWO_STORES),
        }
    }
}
