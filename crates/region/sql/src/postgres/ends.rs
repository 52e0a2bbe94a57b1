//! The end of a unit of work, and what became of a COMMIT whose answer was lost.
//!
//! What: one that decides is found by its mark; others by the number of their transaction, after
//! the session that ran them has ended. Not here: marks.

use super::errors;
use super::marks;
use super::owner::{bury_one, text};
use super::remote::Remote;
use super::shared::Shared;
use std::time::{Duration, Instant};
use tokio_postgres::Client;
use transom_recovery::guard::lock;
use transom_recovery::{StoreError, UowId, fail_point};

/// How long a server that went away during a COMMIT is asked what became of it.
const OUTCOME_MAX: Duration = Duration::from_secs(30);

/// How a COMMIT can be recognised.
enum Trace {
    Mark(UowId),
    /// Number of the transaction, and the session that ran it.
    Transaction(String, String),
}

impl Remote {
    /// Commits; with a mark of the unit of work where it decides.
    pub(super) fn end(&mut self, mark: Option<UowId>) -> Result<(), StoreError> {
        let unit = std::mem::take(&mut self.unit);
        self.looked = false;
        let lost = || StoreError::Unavailable("PostgreSQL: the connection was lost".to_owned());
        if unit.lost {
            self.live = None;
            return Err(lost());
        }
        let begun = match (unit.begun, mark) {
            (true, _) => "",
            // Nothing to commit but the mark.
            (false, Some(_)) => "BEGIN; ",
            (false, None) => return Ok(()),
        };
        let (_, live) = self.connected()?;
        let backend = live.backend.clone();
        let old = match mark {
            Some(_) => std::mem::take(&mut *lock(&self.shared.old_marks)),
            None => Vec::new(),
        };
        let (marked, trace) = match mark {
            Some(uow) => (
                marks::mark(&self.shared.system_key(), uow),
                Trace::Mark(uow),
            ),
            None => (
                String::new(),
                Trace::Transaction(unit.number.unwrap_or_default(), backend),
            ),
        };
        let text = format!(
            "{begun}{marked}{}COMMIT",
            marks::delete(&self.shared.system_key(), &old)
        );
        // Only a kill is possible here.
        let _ = fail_point("sql-commit");
        let ended = self.batch(&text);
        let _ = fail_point("sql-committed");
        let Err(error) = ended else { return Ok(()) };
        lock(&self.shared.old_marks).extend(old);
        if errors::of_server(&error).is_some() {
            // Nothing was committed; what follows is another transaction.
            if self.batch("ROLLBACK").is_err() {
                self.live = None;
            }
            return Err(errors::of_store(&error));
        }
        self.live = None;
        outcome(&self.shared, &trace, errors::text(&error))
    }
}

/// What became of a COMMIT. Asks until the server answers, for a while. Blocks.
fn outcome(shared: &Shared, trace: &Trace, why: String) -> Result<(), StoreError> {
    let begin = Instant::now();
    let mut pause = Duration::from_millis(50);
    loop {
        let found = match trace {
            Trace::Mark(uow) => shared.has_decided(*uow),
            Trace::Transaction(number, backend) => shared.ask(async |client: &Client| {
                bury_one(client, backend).await?;
                let ask = format!("SELECT pg_xact_status('{number}'::xid8)");
                Ok(text(client, &ask).await?.as_deref() == Some("committed"))
            }),
        };
        match found {
            Ok(true) => return Ok(()),
            Ok(false) => return Err(StoreError::Unavailable(why)),
            Err(error) if begin.elapsed() > OUTCOME_MAX => {
                return Err(StoreError::Unknown(format!("{why}; then {error}")));
            }
            Err(_) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_secs(2));
    }
}
