//! A session: the statements of one task.
//!
//! What: outside of a unit of work that changes something each statement sees what is committed
//! (cursor stability); with its first change a session gets the turn to write and keeps it to the
//! end of the unit of work. Not here: the thread it runs on, the coordinator.

use super::catalog::{self, Tables};
use super::cursor::Opened;
use super::functions::Taken;
use super::names::Names;
use super::plan::Plan;
use super::shared::Shared;
use super::{errors, open};
use crate::gate::Refused;
use crate::session::SqlSession;
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use transom_recovery::guard::lock;
use transom_recovery::{Part, StoreError, UowId};
use transom_sql::Type;
use transom_wire::sql::{Request, SqlAnswer, SqlInput};

/// Plans a session keeps; beyond that it begins again.
const PLANS_MAX: usize = 2_000;

/// A prepared statement: names in it are those of the moment it was prepared in.
#[derive(Clone)]
pub(super) struct Prepared {
    pub(super) text: String,
    pub(super) schema: Arc<str>,
}

/// One session.
pub(super) struct Session {
    pub(super) shared: Arc<Shared>,
    abandoned: Arc<AtomicBool>,
    pub(super) connection: Connection,
    /// Numbers of sequences its statements took.
    pub(super) taken: Arc<Mutex<Taken>>,
    pub(super) tables: Arc<Tables>,
    /// Of the schema [`Session::tables`] is.
    pub(super) schema: i64,
    plans: HashMap<(Arc<str>, String, Vec<i64>), Arc<Plan>>,
    /// Schemas of names, and special registers.
    pub(super) names: Names,
    /// It has the turn to write, and a transaction.
    writes: bool,
    pub(super) cursors: HashMap<String, Opened>,
    /// Names of savepoints, the last one last.
    pub(super) savepoints: Vec<String>,
    pub(super) prepared: HashMap<String, Prepared>,
}

impl Session {
    pub(super) fn open(
        shared: Arc<Shared>,
        abandoned: Arc<AtomicBool>,
    ) -> Result<Self, StoreError> {
        let taken = Arc::new(Mutex::default());
        let connection = open::connection(&shared.options, &shared.sequences, &taken)?;
        Ok(Self {
            shared,
            abandoned,
            connection,
            taken,
            tables: Arc::default(),
            schema: -1,
            plans: HashMap::new(),
            names: Names::default(),
            writes: false,
            cursors: HashMap::new(),
            savepoints: Vec::new(),
            prepared: HashMap::new(),
        })
    }

    /// The statement for values of these types.
    pub(super) fn plan(
        &mut self,
        (text, schema): (&str, &Arc<str>),
        inputs: &[SqlInput],
    ) -> Result<Arc<Plan>, SqlAnswer> {
        self.look_at_schema()
            .map_err(|e| errors::answer(&e, false))?;
        let codes: Vec<i64> = inputs.iter().map(|input| input.kind).collect();
        let key = (schema.clone(), text.to_owned(), codes);
        if let Some(plan) = self.plans.get(&key) {
            return Ok(plan.clone());
        }
        let kind = |code: &i64| Type::from_code(*code).unwrap_or_default();
        let kinds: Vec<Type> = key.2.iter().map(kind).collect();
        let plan = Plan::of(text, &kinds, (&self.tables, schema))?;
        if self.plans.len() >= PLANS_MAX {
            self.plans.clear();
        }
        self.plans.insert(key, plan.clone());
        Ok(plan)
    }

    /// Reads the catalog again when somebody has changed the schema.
    fn look_at_schema(&mut self) -> rusqlite::Result<()> {
        let schema = self
            .connection
            .prepare_cached("PRAGMA schema_version")?
            .query_row([], |row| row.get(0))?;
        if schema != self.schema {
            self.tables = Arc::new(Tables::read(&self.connection, &self.shared.sequences)?);
            self.plans.clear();
            self.schema = schema;
        }
        Ok(())
    }

