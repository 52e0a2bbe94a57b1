//! The region's own connection: who it is to the server, and the end of sessions that were.
//!
//! What: it holds a lock named after system and APPLID, so that a second region of that name is
//! refused, and ends sessions of earlier runs: a COMMIT that was on its way when they died may
//! still be carried out. Why: nobody may ask for marks before. Not here: sessions of tasks.

use super::errors;
use super::live::Live;
use std::time::{Duration, Instant};
use tokio_postgres::Client;
use transom_postgres::{PAUSE, first};
use transom_recovery::StoreError;

/// How long the lock is waited for: the server sees at once that a process of its own machine died.
const LOCK_MAX: Duration = Duration::from_secs(3);

/// Name of all sessions of a region.
pub(super) fn session_name(system: u64, applid: &str) -> String {
    format!("transom sql {system:016x} {applid}")
}

/// Takes the lock of the region and ends its earlier sessions.
pub(super) async fn own(live: &Live, name: &str) -> Result<(), StoreError> {
    let begin = Instant::now();
    let quoted = name.replace('\'', "''");
    let take = format!("SELECT pg_try_advisory_lock(7262312, hashtext('{quoted}'))");
    while text(&live.client, &take).await?.as_deref() != Some("t") {
        if begin.elapsed() > LOCK_MAX {
            let who = format!("another region with this APPLID ({name})");
            return Err(StoreError::InUse(who));
        }
        tokio::time::sleep(PAUSE).await;
    }
    let others = format!("application_name = '{quoted}' AND pid <> pg_backend_pid()");
    bury(&live.client, &others).await
}

/// Ends a session and waits until it is gone, with its transaction.
pub(super) async fn bury_one(client: &Client, backend: &str) -> Result<(), StoreError> {
    let (pid, start) = backend.split_once(' ').unwrap_or(("0", ""));
    bury(
        client,
        &format!("pid = {pid} AND backend_start::text = '{start}'"),
    )
    .await
}

async fn bury(client: &Client, which: &str) -> Result<(), StoreError> {
    transom_postgres::bury(client, which, errors::of_store).await
}

pub(super) async fn text(client: &Client, ask: &str) -> Result<Option<String>, StoreError> {
    first(client, ask).await.map_err(|e| errors::of_store(&e))
}
