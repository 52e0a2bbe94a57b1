//! A session with the server: its connection, and texts that run in its unit of work.
//!
//! What: the connection is made with the first statement, and made again when it died before the
//! unit of work has changed anything. Not here: what a session keeps (`statements`), the end of a
//! unit of work (`ends`), definitions.

use super::errors;
use super::live::{Asked, Failed, Live};
use super::results::NoValue;
use super::shared::{Shared, runtime};
use super::unit::Unit;
use crate::statements::{Ran, Session, coded};
use rusqlite::Connection;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_postgres::Error;
use transom_recovery::{StoreError, fail_point};
use transom_sql::Rewritten;
use transom_wire::sql::{SqlAnswer, SqlRow};

/// How often a statement that waits looks whether its task is gone.
const LOOK: Duration = Duration::from_secs(1);

/// A connection with what its session has of the server.
pub(super) struct Remote {
    pub(super) shared: Arc<Shared>,
    abandoned: Arc<AtomicBool>,
    runtime: Option<Runtime>,
    pub(super) live: Option<Live>,
    pub(super) unit: Unit,
    /// Number of the session among those of the region.
    pub(super) session: u64,
    /// Units of work it has tried to commit.
    pub(super) commits: u64,
    /// Local time, as the embedded engine tells it.
    pub(super) clock: Connection,
    /// Of the schema, when it was last looked at.
    pub(super) version: i64,
    /// Looked at in this unit of work.
    pub(super) looked: bool,
}

/// A session on the server.
pub(super) fn session(
    shared: Arc<Shared>,
    abandoned: Arc<AtomicBool>,
) -> Result<Session<Remote>, StoreError> {
    let clock = Connection::open_in_memory().map_err(|e| StoreError::Io(e.to_string()))?;
    let session = shared.next.fetch_add(1, Ordering::Relaxed);
    Ok(Session::new(Remote {
        session,
        commits: 0,
        shared,
        abandoned,
        runtime: None,
        live: None,
        unit: Unit::default(),
        clock,
        version: 0,
        looked: false,
    }))
}

/// The server has given up the connection, or the server's own words.
enum Refused {
    Lost(String),
    Answer(SqlAnswer),
}

impl Remote {
    /// What runs and the connection; connects where there is none, and nothing is lost with that.
    pub(super) fn connected(&mut self) -> Result<(&Runtime, &mut Live), StoreError> {
        let runtime = match self.runtime.take() {
            Some(runtime) => runtime,
            None => runtime()?,
        };
        let runtime = self.runtime.insert(runtime);
        let live = match self.live.take().filter(|live| !live.client.is_closed()) {
            Some(live) => live,
            None if self.unit.begun => {
                let text = "PostgreSQL: the connection was lost";
                return Err(StoreError::Unavailable(text.to_owned()));
            }
            None => {
                let shared = &self.shared;
                let (config, tls) = (&shared.config, &shared.tls);
                let made = Live::connect(config, tls, shared.options.lock_wait);
                runtime.block_on(made).map_err(|e| errors::of_store(&e))?
            }
        };
        Ok((runtime, self.live.insert(live)))
    }

    /// Runs a text in its unit of work. A connection that died before it has done anything for the
    /// unit of work is made again, once.
    pub(super) fn ask(&mut self, asked: &Asked<'_>, deletes: bool) -> Result<Ran, SqlAnswer> {
        let mut again = true;
        loop {
            if self.unit.lost {
                return Err(errors::gone("the connection was lost"));
            }
            let begun = self.unit.begun;
            // Only a death is possible here.
            let _ = fail_point("sql-statement");
            let refused = match self.attempt(asked, deletes) {
                Ok(ran) => return Ok(ran),
                Err(refused) => refused,
            };
            match refused {
                Refused::Answer(answer) => return Err(answer),
                Refused::Lost(_) if again && !begun => {
                    again = false;
                    self.unit.restart();
                }
                Refused::Lost(why) => {
                    self.live = None;
                    self.unit.lost = begun;
                    return Err(match begun {
                        true => errors::gone(&why),
                        false => errors::not_up(&why),
                    });
                }
            }
            self.live = None;
        }
    }

