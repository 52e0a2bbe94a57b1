//! COMMIT, and what became of it when the connection was lost on the way.
//!
//! Each transaction writes a mark of its own into the row of its session. After the session has
//! ended for certain, the row tells whether the transaction was committed.

use super::Inner;
use crate::postgres::session::Session;
use crate::postgres::sql;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use transom_recovery::StoreError;

/// How long a server that went away during a COMMIT is asked what became of it.
const OUTCOME_MAX: Duration = Duration::from_secs(30);

impl Inner {
    /// COMMIT after `work` in one message. When the connection is lost meanwhile the server is
    /// asked what became of it.
    pub(super) async fn commit_on(&self, session: &Session, work: &str) -> Result<(), StoreError> {
        if session.is_closed() {
            let text = "the connection was lost".to_owned();
            return Err(StoreError::Unavailable(text));
        }
        let (token, mark) = (session.live()?.token, self.next_mark.fetch_add(1, Relaxed));
        let outcome = sql::outcome(token, &self.gids, mark);
        let ended = session.batch(&format!("{work}{outcome}COMMIT")).await;
        let why = match ended {
            Err(StoreError::Unavailable(why)) => why,
            // The server has answered: nothing was changed.
            Err(StoreError::Io(why)) => return Err(StoreError::Unavailable(why)),
            other => return other,
        };
        let begin = Instant::now();
        let mut pause = Duration::from_millis(50);
        loop {
            match self.outcome_of(session, mark).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(StoreError::Unavailable(why)),
                Err(error) if begin.elapsed() > OUTCOME_MAX => {
                    return Err(StoreError::Unknown(format!("{why}; then {error}")));
                }
                Err(_) => tokio::time::sleep(pause).await,
            }
            pause = (pause * 2).min(Duration::from_secs(2));
        }
    }

    /// Whether the transaction with this mark was committed.
    async fn outcome_of(&self, dead: &Session, mark: u64) -> Result<bool, StoreError> {
        let asker = self.pool.asker().await?;
        let dead = dead.live()?;
        dead.backend.bury(&asker.live()?.client).await?;
        let look = format!(
            "SELECT mark FROM transom.outcomes WHERE session = {}",
            dead.token
        );
        let found = asker.text(&look).await?;
        Ok(found.is_some_and(|m| m == mark.to_string()))
    }
}
