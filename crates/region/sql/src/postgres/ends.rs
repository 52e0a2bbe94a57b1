//! The end of a unit of work, and what became of a COMMIT whose answer was lost.
//!
//! What: one that decides is found by its mark; others by the note of their session, after that has
//! ended. A utility has no name of its own to note under: it goes by the number of the transaction,
//! which says nothing once the server has died. Not here: marks, notes.

use super::errors;
use super::marks;
use super::notes::Note;
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
    /// What it wrote, and the process of the server that served the session.
    Note(Note, String),
    /// Number of the transaction, and that process.
    Transaction(String, String),
}

impl Trace {
    /// Goes in front of the COMMIT.
    fn text(&self, shared: &Shared) -> String {
        match self {
            Self::Mark(uow) => marks::mark(&shared.system_key(), *uow),
            Self::Note(note, _) => note.text(),
            Self::Transaction(..) => String::new(),
        }
    }
}

impl Remote {
    /// Commits; with a mark of the unit of work where it decides.
    pub(super) fn end(&mut self, mark: Option<UowId>) -> Result<(), StoreError> {
        let unit = std::mem::take(&mut self.unit);
        self.looked = false;
        let lost = || StoreError::Unavailable("PostgreSQL: the connection was lost".to_owned());
        let closed = self
            .live
            .as_ref()
            .is_none_or(|live| live.client.is_closed());
        if unit.lost || unit.begun && closed {
            // A COMMIT over another connection would say that it is there.
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
        let trace = match mark {
            Some(uow) => Trace::Mark(uow),
            None if self.shared.is_region() => {
                self.commits += 1;
                let note = Note {
                    name: self.shared.name.clone(),
                    session: self.session,
                    number: self.commits,
                };
                Trace::Note(note, backend)
            }
            None => Trace::Transaction(unit.number.unwrap_or_default(), backend),
        };
        let text = format!(
            "{begun}{}{}COMMIT",
            trace.text(&self.shared),
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
            Trace::Note(note, backend) => shared.ask(async |client: &Client| {
                bury_one(client, backend).await?;
                note.is_there(client).await
            }),
            Trace::Transaction(number, backend) => shared.ask(async |client: &Client| {
                bury_one(client, backend).await?;
                by_number(client, number, backend).await
            }),
        };
        match found {
            Ok(true) => return Ok(()),
            Ok(false) => return Err(StoreError::Unavailable(why)),
            Err(error @ StoreError::Unknown(_)) => return Err(error),
            Err(error) if begin.elapsed() > OUTCOME_MAX => {
                return Err(StoreError::Unknown(format!("{why}; then {error}")));
            }
            Err(_) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_secs(2));
    }
}

/// By the number of the transaction. A server that has died since may have given it again.
async fn by_number(client: &Client, number: &str, backend: &str) -> Result<bool, StoreError> {
    let ask = format!("SELECT pg_xact_status('{number}'::xid8)");
    if text(client, &ask).await?.as_deref() != Some("committed") {
        return Ok(false);
    }
    let start = backend
        .split_once(' ')
        .map_or("-infinity", |(_, start)| start);
    let ask = format!(
        "SELECT bool_or(backend_start > '{start}') FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
    );
    match text(client, &ask).await?.as_deref() {
        Some("f") => Ok(true),
        _ => Err(StoreError::Unknown(
            "the server has died meanwhile".to_owned(),
        )),
    }
}
