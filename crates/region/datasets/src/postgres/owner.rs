//! Who may use a store under a region's name, and the end of sessions that were.
//!
//! What: one session holds a lock named after system and APPLID as long as the store is open, so
//! that a second region of the same name is refused. Who gets the lock ends all sessions of earlier
//! runs: a message that was on its way when they died may still be carried out, and nobody may look
//! at its outcome before. Not here: record locks.

use super::PgOptions;
use super::session::{Live, Pool, text};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio_postgres::Client;
use transom_recovery::StoreError;

/// How long a session of an earlier run may take to end.
const BURIAL_MAX: Duration = Duration::from_secs(30);
/// How long the lock is waited for: the server sees at once that a process of its own machine died.
const LOCK_MAX: Duration = Duration::from_secs(3);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// The owner's lock.
pub(super) struct Owner {
    name: String,
    live: tokio::sync::Mutex<Option<Live>>,
}

/// A process of the server, and when it began: numbers of processes come again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Backend {
    pid: i32,
    start: String,
}

impl Owner {
    pub(super) fn new(options: &PgOptions) -> Self {
        let applid = options.applid.as_str();
        let mut name = format!("transom {:016x} {applid}", options.system);
        if options.utility {
            static OPENED: AtomicU64 = AtomicU64::new(0);
            let (process, store) = (std::process::id(), OPENED.fetch_add(1, Ordering::Relaxed));
            name.push_str(&format!(" {process}.{store}"));
        }
        Self {
            name,
            live: tokio::sync::Mutex::new(None),
        }
    }

    /// How its sessions are called on the server.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Makes sure that the lock is held; after it was lost, no session of before goes on.
    pub(super) async fn hold(&self, pool: &Pool) -> Result<(), StoreError> {
        let mut held = self.live.lock().await;
        if held.as_ref().is_some_and(|l| !l.client.is_closed()) {
            return Ok(());
        }
        let live = pool.connect_alone().await?;
        let hash = super::sql::lock_hash("owner", self.name.as_bytes());
        let (high, low) = ((hash >> 32) as i32, hash as i32);
        let begin = Instant::now();
        let take = format!("SELECT pg_try_advisory_lock({high}, {low})");
        while text(&live.client, &take).await?.as_deref() != Some("t") {
            if begin.elapsed() > LOCK_MAX {
                return Err(StoreError::InUse(format!(
                    "another region with this APPLID ({})",
                    self.name
                )));
            }
            tokio::time::sleep(PAUSE).await;
        }
        let name = super::sql::text(&self.name);
        let others = format!("application_name = {name} AND pid <> pg_backend_pid()");
        bury(&live.client, &others).await?;
        *held = Some(live);
        Ok(())
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
        let start = super::sql::text(&self.start);
        let it = format!("pid = {} AND backend_start::text = {start}", self.pid);
        bury(client, &it).await
    }
}

/// Ends sessions and waits until they are gone: a session leaves the list after its transaction has
/// ended.
async fn bury(client: &Client, which: &str) -> Result<(), StoreError> {
    let begin = Instant::now();
    let end = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND {which}"
    );
    while text(client, &end).await?.is_some_and(|n| n != "0") {
        if begin.elapsed() > BURIAL_MAX {
            let text = "sessions of an earlier run do not end";
            return Err(StoreError::Unavailable(text.to_owned()));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
