//! One value of the server, and the end of sessions that were.
//!
//! Why once: a session of an earlier run may still carry out a COMMIT that was on its way,
//! whichever client it was. Not here: which sessions, what errors of the server mean.

use std::time::{Duration, Instant};
use tokio_postgres::{Client, Error, SimpleQueryMessage};
use transom_recovery::StoreError;

/// How long a session of an earlier run may take to end.
const BURIAL_MAX: Duration = Duration::from_secs(30);
/// Between two looks at what the server does.
pub const PAUSE: Duration = Duration::from_millis(20);

/// First column of the first row.
pub async fn first(client: &Client, sql: &str) -> Result<Option<String>, Error> {
    let messages = client.simple_query(sql).await?;
    Ok(messages.into_iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}

/// Ends the sessions of this database for which the condition holds, and waits until they are
/// gone: a session leaves the list after its transaction has ended. `meaning`: what an error of
/// the server is to the caller.
pub async fn bury(
    client: &Client,
    which: &str,
    meaning: impl Fn(&Error) -> StoreError,
) -> Result<(), StoreError> {
    let begin = Instant::now();
    let end = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
         WHERE datname = current_database() AND {which}"
    );
    while let Some(left) = first(client, &end).await.map_err(|e| meaning(&e))? {
        if left == "0" {
            break;
        }
        if begin.elapsed() > BURIAL_MAX {
            let text = "sessions of an earlier run do not end";
            return Err(StoreError::Unavailable(text.to_owned()));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
