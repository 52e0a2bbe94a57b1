//! Connections to the server, the process that serves each, and what its errors mean.
//!
//! What: opening one, asking for one value, ending sessions of earlier runs. Why: the pool of
//! sessions and the owner's lock both need connections and know nothing of each other's. Not here:
//! who may connect (`owner`), how many (`session`).

use super::sql::{self, BUSY, RETAINED};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;
use tokio_postgres::Client;
use tokio_postgres::config::Config;
use tokio_postgres::error::SqlState;
use transom_postgres::Tls;
use transom_recovery::StoreError;

/// How long the server may take to answer a question that needs no work.
const ANSWER_MAX: Duration = Duration::from_secs(10);

/// A connection.
pub(super) struct Live {
    pub(super) client: Client,
    /// Who serves it.
    pub(super) backend: Backend,
    /// Names its row of outcomes.
    pub(super) token: i64,
}

/// A process of the server, and when it began: numbers of processes come again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Backend {
    pid: i32,
    start: String,
}

impl Live {
    pub(super) async fn connect(config: &Config, tls: &Tls) -> Result<Live, StoreError> {
        let (client, connection) = config
            .connect(tls.clone())
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

impl Live {
    /// Whether the server still serves it; an error when it says nothing.
    pub(super) async fn is_alive(&self) -> Result<bool, StoreError> {
        if self.client.is_closed() {
            return Ok(false);
        }
        let answer = tokio::time::timeout(ANSWER_MAX, self.client.simple_query("")).await;
        let silent = |_| StoreError::Unavailable("PostgreSQL: no answer".to_owned());
        Ok(answer.map_err(silent)?.is_ok())
    }
}

impl Backend {
    pub(super) async fn of(client: &Client) -> Result<Self, StoreError> {
        // The server then sees the death of a region's machine within a minute.
        let settings = "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
             SELECT pid || ' ' || backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";
        let found = text(client, settings).await?.unwrap_or_default();
        let (pid, start) = found.split_once(' ').unwrap_or(("0", ""));
        Ok(Self {
            pid: pid.parse().unwrap_or_default(),
            start: start.to_owned(),
        })
    }

    /// Ends it and waits until it is gone, with its transaction.
    pub(super) async fn bury(&self, client: &Client) -> Result<(), StoreError> {
        let start = sql::text(&self.start);
        let it = format!("pid = {} AND backend_start::text = {start}", self.pid);
        bury(client, &it).await
    }
}

/// Ends sessions and waits until they are gone.
pub(super) async fn bury(client: &Client, which: &str) -> Result<(), StoreError> {
    transom_postgres::bury(client, which, translate).await
}

/// First column of the first row.
pub(super) async fn text(client: &Client, sql: &str) -> Result<Option<String>, StoreError> {
    let found = transom_postgres::first(client, sql).await;
    found.map_err(|e| translate(&e))
}

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
