//! Sessions with the server, and what its errors mean.

use super::{PgOptions, guard};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::config::Config;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Row, SimpleQueryMessage};
use transom_recovery::StoreError;

/// Sessions for units of work, one for readers.
pub(super) struct Pool {
    /// Application name of its sessions; no other store has it.
    pub(super) name: String,
    config: Config,
    places: Arc<Semaphore>,
    most: usize,
    /// Most sessions at a time, and how often one was waited for.
    pub(super) peak: AtomicU64,
    pub(super) waited: AtomicU64,
    idle: Arc<Mutex<Vec<Client>>>,
    reader: tokio::sync::Mutex<Option<Arc<Client>>>,
}

/// One session; goes back to the pool when dropped.
pub(super) struct Session {
    client: Option<Client>,
    idle: Arc<Mutex<Vec<Client>>>,
    /// Its locks could not be given back: it must end.
    spoiled: AtomicBool,
    _place: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(options: &PgOptions) -> Result<Self, StoreError> {
        let mut config: Config = options.connect.parse().map_err(|e| translate(&e))?;
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let (process, store) = (std::process::id(), OPENED.fetch_add(1, Ordering::Relaxed));
        let applid = options.applid.as_str().trim_end();
        let name = format!("transom {applid} {process}.{store}");
        config.application_name(&name);
        Ok(Self {
            name,
            config,
            places: Arc::new(Semaphore::new(options.sessions_max.max(1))),
            most: options.sessions_max.max(1),
            peak: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            idle: Arc::default(),
            reader: tokio::sync::Mutex::new(None),
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
        let idle = guard(&self.idle).pop().filter(|c| !c.is_closed());
        let client = match idle {
            Some(client) => client,
            None => self.connect().await?,
        };
        Ok(Session {
            client: Some(client),
            idle: self.idle.clone(),
            spoiled: AtomicBool::new(false),
            _place: place,
        })
    }

    /// Rows of a query that needs no session of its own; many share one connection.
    pub(super) async fn rows(
        &self,
        sql: &str,
        parameters: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<Vec<Row>, StoreError> {
        let client = {
            let mut reader = self.reader.lock().await;
            match reader.as_ref().filter(|c| !c.is_closed()) {
                Some(client) => client.clone(),
                None => {
                    let client = Arc::new(self.connect().await?);
                    *reader = Some(client.clone());
                    client
                }
            }
        };
        let rows = client.query_typed(sql, parameters).await;
        rows.map_err(|e| translate(&e))
    }

    async fn connect(&self) -> Result<Client, StoreError> {
        let (client, connection) = self
            .config
            .connect(NoTls)
            .await
            .map_err(|e| translate(&e))?;
        tokio::spawn(async move {
            // Its error is the error of the query under way.
            let _ = connection.await;
        });
        Ok(client)
    }
}

impl Session {
    /// Statements in one message; a transaction left open by an error is rolled back.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), StoreError> {
        let client = self.client()?;
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

    /// Gives all locks back. A cancellation on its way may hit this statement, too; a session that keeps its locks is
    /// not used again.
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
        let messages = self.client()?.simple_query(sql).await;
        let messages = messages.map_err(|e| translate(&e))?;
        Ok(messages.into_iter().find_map(|m| match m {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        }))
    }

    /// Ends the statement that runs; it answers with [`StoreError::Released`].
    pub(super) async fn cancel(&self) {
        if let Ok(client) = self.client() {
            // A statement that cannot be cancelled ends by itself.
            let _ = client.cancel_token().cancel_query(NoTls).await;
        }
    }

    fn client(&self) -> Result<&Client, StoreError> {
        self.client.as_ref().ok_or(StoreError::Closed)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let spoiled = self.spoiled.load(Ordering::Relaxed);
        if let Some(client) = self.client.take().filter(|c| !c.is_closed() && !spoiled) {
            guard(&self.idle).push(client);
        }
    }
}

/// Raised by our own statements for a retained lock.
pub(super) const RETAINED: &str = "TX001";
/// Raised by our own statements for a lock that is not free.
pub(super) const BUSY: &str = "TX002";

/// SQLSTATE to the words of stores.
pub(super) fn translate(error: &tokio_postgres::Error) -> StoreError {
    let text = match error.as_db_error() {
        Some(detail) => detail.message().to_owned(),
        None => error.to_string(),
    };
    let Some(state) = error.code() else {
        return StoreError::Io(format!("PostgreSQL: {text}"));
    };
    match state.code() {
        RETAINED => return StoreError::Locked,
        BUSY => return StoreError::Busy,
        "P0002" => return StoreError::NotFound,
        _ => {}
    }
    match *state {
        SqlState::UNIQUE_VIOLATION => StoreError::Duplicate,
        SqlState::LOCK_NOT_AVAILABLE => StoreError::Timeout,
        SqlState::T_R_DEADLOCK_DETECTED | SqlState::T_R_SERIALIZATION_FAILURE => {
            StoreError::Deadlock
        }
        SqlState::QUERY_CANCELED => StoreError::Released,
        SqlState::DISK_FULL | SqlState::OUT_OF_MEMORY | SqlState::INSUFFICIENT_RESOURCES => {
            StoreError::NoSpace(format!("PostgreSQL: {text}"))
        }
        SqlState::UNDEFINED_TABLE => StoreError::NoTable(table_in(&text)),
        _ => StoreError::Io(format!("PostgreSQL {}: {text}", state.code())),
    }
}

/// The name in `relation "transom_data.NAME" does not exist`.
fn table_in(text: &str) -> String {
    let quoted = text.split('"').nth(1).unwrap_or(text);
    quoted.trim_start_matches("transom_data.").to_owned()
}
