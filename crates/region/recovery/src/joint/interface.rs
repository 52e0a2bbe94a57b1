//! The trait's operations: each goes to the store that keeps the table.

use super::{Inner, JointStore, guard, refused};
use crate::{
    Caps, Damage, Direction, InDoubt, Lock, Match, Outcome, Part, Row, StoreError, StoreFuture,
    StoreStats, UowId, UowStore, Wait, Write,
};
use std::ops::Bound;
use std::path::Path;

/// Records that change together lie in one store.
const TWO_STORES: StoreError = StoreError::Unsupported("change records of two stores in one step");

/// Sends an operation to the store of a table.
macro_rules! at {
    ($self:ident, $table:ident, $store:ident => $call:expr) => {
        match $self.inner.at($table) {
            Ok($store) => $call,
            Err(error) => refused(error),
        }
    };
}

impl UowStore for JointStore {
    fn caps(&self) -> Caps {
        let mut caps = self.inner.local.caps();
        for (_, store) in self.inner.present() {
            let other = store.caps();
            caps.key_max = caps.key_max.min(other.key_max);
            caps.record_max = caps.record_max.min(other.record_max);
        }
        caps
    }

    fn define<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        at!(self, table, store => store.define(table))
    }

    fn drop_table<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        at!(self, table, store => store.drop_table(table))
    }

    fn empty<'a>(&'a self, table: &'a str) -> StoreFuture<'a, ()> {
        at!(self, table, store => store.empty(table))
    }

    /// Those of partners that are away are missing.
    fn tables<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<String>> {
        Box::pin(async move {
            let mut all = self.inner.local.tables(prefix).await?;
            for (n, store) in self.inner.present() {
                // Another system may keep tables of other names there.
                let found = store.tables(prefix).await?;
                let mine = |table: &String| {
                    let member = self.inner.member_of(table);
                    member.is_some_and(|m| m.partner.name == self.inner.name(n))
                };
                all.extend(found.into_iter().filter(mine));
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
                self.inner
                    .patiently(owner, table, wait, move |store, wait| {
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

    fn lock<'a>(
        &'a self,
        uow: UowId,
        table: &'a str,
        key: &'a [u8],
        wait: Wait,
    ) -> StoreFuture<'a, ()> {
        self.inner.patiently(uow, table, wait, move |store, wait| {
            store.lock(uow, table, key, wait)
        })
    }

    fn unlock(&self, uow: UowId, table: &str, key: &[u8]) {
        if let Ok(store) = self.inner.at(table) {
            store.unlock(uow, table, key);
        }
    }

    fn stage_all(&self, uow: UowId, writes: Vec<Write>, wait: Wait) -> StoreFuture<'_, ()> {
        match self.inner.at_all(&writes) {
            Ok(_) => {
                let table = writes.first().map_or(String::new(), |w| w.table.clone());
                self.inner.patiently(uow, &table, wait, move |store, wait| {
                    store.stage_all(uow, writes, wait)
                })
            }
            Err(error) => refused(error),
        }
    }

    fn write_now(
        &self,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> StoreFuture<'_, ()> {
        match self.inner.at_all(&writes) {
            Ok(store) => store.write_now(owner, writes, wait),
            Err(error) => refused(error),
        }
    }

    fn allocate<'a>(&'a self, table: &'a str, amount: u64) -> StoreFuture<'a, u64> {
        at!(self, table, store => store.allocate(table, amount))
    }

    /// The whole could only be prepared for somebody else who decides; there is nobody yet.
    fn prepare<'a>(&'a self, uow: UowId, info: &'a [u8]) -> StoreFuture<'a, ()> {
        let (_, mut others) = (uow, self.inner.present());
        if others.any(|(_, store)| store.part(uow) == Part::Changes) {
            return refused(StoreError::Unsupported(
                "be prepared with changes in partners",
            ));
        }
        self.inner.local.prepare(uow, info)
    }

    /// A unit of work with changes in several stores is backed out when this is refused.
    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.commit(uow))
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.backout(uow))
    }

    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        Box::pin(self.inner.in_doubt())
    }

    fn retain(&self, uow: UowId) {
        self.inner.local.retain(uow);
        self.inner
            .present()
            .for_each(|(_, store)| store.retain(uow));
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.resolve(uow, outcome))
    }

    fn part(&self, uow: UowId) -> Part {
        let others = self.inner.present().map(|(_, store)| store.part(uow));
        let all = others.chain([self.inner.local.part(uow)]);
        all.max_by_key(|part| *part as u8).unwrap_or(Part::None)
    }

    fn place(&self, table: &str) -> &str {
        let member = self.inner.member_of(table);
        member.map_or("", |m| m.partner.name.as_str())
    }

    fn release(&self, uow: UowId) {
        if guard(&self.inner.ending).contains(&uow) {
            // It goes on to its end.
            return;
        }
        self.inner.local.release(uow);
        for (_, store) in self.inner.present() {
            if store.part(uow) != Part::None {
                store.release(uow);
            }
        }
    }

    fn verify<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<Damage>> {
        Box::pin(async move {
            let mut all = self.inner.local.verify(prefix).await?;
            for (_, store) in self.inner.present() {
                all.extend(store.verify(prefix).await?);
            }
            Ok(all)
        })
    }

    fn checkpoint(&self) -> StoreFuture<'_, ()> {
        self.inner.local.checkpoint()
    }

    /// Of the region's own store; partners have backups of their own.
    fn backup<'a>(&'a self, folder: &'a Path) -> StoreFuture<'a, ()> {
        self.inner.local.backup(folder)
    }

    fn others(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(async move {
            let mut all = self.inner.local.others().await?;
            for (_, store) in self.inner.present() {
                all.extend(store.others().await?);
            }
            Ok(all)
        })
    }

    fn reader_died(&self) {
        self.inner.local.reader_died();
    }

    /// Figures of all stores together; limits of the region's own store first.
    fn stats(&self) -> StoreStats {
        let mut all = self.inner.local.stats();
        for (_, store) in self.inner.present() {
            let other = store.stats();
            all.commits += other.commits;
            all.backouts += other.backouts;
            all.prepares += other.prepares;
            all.writes_now += other.writes_now;
            all.groups += other.groups;
            all.lock_waits += other.lock_waits;
            all.lock_timeouts += other.lock_timeouts;
            all.deadlocks += other.deadlocks;
            all.retained_refusals += other.retained_refusals;
            all.limits.extend(other.limits);
        }
        all
    }
}

impl Inner {
    /// The store of all writes.
    fn at_all(&self, writes: &[Write]) -> Result<&dyn UowStore, StoreError> {
        let Some(first) = writes.first() else {
            return Ok(&*self.local);
        };
        let place = |write: &Write| self.member_of(&write.table).map(|m| &m.partner.name);
        if writes.iter().any(|write| place(write) != place(first)) {
            return Err(TWO_STORES);
        }
        self.at(&first.table)
    }
}