    fn attempt(&mut self, asked: &Asked<'_>, deletes: bool) -> Result<Ran, Refused> {
        let before = self.unit.before();
        let (shared, abandoned) = (self.shared.clone(), self.abandoned.clone());
        let back_out = shared.options.back_out;
        let (runtime, live) = self.connected().map_err(|e| Refused::Lost(e.to_string()))?;
        let cancel = live.cancel_token();
        let (guard, ran) = runtime.block_on(async {
            let mut work = pin!(live.run(before.as_deref(), asked));
            loop {
                let woken = shared.woken.notified();
                tokio::select! {
                    done = &mut work => break done,
                    () = woken => {}
                    () = tokio::time::sleep(LOOK) => {}
                }
                if abandoned.load(Ordering::SeqCst) {
                    // A statement that cannot be cancelled ends by itself.
                    let _ = cancel.cancel_query(shared.tls.clone()).await;
                }
            }
        });
        let lost = |error: &Error| Refused::Lost(errors::text(error));
        match guard {
            Ok(number) if before.is_some() => {
                self.unit.guarded();
                self.unit.number = self.unit.number.take().or(number);
            }
            Ok(_) => {}
            Err(error) => return Err(lost(&error)),
        }
        let error = match ran {
            Ok(ran) => return Ok(ran),
            Err(error) => error,
        };
        let answer = match &error {
            Failed::Server(error) => match errors::of_server(error) {
                Some(detail) => errors::answer(detail, deletes, back_out),
                None => return Err(lost(error)),
            },
            Failed::Value(_, NoValue::Overflow) => {
                coded(-802, vec!["FIXED POINT OVERFLOW".to_owned()])
            }
            Failed::Value(column, NoValue::Damaged) => damaged(*column),
            Failed::TooMany => {
                let text = "the rows of a result are more than fit in storage";
                errors::RESOURCE.unavailable("00C90084", text)
            }
        };
        if matches!(answer.code, -204 | -206 | -84 | -901)
            && let Some(live) = &mut self.live
        {
            // What statements name may have been made anew.
            live.forget();
            self.looked = false;
        }
        if let Some(undo) = self.unit.undo() {
            self.batch(&undo).map_err(|e| lost(&e))?;
        }
        Err(Refused::Answer(answer))
    }

    /// Texts without values or rows.
    pub(super) fn batch(&mut self, text: &str) -> Result<(), Error> {
        match (&self.runtime, &self.live) {
            (Some(runtime), Some(live)) => runtime.block_on(live.client.batch_execute(text)),
            // Nothing was begun.
            _ => Ok(()),
        }
    }

    /// A text of Transom's own, in the unit of work.
    pub(super) fn own(&mut self, text: &str) -> Result<Ran, SqlAnswer> {
        let rewritten = Rewritten {
            text: text.to_owned(),
            ..Rewritten::default()
        };
        let asked = Asked {
            rewritten: &rewritten,
            suffix: "",
            sent: &[],
            kinds: &[],
            most: None,
        };
        self.ask(&asked, false)
    }

    /// Texts of the rows of a text of Transom's own.
    pub(super) fn texts(&mut self, text: &str) -> Result<Vec<Vec<String>>, SqlAnswer> {
        let ran = self.own(text)?;
        let row = |row: SqlRow| row.values.iter().map(ToString::to_string).collect();
        Ok(ran.rows.into_iter().map(row).collect())
    }
}

fn damaged(column: usize) -> SqlAnswer {
    let text = format!("column {} holds no value of its type", column + 1);
    SqlAnswer {
        text: text.clone(),
        ..coded(-901, vec![text])
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.live = None;
        if let Some(runtime) = self.runtime.take() {
            // Nobody waits for the end of its connection.
            runtime.shutdown_background();
        }
    }
}
