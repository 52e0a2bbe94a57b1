//! What SQLite does for a session.
//!
//! What: with its first change a session gets the turn to write and keeps it to the end of the unit
//! of work. Not here: running a text (`run`), what a session keeps (`statements`).

use super::commits::Commits;
use super::functions::{Counter, Taken};
use super::hurry::{self, Hurry};
use super::shared::{Shared, Writing};
use super::syncs::Syncs;
use super::{catalog, checkpoints, errors, open, run, straight};
use crate::gate::Refused;
use crate::statements::{Counted, Defined, Driver, Kept, Passing, Qualifiers, Ran, Resource, Run};
use crate::statements::{Session, Tables, not_up};
use rusqlite::Connection;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use transom_recovery::guard::lock;
use transom_recovery::{StoreError, UowId, fail_point};
use transom_sql::Dialect;
use transom_wire::sql::SqlAnswer;

/// Connections with what their session has of the database.
pub(super) struct Embedded {
    pub(super) shared: Arc<Shared>,
    abandoned: Arc<AtomicBool>,
    /// For what it reads out of its turn.
    reader: Connection,
    /// Numbers of sequences its statements took.
    taken: Arc<Mutex<Taken>>,
    /// In its turn to write, in which there is a transaction.
    writer: Option<Writing>,
    hurry: Hurry,
}

