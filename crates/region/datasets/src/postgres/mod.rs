//! Records in PostgreSQL, or anything that speaks its wire protocol.
//!
//! What: a [`UowStore`](transom_recovery::UowStore) with one table per file, so that several
//! regions on several machines share data. A unit of work keeps its changes here until commit and
//! sends them with BEGIN and COMMIT in one message; its locks are advisory locks of its session,
//! named by a hash of table and key, because a row lock cannot keep a key that has no row.
//! Deadlines are `lock_timeout`, circles are found by the server. Prepared work is PREPARE
//! TRANSACTION; names of its locks stay in a table, so that all regions refuse them. Not here: keys
//! and records of files (dataset layer); failover of the server (its own tools, or a proxy that
//! keeps sessions).

mod connection;
mod interface;
mod locks;
mod options;
mod outcome;
mod owner;
mod prepared;
mod session;
mod sql;
mod units;

pub use options::PgOptions;

use crate::postgres::session::{Pool, Session};
use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;
use transom_recovery::guard::lock;
use transom_recovery::{Counters, Overlay, Phase, StoreError, StoreFuture, UowId, ready};

/// A store behind the PostgreSQL wire protocol.
pub struct PgStore {
    inner: Arc<Inner>,
    runtime: Option<tokio::runtime::Runtime>,
}

struct Inner {
    pool: Pool,
    options: PgOptions,
    two_phase: bool,
    /// What tells this database from all others.
    id: String,
    /// How names of its prepared transactions begin.
    gids: String,
    /// Named what no transaction stands behind any more, when the store was opened.
    lost: Mutex<HashSet<UowId>>,
    /// Marks of transactions.
    next_mark: AtomicU64,
    units: Mutex<HashMap<UowId, Arc<Mutex<Unit>>>>,
    /// Locks on their way back to the server.
    returning: AtomicUsize,
    returned: Notify,
    counters: Counters,
    figures: Figures,
}

/// Figures of locks.
#[derive(Default)]
struct Figures {
    waits: AtomicU64,
    timeouts: AtomicU64,
    deadlocks: AtomicU64,
    retained: AtomicU64,
}

#[derive(Default)]
struct Unit {
    overlay: Overlay,
    phase: Phase,
    session: Option<Arc<Session>>,
    /// Hashes of the locks.
    held: HashSet<i64>,
    released: bool,
}

impl PgStore {
    /// Connects, makes the schema, finds units of work in doubt. Blocks; has a thread of its own
    /// for the network.
    pub fn open(options: PgOptions) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("transom-pg")
            .enable_all()
            .build()
            .map_err(|e| StoreError::Io(e.to_string()))?;
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        runtime.spawn(async move {
            // The opener waits; it is gone only if its thread is.
            let _ = sender.send(Inner::open(options).await);
        });
        match receiver.recv().unwrap_or(Err(StoreError::Closed)) {
            Ok(inner) => Ok(Self {
                inner: Arc::new(inner),
                runtime: Some(runtime),
            }),
            Err(error) => {
                // The caller may run on a runtime of its own, where dropping this one would panic.
                runtime.shutdown_background();
                Err(error)
            }
        }
    }

    /// Runs on the store's own runtime, whoever polls.
    fn there<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> StoreFuture<'static, T> {
        let Some(runtime) = &self.runtime else {
            return ready(Err(StoreError::Closed));
        };
        let task = runtime.spawn(work);
        Box::pin(async move { task.await.unwrap_or(Err(StoreError::Closed)) })
    }

    /// Gives locks back without a caller who waits; requests for locks come after it.
    fn aside(&self, work: impl Future<Output = ()> + Send + 'static) {
        let inner = self.inner.clone();
        inner.returning.fetch_add(1, Ordering::SeqCst);
        let work = async move {
            work.await;
            inner.returning.fetch_sub(1, Ordering::SeqCst);
            inner.returned.notify_waiters();
        };
        if let Some(runtime) = &self.runtime {
            runtime.spawn(work);
        }
    }
}

impl Drop for PgStore {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Inner {
    async fn open(options: PgOptions) -> Result<Self, StoreError> {
        let pool = Pool::new(&options)?;
        let session = pool.session().await?;
        let id = marker(&session).await?;
        let most = session.text("SHOW max_prepared_transactions").await?;
        let inner = Self {
            pool,
            two_phase: most.is_some_and(|n| n != "0"),
            gids: sql::gid_prefix(&id, options.system, options.applid),
            id,
            lost: Mutex::default(),
            next_mark: AtomicU64::new(1),
            options,
            units: Mutex::default(),
            returning: AtomicUsize::new(0),
            returned: Notify::new(),
            counters: Counters::default(),
            figures: Figures::default(),
        };
        inner.recover(&session).await?;
        drop(session);
        Ok(inner)
    }

    fn gid(&self, uow: UowId) -> String {
        sql::text(&format!("{}{:016X}", self.gids, uow.number))
    }

    fn unit(&self, uow: UowId) -> Option<Arc<Mutex<Unit>>> {
        lock(&self.units).get(&uow).cloned()
    }

    fn unit_or_new(&self, uow: UowId) -> Arc<Mutex<Unit>> {
        lock(&self.units).entry(uow).or_default().clone()
    }

    /// Until locks given back earlier are free.
    async fn settled(&self) {
        loop {
            let returned = self.returned.notified();
            if self.returning.load(Ordering::SeqCst) == 0 {
                return;
            }
            returned.await;
        }
    }
}

/// Makes the schema where there is none; the number of the database.
async fn marker(session: &Session) -> Result<String, StoreError> {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let new = format!("{:016x}", RandomState::new().build_hasher().finish());
    let schema = sql::SCHEMA
        .replace("VERSION", sql::VERSION)
        .replace("NEW_ID", &new);
    session.batch(&schema).await?;
    let found = session
        .text("SELECT version || ' ' || id FROM transom.store")
        .await?;
    match found.as_deref().and_then(|f| f.split_once(' ')) {
        Some((version, id)) if version == sql::VERSION => Ok(id.to_owned()),
        other => Err(StoreError::Wrong(format!(
            "the database has a store of format {}, this program needs {}",
            other.map_or("?", |(version, _)| version),
            sql::VERSION
        ))),
    }
}
