//! What SQLite does for a session.
//!
//! What: with its first change a session gets the turn to write and keeps it to the end of the unit
//! of work. Not here: running a text (`run`), what a session keeps (`statements`).

use super::functions::{Counter, Taken};
use super::shared::Shared;
use super::{errors, open};
use crate::gate::Refused;
use crate::statements::{Counted, Defined, Driver, Kept, Object, Qualifiers, Ran, Resource, Run};
use crate::statements::{Session, Tables};
use rusqlite::{Connection, params};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use transom_recovery::guard::lock;
use transom_recovery::{StoreError, UowId};
use transom_sql::{Dialect, Numbers};
use transom_wire::sql::SqlAnswer;

/// A connection with what its session has of the database.
pub(super) struct Embedded {
    pub(super) shared: Arc<Shared>,
    abandoned: Arc<AtomicBool>,
    pub(super) connection: Connection,
    /// Numbers of sequences its statements took.
    taken: Arc<Mutex<Taken>>,
    /// It has the turn to write, and a transaction.
    writes: bool,
}

/// A session on the database.
pub(super) fn session(
    shared: Arc<Shared>,
    abandoned: Arc<AtomicBool>,
) -> Result<Session<Embedded>, StoreError> {
    let taken = Arc::new(Mutex::default());
    let connection = open::connection(&shared.options, &shared.sequences, &taken)?;
    Ok(Session::new(Embedded {
        shared,
        abandoned,
        connection,
        taken,
        writes: false,
    }))
}

impl Embedded {
    /// -911 with all backed out, or -913.
    fn timeout(&self) -> SqlAnswer {
        let back_out = self.shared.options.back_out;
        SqlAnswer {
            back_out,
            ..Self::RESOURCE.timed_out(if back_out { -911 } else { -913 })
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

    fn read(&self) -> rusqlite::Result<Tables> {
        let mut all = self.connection.prepare_cached(
            "SELECT kind, name, text, schema FROM transom_object \
             ORDER BY kind = 'ALTER', substr(name, -9), kind, name",
        )?;
        let objects = all.query_map([], |row| {
            Ok(Object {
                kind: row.get(0)?,
                name: row.get(1)?,
                text: row.get(2)?,
                schema: row.get::<_, Option<String>>(3)?.unwrap_or_default(),
            })
        })?;
        let objects: Vec<Object> = objects.collect::<rusqlite::Result<_>>()?;
        let (tables, counted) = Tables::of(objects.into_iter(), Dialect::Sqlite);
        for Counted {
            name,
            numbers,
            next,
        } in counted
        {
            self.shared.sequences.define(&name, counter(&numbers, next));
        }
        Ok(tables)
    }

    fn keep_one(&self, defined: &Defined<'_>, kept: &Kept) -> rusqlite::Result<()> {
        let put = |kind: &str, name: &str| {
            self.connection
                .execute(
                    "INSERT OR REPLACE INTO transom_object VALUES (?1, ?2, ?3, ?4)",
                    params![kind, name, defined.text, defined.schema],
                )
                .map(drop)
        };
        match kept {
            Kept::Put(kind, name) => put(kind, name),
            Kept::Alter(name) => {
                let number: i64 = self.connection.query_row(
                    "SELECT COALESCE(MAX(CAST(substr(name, -9) AS INTEGER)), -1) + 1 \
                     FROM transom_object WHERE kind = 'ALTER'",
                    [],
                    |row| row.get(0),
                )?;
                put("ALTER", &format!("{name}\u{1F}{number:09}"))
            }
            Kept::Delete(kind, name) => self.delete(kind, name),
            Kept::DeleteAlters(name) => self
                .connection
                .execute(
                    "DELETE FROM transom_object WHERE kind = 'ALTER' \
                     AND substr(name, 1, length(?1) + 1) = ?1 || char(31)",
                    [name],
                )
                .map(drop),
            // Who reads the definition takes it up.
            Kept::Count(..) => Ok(()),
            Kept::Uncount(name) => {
                self.shared.sequences.forget(name);
                self.delete("NEXT", name)
            }
        }
    }

    fn delete(&self, kind: &str, name: &str) -> rusqlite::Result<()> {
        let mut delete = self
            .connection
            .prepare_cached("DELETE FROM transom_object WHERE kind = ?1 AND name = ?2")?;
        delete.execute([kind, name]).map(drop)
    }

    fn keep_next(&self, name: &str, next: i64) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO transom_object VALUES ('NEXT', ?1, ?2, '')")?
            .execute(params![name, next.to_string()])
            .map(drop)
    }
}

fn counter(numbers: &Numbers, next: Option<i64>) -> Counter {
    Counter {
        next: next.or(numbers.start).unwrap_or(1),
        step: numbers.increment.unwrap_or(1),
    }
}

impl Driver for Embedded {
    const DIALECT: Dialect = Dialect::Sqlite;
    const RESOURCE: Resource = errors::RESOURCE;