/// A session on the database.
pub(super) fn session(
    shared: Arc<Shared>,
    abandoned: Arc<AtomicBool>,
) -> Result<Session<Embedded>, StoreError> {
    let taken = Arc::new(Mutex::default());
    let how = (&shared.options, shared.syncs);
    let reader = open::connection(how, &shared.sequences, &taken)?;
    Ok(Session::new(Embedded {
        shared,
        abandoned,
        reader,
        taken,
        writer: None,
        hurry: Hurry::default(),
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

    /// The connection for what it does now.
    pub(super) fn connection(&self) -> &Connection {
        self.writer
            .as_ref()
            .map_or(&self.reader, |one| &one.connection)
    }

    /// The connection that changes the database, in the turn to write.
    fn take_writer(&self) -> Result<Writing, SqlAnswer> {
        let shared = &*self.shared;
        let kept = lock(&shared.writer).take();
        let writer = match kept {
            Some(writer) => writer,
            None => {
                let made = open::writer((&shared.options, shared.syncs), &shared.sequences);
                made.map_err(|e| not_up(&e.to_string()))?
            }
        };
        std::mem::swap(&mut *lock(&writer.taken), &mut *lock(&self.taken));
        Ok(writer)
    }

    /// Gives the turn back; what was changed and not committed is undone.
    fn leave(&mut self) {
        if let Some(writer) = self.writer.take() {
            if !writer.connection.is_autocommit() {
                // One that cannot even do this is closed.
                let _ = writer.connection.execute_batch("ROLLBACK");
            }
            std::mem::swap(&mut *lock(&writer.taken), &mut *lock(&self.taken));
            if writer.connection.is_autocommit() {
                *lock(&self.shared.writer) = Some(writer);
            }
        }
        self.shared.gate.leave();
    }

    /// Waits until what was read out of the turn to write is on the device: nobody speaks of a
    /// commit that a power failure could undo.
    fn settled(&mut self) -> Result<(), SqlAnswer> {
        if self.writer.is_some() {
            return Ok(());
        }
        if self.hurry.is_on() {
            let settled = self.shared.syncs == Syncs::Together && self.shared.flushes.all_durable();
            return match settled || !self.hurry.refuses() {
                true => Ok(()),
                false => Err(errors::elsewhere()),
            };
        }
        if self.shared.syncs == Syncs::Together {
            return self.shared.flushes.seen();
        }
        // A region beside this process may have committed something and wait for it.
        let commits = Commits::look(&self.shared.options.file);
        if commits.is_some_and(|commits| commits.wait()) {
            let flushed = self.shared.flushes.now();
            flushed.map_err(|error| not_up(error.as_ref()))?;
        }
        Ok(())
    }

    /// COMMIT, and the turn is the next one's; then waits for the device.
    fn end(&mut self, number: u64) -> Result<(), StoreError> {
        let shared = self.shared.clone();
        let _ = checkpoints::counted();
        let ended = hurry::tell(self.connection(), "COMMIT");
        let pages = checkpoints::counted();
        shared.flushes.written(number, pages > 0);
        if let Some(checkpoints) = shared.checkpoints.as_ref().filter(|_| pages > 0) {
            checkpoints.after(pages);
        }
        self.leave();
        ended.map_err(|e| errors::of_store(&e))?;
        // Only a death is possible here.
        let _ = fail_point("sql-written");
        shared.flushes.durable(number)
    }

    /// A text that changes something runs in the turn to write.
    fn turn_for(&mut self, run: &Run<'_>) -> Result<(), SqlAnswer> {
        match self.writes() || run::only_reads(self.connection(), run)? {
            true => Ok(()),
            false => self.begin(),
        }
    }

    fn read(&self) -> rusqlite::Result<Tables> {
        let (tables, counted) = catalog::read(self.connection())?;
        for Counted {
            name,
            numbers,
            next,
        } in counted
        {
            self.shared
                .sequences
                .define(&name, Counter::of(&numbers, next));
        }
        Ok(tables)
    }

    /// In the turn to write it is with the connection that takes the numbers.
    fn taken(&self) -> &Mutex<Taken> {
        self.writer.as_ref().map_or(&self.taken, |one| &one.taken)
    }

    /// In the turn; `old` are marks that may be deleted.
    fn begin_with(&mut self, old: &[Vec<u8>]) -> Result<(), SqlAnswer> {
        if let Some(refused) = self.shared.flushes.refuses() {
            return Err(refused);
        }
        let writer = self.take_writer()?;
        let writer = self.writer.insert(writer);
        let connection = &writer.connection;
        let begun = hurry::tell(connection, "BEGIN IMMEDIATE").and_then(|()| {
            if !old.is_empty() {
                let delete = "DELETE FROM transom_mark WHERE uow = ?1";
                let mut delete = connection.prepare_cached(delete)?;
                old.iter()
                    .try_for_each(|mark| delete.execute([mark]).map(drop))?;
            }
            connection
                .prepare_cached("PRAGMA data_version")?
                .query_row([], |row| row.get(0))
        });
        let version: i64 = begun.map_err(|e| errors::answer(&e, false))?;
        if writer.version.replace(version) != Some(version) {
            let told = self.shared.flushes.others_committed();
            told.map_err(|e| not_up(&e.to_string()))?;
        }
        Ok(())
    }
}

/// SQLite's own table of definitions.
const SCHEMA: &str = "UPDATE sqlite_schema";

impl Driver for Embedded {
    const DIALECT: Dialect = Dialect::Sqlite;
    const RESOURCE: Resource = errors::RESOURCE;
    const IS_READ: bool = true;
    const HAS_SHORT: bool = true;

    fn qualifiers(&self) -> &Qualifiers {
        &self.shared.options.qualifiers
    }

    fn schema(&mut self) -> Result<i64, SqlAnswer> {
        let version = match self.hurry.is_on() {
            true => self.hurry.schema(&self.reader),
            false => hurry::version(self.connection()),
        };
        version.map_err(|e| errors::answer(&e, false))
    }

    fn tables(&mut self) -> Result<Tables, SqlAnswer> {
        // A catalog may be long.
        if self.hurry.refuses() {
            return Err(errors::elsewhere());
        }
        let read = self.read().map_err(|e| errors::answer(&e, false))?;
        self.settled()?;
        Ok(read)
    }

    fn clock(&self) -> &Connection {
        &self.reader
    }

    fn last_identity(&mut self) -> Result<Option<i64>, SqlAnswer> {
        Ok(lock(self.taken()).last_identity)
    }

    /// Gets the turn to write.
    fn begin(&mut self) -> Result<(), SqlAnswer> {
        if self.writer.is_some() {
            return Ok(());
        }
        if self.hurry.refuses() {
            return Err(errors::elsewhere());
        }
        let wait = self.shared.options.lock_wait;
        match self.shared.gate.enter(wait, &self.abandoned) {
            Ok(()) => {}
            Err(Refused::Timeout | Refused::Abandoned) => return Err(self.timeout()),
        }
        let old = std::mem::take(&mut *lock(&self.shared.old_marks));
        let Err(answer) = self.begin_with(&old) else {
            return Ok(());
        };
        lock(&self.shared.old_marks).extend(old);
        self.leave();
        Err(match answer.code {
            -913 => self.timeout(),
            _ => answer,
        })
    }

    fn writes(&self) -> bool {
        self.writer.is_some()
    }

    fn is_straight(&mut self, text: &str) -> bool {
        straight::is_straight(self.connection(), text)
    }

    fn run(&mut self, run: &Run<'_>) -> Result<Ran, SqlAnswer> {
        let turn = self.turn_for(run);
        let ran = turn.and_then(|()| run::run_text(self.connection(), run));
        if ran.is_err() && self.hurry.refuses() {
            return ran;
        }
        if ran.is_err() && run.rewritten.text.contains(SCHEMA) {
            // The definition of a table was not changed: nobody else shall change one.
            self.tell("PRAGMA writable_schema = OFF")?;
        }
        self.settled()?;
        ran
    }

    /// Writes numbers that a statement took, with the unit of work.
    fn ran(&mut self) -> Result<(), SqlAnswer> {
        if !lock(self.taken()).changed.is_empty() && self.hurry.refuses() {
            // They are written when it is run again.
            return Err(errors::elsewhere());
        }
        let changed = std::mem::take(&mut lock(self.taken()).changed);
        if changed.is_empty() {
            return Ok(());
        }
        self.begin()?;
        for name in changed {
            if let Some(next) = self.shared.sequences.next_of(&name) {
                let kept = catalog::keep_next(self.connection(), &name, next);
                kept.map_err(|e| errors::answer(&e, false))?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, text: &str) -> Result<(), SqlAnswer> {
        let told = self.connection().execute_batch(text);
        told.map_err(|e| errors::answer(&e, false))
    }

    /// What is put aside need not be what the table's CHECKs want.
    fn passing(&mut self, at: Passing) -> Result<(), SqlAnswer> {
        if at == Passing::Begins {
            self.begin()?;
        }
        self.tell(match at {
            Passing::Begins => "SAVEPOINT transom_passing; PRAGMA ignore_check_constraints = ON",
            Passing::Back => "PRAGMA ignore_check_constraints = OFF",
            Passing::Done => "RELEASE SAVEPOINT transom_passing",
            Passing::Failed => {
                "PRAGMA ignore_check_constraints = OFF; ROLLBACK TO SAVEPOINT transom_passing; \
                 RELEASE SAVEPOINT transom_passing"
            }
        })
    }

    /// Who has the turn to write keeps all others from changing any table.
    fn lock_table(&mut self, _: &str, _: bool) -> Result<(), SqlAnswer> {
        self.begin()
    }

    fn keep(&mut self, defined: &Defined<'_>, kept: &[Kept]) -> Result<(), SqlAnswer> {
        let sequences = &self.shared.sequences;
        let mut kept = kept.iter();
        let done = kept.try_for_each(|one| {
            if let Kept::Uncount(name) = one {
                sequences.forget(name);
            }
            catalog::keep(self.connection(), defined, one)
        });
        done.map_err(|e| errors::answer(&e, false))
    }

    fn lost(&self) -> bool {
        let writer = self.writer.as_ref();
        writer.is_some_and(|writer| writer.connection.is_autocommit())
    }

    fn give_up(&mut self) {
        self.leave();
    }

    fn commit(&mut self, mark: Option<UowId>) -> Result<(), StoreError> {
        let marked = match mark {
            Some(uow) => self
                .connection()
                .prepare_cached("INSERT INTO transom_mark VALUES (?1)")
                .and_then(|mut insert| insert.execute([&uow.to_bytes()[..]]))
                .map(drop),
            None => Ok(()),
        };
        let marked = marked.map_err(|e| errors::of_store(&e));
        match marked.and_then(|()| self.shared.flushes.begin()) {
            Ok(number) => self.end(number),
            Err(error) => {
                self.leave();
                Err(error)
            }
        }
    }

    fn backout(&mut self) -> Result<(), StoreError> {
        if self.writer.is_some() {
            self.leave();
        }
        match self.reader.is_autocommit() {
            true => Ok(()),
            false => Err(StoreError::Closed),
        }
    }

    fn reset(&mut self) {
        *lock(&self.taken) = Taken::default();
    }

    fn hurry(&mut self, on: bool) -> bool {
        match on {
            true => self.writer.is_none() && self.hurry.begin(&self.reader),
            false => {
                let wait = self.shared.options.lock_wait;
                self.hurry.end(&self.reader, wait);
                false
            }
        }
    }

    fn gave_up(&self) -> bool {
        self.hurry.gave_up()
    }
}
