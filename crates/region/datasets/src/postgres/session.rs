//! Sessions with the server.
//!
//! What: a pool of them, bounded; one that is given back serves the next unit of work. Not here:
//! connections and what errors of the server mean (`connection`).

use super::PgOptions;
use super::connection::{Live, text, translate};
use super::owner::Owner;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::Row;
use tokio_postgres::config::Config;
use tokio_postgres::types::{ToSql, Type};
use transom_postgres::Tls;
use transom_recovery::StoreError;
use transom_recovery::guard::lock;

/// How long a connection may take when the connection string says nothing.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// Sessions for units of work, one for readers.
pub(super) struct Pool {
    /// Application name of its sessions; no other store has it.
    pub(super) name: String,
    config: Config,
    tls: Tls,
    places: Arc<Semaphore>,
    most: usize,
    /// Most sessions at a time, and how often one was waited for.
    pub(super) peak: AtomicU64,
    pub(super) waited: AtomicU64,
    idle: Arc<Mutex<Vec<Live>>>,
    reader: tokio::sync::Mutex<Option<Arc<Live>>>,
    owner: Owner,
}

/// One session; goes back to the pool when dropped.
pub(super) struct Session {
    live: Option<Live>,
    idle: Arc<Mutex<Vec<Live>>>,
    tls: Tls,
    /// Its locks could not be given back: it must end.
    spoiled: AtomicBool,
    _place: Option<OwnedSemaphorePermit>,
}

impl Pool {
    pub(super) fn new(options: &PgOptions) -> Result<Self, StoreError> {
        let (mut config, tls) = transom_postgres::read(&options.connect)?;
        let owner = Owner::new(options);
        config.application_name(owner.name());
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_MAX);
        }
        Ok(Self {
            name: owner.name().to_owned(),
            config,
            tls,
            places: Arc::new(Semaphore::new(options.sessions_max.max(1))),
            most: options.sessions_max.max(1),
            peak: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            idle: Arc::default(),
            reader: tokio::sync::Mutex::new(None),
            owner,
        })
    }

    /// An idle session or a new one; waits when there are too many.
    pub(super) async fn session(&self) -> Result<Session, StoreError> {
        if self.places.available_permits() == 0 {
            self.waited.fetch_add(1, Ordering::Relaxed);
        }
        let place = self.places.clone().acquire_owned().await;
        let used = self.most.saturating_sub(self.places.available_permits());
        self.peak.fetch_max(used as u64, Ordering::Relaxed);
        let place = place.map_err(|_| StoreError::Closed)?;
        let idle = || {
            let mut idle = lock(&self.idle);
            idle.retain(|live| !live.client.is_closed());
            idle.pop()
        };
        let live = match idle() {
            Some(live) => live,
            None => self.connect().await?,
        };
        Ok(self.session_of(live, Some(place)))
    }

    /// A session beside the limit, to find out what became of another.
    pub(super) async fn asker(&self) -> Result<Session, StoreError> {
        let live = self.connect().await?;
        Ok(self.session_of(live, None))
    }

    fn session_of(&self, live: Live, place: Option<OwnedSemaphorePermit>) -> Session {
        Session {
            live: Some(live),
            idle: self.idle.clone(),
            tls: self.tls.clone(),
            spoiled: AtomicBool::new(place.is_none()),
            _place: place,
        }
    }

    /// Rows of a query that needs no session of its own; many share one connection. Asked again
    /// once, on another one, when the connection turns out to be dead.
    pub(super) async fn rows(
        &self,
        sql: &str,
        parameters: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<Vec<Row>, StoreError> {
        let mut again = true;
        loop {
            let live = self.reader().await?;
            let rows = live.client.query_typed(sql, parameters).await;
            match rows.map_err(|e| translate(&e)) {
                Err(StoreError::Unavailable(_)) if again => again = false,
                other => return other,
            }
            self.give_up(&live).await;
        }
    }

    /// Nobody reads on this connection any more: its last answer comes before its end is seen.
    async fn give_up(&self, dead: &Arc<Live>) {
        let mut reader = self.reader.lock().await;
        if reader.as_ref().is_some_and(|live| Arc::ptr_eq(live, dead)) {
            *reader = None;
        }
    }

    async fn reader(&self) -> Result<Arc<Live>, StoreError> {
        let mut reader = self.reader.lock().await;
        if let Some(live) = reader.as_ref().filter(|l| !l.client.is_closed()) {
            return Ok(live.clone());
        }
        let live = Arc::new(self.connect().await?);
        *reader = Some(live.clone());
        Ok(live)
    }

    async fn connect(&self) -> Result<Live, StoreError> {
        // The owner's own connection is one that nobody waits to own.
        self.owner.hold(self.connect_alone()).await?;
        self.connect_alone().await
    }

    async fn connect_alone(&self) -> Result<Live, StoreError> {
        Live::connect(&self.config, &self.tls).await
    }
}

impl Session {
    /// Statements in one message; a transaction left open by an error is rolled back.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), StoreError> {
        let client = &self.live()?.client;
        let result = client.batch_execute(sql).await;
        if let Err(error) = &result
            && sql.starts_with("BEGIN")
            && !error.is_closed()
        {
            // The first error is the one to tell.
            let _ = client.batch_execute("ROLLBACK").await;
        }
        result.map_err(|e| translate(&e))
    }

    /// Gives all locks back. A cancellation on its way may hit this statement, too; a session that
    /// keeps its locks is not used again.
    pub(super) async fn unlock_all(&self) {
        for _ in 0..3 {
            if self.batch("SELECT pg_advisory_unlock_all()").await.is_ok() {
                return;
            }
        }
        self.spoiled.store(true, Ordering::Relaxed);
    }

    /// First column of the first row.
    pub(super) async fn text(&self, sql: &str) -> Result<Option<String>, StoreError> {
        text(&self.live()?.client, sql).await
    }

    /// Ends the statement that runs; it answers with [`StoreError::Released`].
    pub(super) async fn cancel(&self) {
        if let Ok(live) = self.live() {
            // A statement that cannot be cancelled ends by itself.
            let token = live.client.cancel_token();
            let _ = token.cancel_query(self.tls.clone()).await;
        }
    }

    /// The connection is gone.
    pub(super) fn is_closed(&self) -> bool {
        self.live.as_ref().is_none_or(|l| l.client.is_closed())
    }

    pub(super) fn live(&self) -> Result<&Live, StoreError> {
        self.live.as_ref().ok_or(StoreError::Closed)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let spoiled = self.spoiled.load(Ordering::Relaxed);
        if let Some(live) = self
            .live
            .take()
            .filter(|l| !l.client.is_closed() && !spoiled)
        {
            lock(&self.idle).push(live);
        }
    }
}
