//! The facets of a store, each operation one line to where it happens.

use super::{EngineStore, GONE, Inner};
use crate::committer::COUNTERS;
use crate::engine::{Engine, Scan};
use crate::guard::lock;
use crate::{
    Caps, Damage, Direction, InDoubt, LimitStat, Lock, Match, Outcome, Part, Participant, Records,
    Row, SCAN_BYTES_MAX, StoreError, StoreFuture, StoreStats, Units, UowId, UowStore, Upkeep, Wait,
    Write,
};
use std::fs::File;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Most damages one `verify` names.
const DAMAGES_MAX: usize = 10_000;
/// Records a scan should ask for.
const BATCH_HINT: usize = 64;

impl<E: Engine> UowStore for EngineStore<E> {}

impl<E: Engine> Records for EngineStore<E> {
    fn caps(&self) -> Caps {
        let engine = self.inner.engine.caps();
        Caps {
            two_phase: true,
            marker_row: false,
            shared_map: engine.shared_map,
            durable: engine.durable,
            several_regions: false,
            key_max: engine.key_max,
            record_max: engine.record_max,
            batch_hint: BATCH_HINT,
        }
    }

    fn tables<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<String>> {
        Box::pin(async move {
            let mut names = self.inner.engine.tables()?;
            names.retain(|n| n.starts_with(prefix));
            Ok(names)
        })
    }

    fn count<'a>(&'a self, table: &'a str) -> StoreFuture<'a, u64> {
        Box::pin(async move { self.inner.engine.count(table) })
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
            match (lock, uow) {
                (Lock::None, uow) => self.inner.find(uow, table, key, select),
                (Lock::Update(wait), Some(uow)) => {
                    let found = self.inner.find_for_update(uow, table, key, select, wait);
                    found.await
                }
                (Lock::Update(_), None) => Err(NO_OWNER),
            }
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
        let scan = Scan {
            from,
            prefix,
            direction,
            limit,
            bytes_max: SCAN_BYTES_MAX,
        };
        Box::pin(async move { self.inner.rows(uow, table, scan) })
    }
}

impl<E: Engine> Units for EngineStore<E> {
    fn lock<'a>(
        &'a self,
        uow: UowId,
        table: &'a str,
        key: &'a [u8],
        wait: Wait,
    ) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.inner.must_be_active(uow)?;
            self.inner.lock(uow, table, key, wait).await.map(|_| ())
        })
    }

    fn unlock(&self, uow: UowId, table: &str, key: &[u8]) {
        let unit = self.inner.unit(uow);
        let keeps = |u: &crate::unit::Unit| {
            u.phase != crate::unit::Phase::Active || u.overlay.get(table, key).is_some()
        };
        if !unit.is_some_and(|u| keeps(&lock(&u))) {
            self.inner.locks.release(uow, table, key);
        }
    }

    fn stage_all(&self, uow: UowId, writes: Vec<Write>, wait: Wait) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.stage(uow, writes, wait))
    }

    fn room(&self, uow: UowId, _table: &str) -> usize {
        self.inner.room(uow)
    }

    fn write_now(
        &self,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.write_now(owner, writes, wait))
    }

    fn allocate<'a>(&'a self, table: &'a str, amount: u64) -> StoreFuture<'a, u64> {
        Box::pin(async move { self.inner.committer.allocate(table, amount) })
    }
}

impl<E: Engine> Participant for EngineStore<E> {
    fn part(&self, uow: UowId) -> Part {
        self.inner.part(uow)
    }

    fn prepare<'a>(&'a self, uow: UowId, info: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(self.inner.prepare(uow, info))
    }

    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.commit(uow))
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.backout(uow))
    }

    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        Box::pin(async move { Ok(self.inner.in_doubt()) })
    }

    fn retain(&self, uow: UowId) {
        self.inner.retain(uow);
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.resolve(uow, outcome))
    }

    fn release(&self, uow: UowId) {
        self.inner.release(uow);
    }
}

