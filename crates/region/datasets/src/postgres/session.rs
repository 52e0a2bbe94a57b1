//! Sessions with the server, and what its errors mean.

use super::PgOptions;
use super::owner::{Backend, Owner};
use super::tls::{self, Tls};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::config::Config;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row, SimpleQueryMessage};
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

/// A connection.
pub(super) struct Live {
    pub(super) client: Client,
    /// Who serves it.
    pub(super) backend: Backend,
    /// Names its row of outcomes.
    pub(super) token: i64,
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
        let (mut config, tls) = tls::read(&options.connect)?;
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
    /// once when the connection turns out to be dead.
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
        self.owner.hold(self).await?;
        self.connect_as(self.config.clone()).await
    }

    /// A connection that nobody waits to own.
    pub(super) async fn connect_alone(&self) -> Result<Live, StoreError> {
        self.connect_as(self.config.clone()).await
    }

    async fn connect_as(&self, config: Config) -> Result<Live, StoreError> {
        let (client, connection) = config
            .connect(self.tls.clone())
            .await
            .map_err(|e| translate(&e))?;
        tokio::spawn(async move {
            // Its error is the error of the query under way.
            let _ = connection.await;
        });
        let backend = Backend::of(&client).await?;
        Ok(Live {
            client,
            backend,
            token: RandomState::new().build_hasher().finish().cast_signed(),
        })
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

/// First column of the first row.
pub(super) async fn text(client: &Client, sql: &str) -> Result<Option<String>, StoreError> {
    let messages = client.simple_query(sql).await;
    let messages = messages.map_err(|e| translate(&e))?;
    Ok(messages.into_iter().find_map(|m| match m {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}

/// Raised by our own statements for a retained lock.
pub(super) const RETAINED: &str = "TX001";
/// Raised by our own statements for a lock that is not free.
pub(super) const BUSY: &str = "TX002";

/// SQLSTATE to the words of stores.
pub(super) fn translate(error: &tokio_postgres::Error) -> StoreError {
    let text = match error.as_db_error() {
        Some(detail) => detail.message().to_owned(),
        None => match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    };
    let Some(state) = error.code() else {
        // No answer of the server: the connection failed.
        return StoreError::Unavailable(format!("PostgreSQL: {text}"));
    };
    match state.code() {
        RETAINED => return StoreError::Locked,
        BUSY => return StoreError::Busy,
        "P0002" => return StoreError::NotFound,
        // The server ends, starts or has no room for another session.
        "57P01" | "57P02" | "57P03" | "57P05" | "53300" => {
            return StoreError::Unavailable(format!("PostgreSQL: {text}"));
        }
        class if class.starts_with("08") => {
            return StoreError::Unavailable(format!("PostgreSQL: {text}"));
        }
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
        // Only prepared transactions are named.
        SqlState::UNDEFINED_OBJECT => StoreError::NotFound,
        _ => StoreError::Io(format!("PostgreSQL {}: {text}", state.code())),
    }
}

/// The name in `relation "transom_data.NAME" does not exist`.
fn table_in(text: &str) -> String {
    let quoted = text.split('"').nth(1).unwrap_or(text);
    quoted.trim_start_matches("transom_data.").to_owned()
}