    /// Gets the turn to write; the error is the answer to the statement.
    pub(super) fn begin(&mut self) -> Result<(), SqlAnswer> {
        if self.writes {
            return Ok(());
        }
        let wait = self.shared.options.lock_wait;
        match self.shared.gate.enter(wait, &self.abandoned) {
            Ok(()) => {}
            Err(Refused::Timeout | Refused::Abandoned) => return Err(self.timeout()),
        }
        let old = std::mem::take(&mut *lock(&self.shared.old_marks));
        let begun = self
            .connection
            .execute_batch("BEGIN IMMEDIATE")
            .and_then(|()| {
                let mut delete = self
                    .connection
                    .prepare_cached("DELETE FROM transom_mark WHERE uow = ?1")?;
                old.iter()
                    .try_for_each(|mark| delete.execute([mark]).map(drop))
            });
        if let Err(error) = begun {
            lock(&self.shared.old_marks).extend(old);
            self.leave();
            let answer = errors::answer(&error, false);
            return Err(match answer.code {
                -913 => self.timeout(),
                _ => answer,
            });
        }
        self.writes = true;
        Ok(())
    }

    /// -911 with all backed out, or -913.
    fn timeout(&self) -> SqlAnswer {
        let back_out = self.shared.options.back_out;
        SqlAnswer {
            back_out,
            ..errors::timed_out(if back_out { -911 } else { -913 })
        }
    }

    /// Gives the turn back; what was changed and not committed is undone.
    fn leave(&mut self) {
        if !self.connection.is_autocommit() {
            // A connection that cannot even do this is closed with its session.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        self.writes = false;
        self.savepoints.clear();
        self.shared.gate.leave();
    }

    /// Writes numbers that a statement took, with the unit of work.
    pub(super) fn keep_numbers(&mut self) -> Result<(), SqlAnswer> {
        let changed = std::mem::take(&mut lock(&self.taken).changed);
        if changed.is_empty() {
            return Ok(());
        }
        self.begin()?;
        for name in changed {
            if let Some(next) = self.shared.sequences.next_of(&name) {
                let kept = catalog::keep_next(&self.connection, &name, next);
                kept.map_err(|e| errors::answer(&e, false))?;
            }
        }
        Ok(())
    }

    /// The engine itself has given up the transaction.
    pub(super) fn lost(&self) -> bool {
        self.writes && self.connection.is_autocommit()
    }
}

impl SqlSession for Session {
    fn run(&mut self, request: Request) -> SqlAnswer {
        let mut answer = self.answer(request).unwrap_or_else(|answer| answer);
        if self.lost() {
            self.leave();
            answer.back_out = true;
        }
        answer.touched = self.part() != Part::None;
        answer
    }

    fn part(&self) -> Part {
        match (self.writes, self.cursors.is_empty()) {
            (true, _) => Part::Changes,
            (false, false) => Part::Locks,
            (false, true) => Part::None,
        }
    }

    fn commit(&mut self, mark: Option<UowId>) -> Result<(), StoreError> {
        if self.writes {
            let marked = match mark {
                Some(uow) => self
                    .connection
                    .prepare_cached("INSERT INTO transom_mark VALUES (?1)")
                    .and_then(|mut insert| insert.execute([&uow.to_bytes()[..]]))
                    .map(drop),
                None => Ok(()),
            };
            let ended = marked.and_then(|()| self.connection.execute_batch("COMMIT"));
            self.leave();
            ended.map_err(|e| errors::of_store(&e))?;
        }
        self.cursors.retain(|_, opened| opened.cursor.from.hold);
        Ok(())
    }

    fn backout(&mut self) -> Result<(), StoreError> {
        if self.writes {
            self.leave();
        }
        self.cursors.clear();
        match self.connection.is_autocommit() {
            true => Ok(()),
            false => Err(StoreError::Closed),
        }
    }

    fn reset(&mut self) {
        self.prepared.clear();
        self.names = Names::default();
        *lock(&self.taken) = Taken::default();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.writes {
            self.leave();
        }
    }
}
