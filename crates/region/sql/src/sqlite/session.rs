//! A session: the statements of one task.
//!
//! What: outside of a unit of work that changes something each statement sees what is committed
//! (cursor stability); with its first change a session gets the turn to write and keeps it to the
//! end of the unit of work. Not here: the thread it runs on, the coordinator.

use super::catalog::{self, Tables};
use super::cursor::Cursor;
use super::functions::Taken;
use super::plan::{Plan, Ran};
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
use transom_sql::{Kind, Type};
use transom_wire::sql::{Request, SqlAnswer, SqlInput};

/// Plans a session keeps; beyond that it begins again.
const PLANS_MAX: usize = 2_000;

/// One session.
pub(super) struct Session {
    pub(super) shared: Arc<Shared>,
    abandoned: Arc<AtomicBool>,
    pub(super) connection: Connection,
    /// Numbers of sequences its statements took.
    pub(super) taken: Arc<Mutex<Taken>>,
    tables: Arc<Tables>,
    /// Of the schema [`Session::tables`] is.
    schema: i64,
    plans: HashMap<(String, Vec<i64>), Arc<Plan>>,
    /// It has the turn to write, and a transaction.
    writes: bool,
    pub(super) cursors: HashMap<String, Cursor>,
    /// Texts of prepared statements.
    prepared: HashMap<String, String>,
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
            writes: false,
            cursors: HashMap::new(),
            prepared: HashMap::new(),
        })
    }

    /// The statement for values of these types.
    pub(super) fn plan(&mut self, text: &str, inputs: &[SqlInput]) -> Result<Arc<Plan>, SqlAnswer> {
        self.look_at_schema()
            .map_err(|e| errors::answer(&e, false))?;
        let codes: Vec<i64> = inputs.iter().map(|input| input.kind).collect();
        let key = (text.to_owned(), codes);
        if let Some(plan) = self.plans.get(&key) {
            return Ok(plan.clone());
        }
        let kind = |code: &i64| Type::from_code(*code).unwrap_or_default();
        let kinds: Vec<Type> = key.1.iter().map(kind).collect();
        let plan = Plan::of(text, &kinds, &self.tables)?;
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
            ..errors::coded(if back_out { -911 } else { -913 }, errors::timeout_tokens())
        }
    }

    /// Gives the turn back; what was changed and not committed is undone.
    fn leave(&mut self) {
        if !self.connection.is_autocommit() {
            // A connection that cannot even do this is closed with its session.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        self.writes = false;
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
    fn lost(&self) -> bool {
        self.writes && self.connection.is_autocommit()
    }

    fn answer(&mut self, request: Request) -> Result<SqlAnswer, SqlAnswer> {
        match request {
            Request::Select { text, inputs } => self.select(&text, &inputs),
            Request::Execute {
                text,
                program,
                inputs,
            } => self.execute(&text, &program, &inputs),
            Request::Open {
                cursor,
                text,
                inputs,
            } => self.open_cursor(&cursor, &text, &inputs),
            Request::Fetch { cursor, to, rows } => self.fetch(&cursor, to, rows),
            Request::Close(cursor) => match self.cursors.remove(&cursor) {
                Some(_) => Ok(SqlAnswer::done()),
                None => Err(errors::coded(-501, Vec::new())),
            },
            Request::Prepare { name, text } => {
                self.plan(&text, &[])?;
                self.prepared.insert(name, text);
                Ok(SqlAnswer::done())
            }
            Request::ExecutePrepared { name, inputs } => {
                let text = self.prepared_text(&name)?;
                let program = name.split('.').next().unwrap_or_default().to_owned();
                self.execute(&text, &program, &inputs)
            }
            Request::OpenPrepared {
                cursor,
                name,
                inputs,
            } => {
                let text = self.prepared_text(&name)?;
                self.open_cursor(&cursor, &text, &inputs)
            }
        }
    }

    fn prepared_text(&self, name: &str) -> Result<String, SqlAnswer> {
        let text = self.prepared.get(name).cloned();
        text.ok_or_else(|| errors::coded(-514, vec![name.to_owned()]))
    }

    fn select(&mut self, text: &str, inputs: &[SqlInput]) -> Result<SqlAnswer, SqlAnswer> {
        let plan = self.plan(text, inputs)?;
        // The second row is looked for, but not read.
        let ran = self.run_plan(&plan, inputs, None, Some(2))?;
        let Ran { mut rows, .. } = ran;
        match rows.len() {
            0 => Ok(SqlAnswer::of(100, *b"02000")),
            1 => Ok(SqlAnswer {
                rows: std::mem::take(&mut rows),
                ..SqlAnswer::done()
            }),
            _ => Err(errors::coded(-811, Vec::new())),
        }
    }

    fn execute(
        &mut self,
        text: &str,
        program: &str,
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        let plan = self.plan(text, inputs)?;
        let kind = &plan.statement.kind;
        if let Kind::Commit { .. } | Kind::Rollback { .. } = kind {
            let code = if matches!(kind, Kind::Commit { .. }) {
                -925
            } else {
                -926
            };
            return Err(errors::coded(code, Vec::new()));
        }
        let current = match kind {
            Kind::Update { current } | Kind::Delete { current } => current.as_ref(),
            _ => None,
        };
        let cursor = current.map(|current| format!("{program}.{}", current.cursor));
        let row = match &cursor {
            Some(name) => Some(self.row_of(name)?),
            None => None,
        };
        let ran = self.run_plan(&plan, inputs, row, None)?;
        if let (Kind::Delete { .. }, Some(cursor)) =
            (kind, cursor.and_then(|c| self.cursors.get_mut(&c)))
        {
            cursor.deleted();
        }
        self.keep_definition(&plan, text)?;
        let changes = matches!(
            kind,
            Kind::Insert { .. } | Kind::Update { .. } | Kind::Delete { .. } | Kind::Merge
        );
        let mut answer = match changes && ran.changed == 0 {
            true => SqlAnswer::of(100, *b"02000"),
            false => SqlAnswer::done(),
        };
        if changes {
            answer.count = u32::try_from(ran.changed).unwrap_or(u32::MAX);
        }
        answer.rows = ran.rows;
        Ok(answer)
    }

    fn keep_definition(&mut self, plan: &Plan, text: &str) -> Result<(), SqlAnswer> {
        let kind = &plan.statement.kind;
        if !matches!(
            kind,
            Kind::CreateTable(_)
                | Kind::AlterTable(_)
                | Kind::CreateView(_)
                | Kind::CreateSequence { .. }
                | Kind::Drop { .. }
        ) {
            return Ok(());
        }
        self.begin()?;
        let kept = catalog::keep(&self.connection, kind, text, &self.shared.sequences);
        kept.map_err(|e| errors::answer(&e, false))?;
        // A sequence changes no schema of the engine.
        self.schema = -1;
        Ok(())
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
        self.cursors.retain(|_, cursor| cursor.hold);
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
