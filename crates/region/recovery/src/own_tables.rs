//! Tables of one region in a store that several regions use.
//!
//! Why: queues and START requests are a region's own, whatever holds them; regions that share a
//! store for their files must not meet in the tables of their queues. How: a table `td/LOGQ` of
//! region ONE is `own/ONE/td/LOGQ` there. Not here: which tables are a region's own; ends of units
//! of work, which are those of the store behind.

use crate::{Caps, Damage};
use crate::{
    Change, Direction, InDoubt, Lock, Match, Outcome, Part, Participant, Records, Row, StoreError,
    StoreFuture, StoreStats, Units, UowId, UowStore, Upkeep, Wait, Write,
};
use std::fs::File;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows that are moved in one piece.
const BATCH: usize = 500;

/// A store as one region sees its own tables.
pub struct OwnTables {
    store: Arc<dyn UowStore>,
    prefix: String,
}

impl OwnTables {
    /// The store as it is, or its tables of this region where others use it too.
    pub fn of(store: Arc<dyn UowStore>, region: &str) -> Arc<dyn UowStore> {
        match store.caps().several_regions {
            true => Arc::new(Self::new(store, region)),
            false => store,
        }
    }

    /// The tables of this region.
    pub fn new(store: Arc<dyn UowStore>, region: &str) -> Self {
        Self {
            store,
            prefix: format!("own/{region}/"),
        }
    }

    /// Moves tables with these beginnings, which an earlier release kept for all regions, to those
    /// of this one. Answers how many records.
    pub async fn take_over(
        store: &Arc<dyn UowStore>,
        region: &str,
        beginnings: &[&str],
    ) -> Result<u64, StoreError> {
        match store.caps().several_regions {
            true => Self::new(store.clone(), region).adopt(beginnings).await,
            false => Ok(0),
        }
    }

    /// As [`OwnTables::take_over`], whatever the store is.
    pub async fn adopt(&self, beginnings: &[&str]) -> Result<u64, StoreError> {
        let mut moved = 0;
        for beginning in beginnings {
            for table in self.store.tables(beginning).await? {
                moved += self.move_table(&table).await?;
            }
        }
        Ok(moved)
    }

    async fn move_table(&self, table: &str) -> Result<u64, StoreError> {
        let own = self.name(table);
        self.store.define(&own).await?;
        // Numbers go on behind those of the old table.
        let next = self.store.allocate(table, 1).await?;
        self.store.allocate(&own, next + 1).await?;
        let mut moved = 0;
        loop {
            let rows = self.store.scan(
                None,
                table,
                Bound::Unbounded,
                b"",
                Direction::Forward,
                BATCH,
            );
            let rows = rows.await?;
            if rows.is_empty() {
                break;
            }
            moved += rows.len() as u64;
            let mut writes = Vec::with_capacity(rows.len() * 2);
            for row in rows {
                writes.push(Write::new(&*own, row.key.clone(), Change::Put(row.record)));
                writes.push(Write::new(table, row.key, Change::Delete));
            }
            self.store.write_now(None, writes, Wait::No).await?;
        }
        self.store.drop_table(table).await?;
        Ok(moved)
    }

    fn name(&self, table: &str) -> String {
        format!("{}{table}", self.prefix)
    }

    fn names(&self, mut writes: Vec<Write>) -> Vec<Write> {
        for write in &mut writes {
            write.table = self.name(&write.table);
        }
        writes
    }
}

impl UowStore for OwnTables {}

impl Participant for OwnTables {
    fn part(&self, uow: UowId) -> Part {
        self.store.part(uow)
    }

    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.store.commit(uow)
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.store.backout(uow)
    }

    fn release(&self, uow: UowId) {
        self.store.release(uow);
    }

    fn prepare<'a>(&'a self, uow: UowId, info: &'a [u8]) -> StoreFuture<'a, ()> {
        self.store.prepare(uow, info)
    }

    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        self.store.in_doubt()
    }

    fn retain(&self, uow: UowId) {
        self.store.retain(uow);
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()> {
        self.store.resolve(uow, outcome)
    }

    fn is_last_agent(&self) -> bool {
        self.store.is_last_agent()
    }

    fn decide(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.store.decide(uow)
    }

    fn has_decided(&self, uow: UowId) -> StoreFuture<'_, bool> {
        self.store.has_decided(uow)
    }

    fn forget_mark(&self, uow: UowId) {
        self.store.forget_mark(uow);
    }
}

impl Records for OwnTables {
    fn caps(&self) -> Caps {
        self.store.caps()
    }

    fn tables<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<String>> {
        Box::pin(async move {
            let tables = self.store.tables(&self.name(prefix)).await?;
            let own = tables.iter().filter_map(|t| t.strip_prefix(&self.prefix));
            Ok(own.map(str::to_owned).collect())
        })
    }

    fn count<'a>(&'a self, table: &'a str) -> StoreFuture<'a, u64> {
        Box::pin(async move { self.store.count(&self.name(table)).await })
    }

    fn read<'a>(
        &'a self,
        uow: Option<UowId>,
        table: &'a str,
        key: &'a [u8],
        select: Match,
        lock: Lock,
    ) -> StoreFuture<'a, Option<Row>> {
        Box::pin(async move {
            let table = self.name(table);
            self.store.read(uow, &table, key, select, lock).await
        })
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
        Box::pin(async move {
            let table = self.name(table);
            let rows = self.store.scan(uow, &table, from, prefix, direction, limit);
            rows.await
        })
    }
}

impl Units for OwnTables {
    fn lock<'a>(
        &'a self,
        uow: UowId,
        table: &'a str,
        key: &'a [u8],
        wait: Wait,
    ) -> StoreFuture<'a, ()> {
        Box::pin(async move { self.store.lock(uow, &self.name(table), key, wait).await })
    }

    fn unlock(&self, uow: UowId, table: &str, key: &[u8]) {
        self.store.unlock(uow, &self.name(table), key);
    }

    fn stage_all(&self, uow: UowId, writes: Vec<Write>, wait: Wait) -> StoreFuture<'_, ()> {
        self.store.stage_all(uow, self.names(writes), wait)
    }

    fn write_now(
        &self,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> StoreFuture<'_, ()> {
        self.store.write_now(owner, self.names(writes), wait)
    }

    fn allocate<'a>(&'a self, table: &'a str, amount: u64) -> StoreFuture<'a, u64> {
        Box::pin(async move { self.store.allocate(&self.name(table), amount).await })
    }
}

impl Upkeep for OwnTables {
    fn define<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move { self.store.define(&self.name(table)).await })
    }

    fn drop_table<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move { self.store.drop_table(&self.name(table)).await })
    }

    fn empty<'a>(&'a self, table: &'a str) -> StoreFuture<'a, ()> {
        Box::pin(async move { self.store.empty(&self.name(table)).await })
    }

    fn verify<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<Damage>> {
        Box::pin(async move { self.store.verify(&self.name(prefix)).await })
    }

    fn checkpoint(&self) -> StoreFuture<'_, ()> {
        self.store.checkpoint()
    }

    fn backup<'a>(&'a self, folder: &'a Path) -> StoreFuture<'a, ()> {
        self.store.backup(folder)
    }

    fn scratch(&self) -> PathBuf {
        self.store.scratch()
    }

    fn others(&self) -> StoreFuture<'_, Vec<String>> {
        self.store.others()
    }

    fn reader_places(&self) -> Option<Arc<File>> {
        self.store.reader_places()
    }

    fn stats(&self) -> StoreStats {
        self.store.stats()
    }
}