    fn qualifiers(&self) -> &Qualifiers {
        &self.shared.options.qualifiers
    }

    fn schema(&mut self) -> Result<i64, SqlAnswer> {
        let version = self
            .connection
            .prepare_cached("PRAGMA schema_version")
            .and_then(|mut ask| ask.query_row([], |row| row.get(0)));
        version.map_err(|e| errors::answer(&e, false))
    }

    fn tables(&mut self) -> Result<Tables, SqlAnswer> {
        self.read().map_err(|e| errors::answer(&e, false))
    }

    fn clock(&self) -> &Connection {
        &self.connection
    }

    fn last_identity(&mut self) -> Result<Option<i64>, SqlAnswer> {
        Ok(lock(&self.taken).last_identity)
    }

    /// Gets the turn to write.
    fn begin(&mut self) -> Result<(), SqlAnswer> {
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

    fn writes(&self) -> bool {
        self.writes
    }

    fn run(&mut self, run: &Run<'_>) -> Result<Ran, SqlAnswer> {
        self.run_text(run)
    }

    /// Writes numbers that a statement took, with the unit of work.
    fn ran(&mut self) -> Result<(), SqlAnswer> {
        let changed = std::mem::take(&mut lock(&self.taken).changed);
        if changed.is_empty() {
            return Ok(());
        }
        self.begin()?;
        for name in changed {
            if let Some(next) = self.shared.sequences.next_of(&name) {
                let kept = self.keep_next(&name, next);
                kept.map_err(|e| errors::answer(&e, false))?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, text: &str) -> Result<(), SqlAnswer> {
        let told = self.connection.execute_batch(text);
        told.map_err(|e| errors::answer(&e, false))
    }

    /// Who has the turn to write keeps all others from changing any table.
    fn lock_table(&mut self, _: &str, _: bool) -> Result<(), SqlAnswer> {
        self.begin()
    }

    fn keep(&mut self, defined: &Defined<'_>, kept: &[Kept]) -> Result<(), SqlAnswer> {
        let mut kept = kept.iter();
        let done = kept.try_for_each(|one| self.keep_one(defined, one));
        done.map_err(|e| errors::answer(&e, false))
    }

    fn lost(&self) -> bool {
        self.writes && self.connection.is_autocommit()
    }

    fn give_up(&mut self) {
        self.leave();
    }

    fn commit(&mut self, mark: Option<UowId>) -> Result<(), StoreError> {
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
        ended.map_err(|e| errors::of_store(&e))
    }

    fn backout(&mut self) -> Result<(), StoreError> {
        if self.writes {
            self.leave();
        }
        match self.connection.is_autocommit() {
            true => Ok(()),
            false => Err(StoreError::Closed),
        }
    }

    fn reset(&mut self) {
        *lock(&self.taken) = Taken::default();
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        if self.writes {
            self.leave();
        }
    }
}