impl<E: Engine> Upkeep for EngineStore<E> {
    fn define<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        let name = table.to_owned();
        Box::pin(self.inner.run(move |engine| engine.define(&name)))
    }

    fn drop_table<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        let name = table.to_owned();
        Box::pin(async move {
            self.inner.committer.forget_counter(table);
            let dropped = self.inner.run(move |engine| {
                forget_counter(engine, &name)?;
                engine.drop_table(&name)
            });
            dropped.await
        })
    }

    fn empty<'a>(&'a self, table: &'a str) -> StoreFuture<'a, ()> {
        let name = table.to_owned();
        Box::pin(async move {
            self.inner.committer.forget_counter(table);
            let emptied = self.inner.run(move |engine| {
                forget_counter(engine, &name)?;
                engine.empty(&name)
            });
            emptied.await
        })
    }

    fn verify<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<Damage>> {
        let prefix = prefix.to_owned();
        aside(&self.inner, move |e: &E| e.verify(&prefix, DAMAGES_MAX))
    }

    fn checkpoint(&self) -> StoreFuture<'_, ()> {
        aside(&self.inner, |e: &E| e.checkpoint())
    }

    fn backup<'a>(&'a self, folder: &'a Path) -> StoreFuture<'a, ()> {
        let folder = folder.to_owned();
        aside(&self.inner, move |e: &E| e.backup(&folder))
    }

    fn scratch(&self) -> PathBuf {
        self.inner.engine.scratch()
    }

    fn reader_places(&self) -> Option<Arc<File>> {
        self.inner.engine.reader_places()
    }

    fn stats(&self) -> StoreStats {
        self.inner.stats()
    }
}

const NO_OWNER: StoreError = StoreError::Unsupported("lock without a unit of work");

fn forget_counter<E: Engine>(engine: &E, table: &str) -> Result<(), StoreError> {
    use crate::engine::{Action, Batch, EngineWrite};
    let write = EngineWrite {
        table: COUNTERS.into(),
        key: table.as_bytes().to_vec(),
        action: Action::Erase,
    };
    let batch = Batch {
        writes: vec![write],
    };
    engine.apply(&[batch]).into_iter().collect()
}

/// Long work on a thread of its own.
fn aside<'a, E: Engine, T: Send + 'static>(
    inner: &Arc<Inner<E>>,
    work: impl FnOnce(&E) -> Result<T, StoreError> + Send + 'static,
) -> StoreFuture<'a, T> {
    let engine = inner.engine.clone();
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("transom-store".to_owned());
    let started = thread.spawn(move || {
        let result = work(&engine);
        // Who has the answer may close the store and open it again.
        drop(engine);
        let _ = sender.send(result);
    });
    Box::pin(async move {
        let thread = started.map_err(|e| StoreError::Io(e.to_string()))?;
        let result = receiver.await.unwrap_or(Err(GONE));
        // A thread that has read gives its place back as it ends, in memory that goes with the
        // store. It has nothing else to do any more: this takes no time.
        let _ended = thread.join();
        result
    })
}

impl<E: Engine> Inner<E> {
    fn stats(&self) -> StoreStats {
        let locks = self.locks.figures();
        let units: Vec<_> = lock(&self.units).values().cloned().collect();
        let largest = units.iter().map(|u| lock(u).overlay.bytes as u64).max();
        let mut limits = vec![
            LimitStat {
                name: "record locks",
                now: locks.now as u64,
                peak: locks.peak as u64,
                limit: self.settings.locks_max as u64,
                reached: locks.refused,
            },
            self.counters
                .overlay_limit(largest.unwrap_or(0), self.settings.uow_bytes_max),
            self.committer.limit(),
        ];
        limits.extend(self.engine.limits());
        StoreStats {
            groups: self.committer.groups(),
            lock_waits: locks.waits,
            lock_timeouts: locks.timeouts,
            deadlocks: locks.deadlocks,
            retained_refusals: locks.retained,
            limits,
            space: self.engine.space(),
            ..self.counters.stats()
        }
    }
}
