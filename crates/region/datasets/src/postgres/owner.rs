//! Who may use a store under a region's name, and the end of sessions that were.
//!
//! What: one session holds a lock named after system and APPLID as long as the store is open, so
//! that a second region of the same name is refused. Who gets the lock ends all sessions of earlier
//! runs: a message that was on its way when they died may still be carried out, and nobody may look
//! at its outcome before. Not here: record locks.

use super::PgOptions;
use super::connection::{Live, bury, text};
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use transom_postgres::PAUSE;
use transom_recovery::StoreError;

/// How long the lock is waited for: the server sees at once that a process of its own machine died.
const LOCK_MAX: Duration = Duration::from_secs(3);

/// The owner's lock.
pub(super) struct Owner {
    name: String,
    live: tokio::sync::Mutex<Option<Live>>,
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
    /// `connection` is awaited only when the lock has to be taken. The server is asked, since the
    /// end of a session is seen a while after it, and the connections made meanwhile would be ended
    /// as those of an earlier run.
    pub(super) async fn hold(
        &self,
        connection: impl Future<Output = Result<Live, StoreError>>,
    ) -> Result<(), StoreError> {
        let mut held = self.live.lock().await;
        if let Some(live) = held.as_ref()
            && live.is_alive().await?
        {
            return Ok(());
        }
        let live = connection.await?;
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
