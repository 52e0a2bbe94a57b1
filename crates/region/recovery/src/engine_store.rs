//! A [`UowStore`] over any [`Engine`].
//!
//! What: units of work, their locks and their ends. Why: LMDB and memory differ in where bytes lie
//! and in nothing else. Not here: how bytes are stored, how groups are written.

use crate::committer::{COUNTERS, Committer};
use crate::engine::{Action, Batch, Engine, EngineWrite};
use crate::guard::lock;
use crate::locks::{Locks, Request};
use crate::unit::{self, Phase, Unit};
use crate::{Counters, MemoryEngine, StoreError, UowId, Wait, fail_point, merge};
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tokio::sync::oneshot;

mod changes;
mod ends;
mod interface;

/// Table of prepared units of work.
pub(crate) const PREPARED: &str = "uow/prepared";
/// Shown when something waits for the committer that is no more.
const GONE: StoreError = StoreError::Closed;

/// Bounds of a store; each is in its statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Record locks at a time.
    pub locks_max: usize,
    /// Bytes of changes of one unit of work.
    pub uow_bytes_max: usize,
    /// Batches that wait for the committer.
    pub queue_max: usize,
}

impl Default for Settings {
    /// A million locks, 256 MB per unit of work, 10,000 waiting commits.
    fn default() -> Self {
        Self {
            locks_max: 1_000_000,
            uow_bytes_max: 256 << 20,
            queue_max: 10_000,
        }
    }
}

/// A store whose bytes an engine keeps.
pub struct EngineStore<E: Engine> {
    inner: Arc<Inner<E>>,
}

struct Inner<E: Engine> {
    engine: Arc<E>,
    locks: Locks,
    units: Mutex<HashMap<UowId, Arc<Mutex<Unit>>>>,
    committer: Committer<E>,
    settings: Settings,
    counters: Counters,
}

impl<E: Engine> EngineStore<E> {
    /// Opens a store: prepared units of work of earlier runs come back in doubt, with retained
    /// locks.
    pub fn open(engine: E, settings: Settings) -> Result<Self, StoreError> {
        engine.define(PREPARED)?;
        engine.define(COUNTERS)?;
        let engine = Arc::new(engine);
        let inner = Inner {
            committer: Committer::start(engine.clone(), settings.queue_max)?,
            locks: Locks::new(settings.locks_max),
            units: Mutex::default(),
            engine,
            settings,
            counters: Counters::default(),
        };
        inner.recover()?;
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The engine, for what only it can do.
    #[must_use]
    pub fn engine(&self) -> &E {
        &self.inner.engine
    }
}

/// A store without a disk: same semantics, nothing survives the process. For tests and for data
/// that need not survive.
pub type MemoryStore = EngineStore<MemoryEngine>;

impl MemoryStore {
    /// An empty store in memory of at most `bytes_max` bytes.
    #[must_use]
    pub fn in_memory(bytes_max: u64) -> Self {
        let engine = Arc::new(MemoryEngine::new(bytes_max));
        let _ = engine.define(PREPARED).and(engine.define(COUNTERS));
        let settings = Settings::default();
        let inner = Inner {
            committer: Committer::inline(engine.clone(), settings.queue_max),
            locks: Locks::new(settings.locks_max),
            units: Mutex::default(),
            engine,
            settings,
            counters: Counters::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }
}

impl<E: Engine> Inner<E> {
    fn recover(&self) -> Result<(), StoreError> {
        fail_point("recover-begin")?;
        let all = crate::engine::Scan {
            from: std::ops::Bound::Unbounded,
            prefix: &[],
            direction: transom_types::Direction::Forward,
            limit: usize::MAX,
            bytes_max: usize::MAX,
        };
        for row in merge::rows(&*self.engine, None, PREPARED, all)? {
            fail_point("recover-unit")?;
            let damaged = || StoreError::Damaged {
                table: PREPARED.to_owned(),
                key: row.key.clone(),
            };
            let uow = UowId::from_bytes(&row.key).ok_or_else(damaged)?;
            let (overlay, info, since) = unit::restored(&row.record).ok_or_else(damaged)?;
            for (table, changes) in &overlay.tables {
                for key in changes.keys() {
                    self.locks.request(uow, table, key, Wait::No)?;
                }
            }
            self.locks.retain(uow);
            let phase = Phase::Prepared {
                info,
                since,
                retained: true,
            };
            let unit = Unit { overlay, phase };
            lock(&self.units).insert(uow, Arc::new(Mutex::new(unit)));
        }
        fail_point("recover-end")
    }

    fn unit(&self, uow: UowId) -> Option<Arc<Mutex<Unit>>> {
        lock(&self.units).get(&uow).cloned()
    }

    fn unit_or_new(&self, uow: UowId) -> Arc<Mutex<Unit>> {
        lock(&self.units).entry(uow).or_default().clone()
    }

    /// True if the lock was not held before.
    async fn lock(
        &self,
        uow: UowId,
        table: &str,
        key: &[u8],
        wait: Wait,
    ) -> Result<bool, StoreError> {
        fail_point("lock-before")?;
        let new = match self.locks.request(uow, table, key, wait)? {
            Request::Held(new) => new,
            Request::Waits(place) => {
                place.granted().await?;
                // Its owner may have been released between the grant and now; the lock is somebody
                // else's then.
                if !self.locks.holds(uow, table, key) {
                    return Err(StoreError::Released);
                }
                true
            }
        };
        fail_point("lock-after")?;
        Ok(new)
    }

    /// Queues a batch; what `done` makes of the result is the answer.
    fn write<T: Send + 'static>(
        self: &Arc<Self>,
        batch: Batch,
        done: impl FnOnce(&Self, Result<(), StoreError>) -> Result<T, StoreError> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, StoreError>> {
        let (sender, receiver) = oneshot::channel();
        let inner = self.clone();
        let done = Box::new(move |result| {
            let answer = done(&inner, result);
            drop(inner);
            let _ = sender.send(answer);
        });
        self.committer.write(batch, done);
        receiver
    }

    /// Runs a change of tables between two groups.
    async fn run<T: Send + 'static>(
        &self,
        task: impl FnOnce(&E) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.committer.run(Box::new(move |engine, failed| {
            let result = task(engine);
            if matches!(result, Err(StoreError::Io(_))) {
                failed.store(true, Relaxed);
            }
            let _ = sender.send(result);
        }));
        receiver.await.unwrap_or(Err(GONE))
    }
}

fn erase_prepared(uow: UowId) -> EngineWrite {
    EngineWrite {
        table: PREPARED.into(),
        key: uow.to_bytes().to_vec(),
        action: Action::Erase,
    }
}

fn put_prepared(uow: UowId, unit: &Unit, info: &[u8], since: SystemTime) -> EngineWrite {
    EngineWrite {
        table: PREPARED.into(),
        key: uow.to_bytes().to_vec(),
        action: Action::Put(unit::stored(&unit.overlay, info, since)),
    }
}
