//! Statements in a hurry: run on a thread that others wait for.
//!
//! What: a read transaction from the first statement to the end, so that the catalog is looked at
//! once and a lock is taken once; a bound on the work of SQLite's machine; nothing is waited for.
//! What does not come to its end so is given up, and its owner runs it again on a thread that may
//! wait. Why: decision 0045. Not here: who is in a hurry.

use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Steps of SQLite's machine between two looks.
const STEPS: i32 = 1_000;
/// Looks until a statement takes too long: about a millisecond.
const LOOKS: u32 = 30;
/// Nobody is in a hurry.
const ANY: u32 = u32::MAX;

/// The hurry of one connection.
pub(super) struct Hurry {
    /// Looks that are left.
    left: Arc<AtomicU32>,
    watched: bool,
    on: bool,
    /// Of the transaction that is open.
    schema: Option<i64>,
    gave_up: bool,
}

impl Default for Hurry {
    fn default() -> Self {
        Self {
            left: Arc::new(AtomicU32::new(ANY)),
            watched: false,
            on: false,
            schema: None,
            gave_up: false,
        }
    }
}

impl Hurry {
    /// Begins; `false`: the connection cannot.
    pub(super) fn begin(&mut self, connection: &Connection) -> bool {
        if !self.watched {
            let left = self.left.clone();
            let is_over = move || match left.load(Ordering::Relaxed) {
                ANY => false,
                0 => true,
                some => {
                    left.store(some - 1, Ordering::Relaxed);
                    false
                }
            };
            connection.progress_handler(STEPS, Some(is_over));
            self.watched = true;
        }
        self.left.store(LOOKS, Ordering::Relaxed);
        (self.on, self.gave_up, self.schema) = (true, false, None);
        connection.busy_timeout(Duration::ZERO).is_ok()
    }

    /// Ends; waits for a lock last so long again.
    pub(super) fn end(&mut self, connection: &Connection, lock_wait: Duration) {
        self.left.store(ANY, Ordering::Relaxed);
        self.on = false;
        if self.schema.take().is_some() && tell(connection, "COMMIT").is_err() {
            // What it keeps open the end of its unit of work finds.
            let _ = connection.execute_batch("ROLLBACK");
        }
        // It is a number in memory.
        let _ = connection.busy_timeout(lock_wait);
    }

    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    pub(super) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// What cannot be done in a hurry: `true`, and it is given up.
    pub(super) fn refuses(&mut self) -> bool {
        self.gave_up |= self.on;
        self.on
    }

    /// The schema of the one moment all statements see.
    pub(super) fn schema(&mut self, connection: &Connection) -> rusqlite::Result<i64> {
        if let Some(schema) = self.schema {
            return Ok(schema);
        }
        tell(connection, "BEGIN")?;
        // From here on there is something to end.
        self.schema = Some(-1);
        let schema = version(connection)?;
        self.schema = Some(schema);
        Ok(schema)
    }
}

/// Another number when somebody has changed the schema.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    let mut ask = connection.prepare_cached("PRAGMA schema_version")?;
    ask.query_row([], |row| row.get(0))
}

/// Runs a text without values and rows.
pub(super) fn tell(connection: &Connection, text: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(text)?.raw_execute().map(drop)
}

#[cfg(test)]
mod tests {
    use crate::sqlite::{Sqlite, SqliteOptions, samples};
    use crate::{SqlEngine, SqlSession};
    use rusqlite::Connection;
    use tempfile::TempDir;
    use transom_wire::sql::{Request, SqlAnswer, SqlValue};

    fn execute(session: &mut dyn SqlSession, text: &str) -> SqlAnswer {
        session.run(Request::Execute {
            from: samples::from(true),
            text: text.to_owned(),
            inputs: Vec::new(),
        })
    }

    fn select(session: &mut dyn SqlSession, text: &str) -> SqlAnswer {
        session.run(Request::Select {
            from: samples::from(true),
            text: text.to_owned(),
            inputs: Vec::new(),
        })
    }

    /// An engine with a table of 500 rows.
    fn engine() -> (TempDir, SqliteOptions, Sqlite) {
        let folder = tempfile::tempdir().unwrap();
        let options = samples::options(folder.path());
        let engine = Sqlite::open(options.clone()).unwrap();
        let mut session = engine.session(std::sync::Arc::default()).unwrap();
        execute(&mut *session, "CREATE TABLE T (N INTEGER NOT NULL)");
        for n in 0..500 {
            let made = execute(&mut *session, &format!("INSERT INTO T VALUES ({n})"));
            assert_eq!(made.code, 0, "{made:?}");
        }
        session.commit(None).unwrap();
        drop(session);
        (folder, options, engine)
    }

    /// A session that knows the tables.
    fn session(engine: &Sqlite) -> Box<dyn SqlSession> {
        let mut session = engine.session(std::sync::Arc::default()).unwrap();
        assert_eq!(select(&mut *session, COUNT).code, 0);
        session
    }

    const COUNT: &str = "SELECT COUNT(*) INTO :N FROM T";

    #[test]
    fn what_would_change_something_or_takes_long_is_given_up_and_can_be_run_again() {
        let (_folder, _, engine) = engine();
        let mut session = session(&engine);
        let session = &mut *session;
        assert!(session.hurry(true));
        let counted = select(session, COUNT);
        assert_eq!(counted.rows[0].values, [SqlValue::Integer(500)]);
        session.hurry(false);
        assert!(!session.gave_up());
        // 125 million rows.
        let long = "SELECT COUNT(*) INTO :N FROM T A, T B, T C WHERE A.N + B.N + C.N = 1";
        for text in ["INSERT INTO T VALUES (1)", long] {
            assert!(session.hurry(true));
            let run: fn(&mut dyn SqlSession, &str) -> SqlAnswer = match text == long {
                true => select,
                false => execute,
            };
            assert!(run(session, text).code < 0, "{text}");
            session.hurry(false);
            assert!(session.gave_up(), "{text}");
            session.backout().unwrap();
        }
        assert_eq!(execute(session, "INSERT INTO T VALUES (1)").code, 0);
        session.commit(None).unwrap();
    }

    #[test]
    fn a_table_that_was_changed_meanwhile_is_read_by_who_has_time() {
        let (_folder, _, engine) = engine();
        let (mut session, mut other) = (session(&engine), session(&engine));
        let (session, other) = (&mut *session, &mut *other);
        execute(other, "DROP TABLE T");
        execute(other, "CREATE TABLE T (A CHAR(1) NOT NULL, N CHAR(2))");
        execute(other, "INSERT INTO T VALUES ('X', 'YZ')");
        other.commit(None).unwrap();
        let text = "SELECT N INTO :N FROM T";
        assert!(session.hurry(true));
        assert!(select(session, text).code < 0);
        session.hurry(false);
        assert!(session.gave_up());
        let read = select(session, text);
        assert_eq!(read.rows[0].values, [SqlValue::Text("YZ".to_owned())]);
        assert!(session.hurry(true));
        assert_eq!(select(session, text), read);
        session.hurry(false);
        assert!(!session.gave_up());
    }

    #[test]
    fn nobody_waits_for_a_flush_in_a_hurry() {
        let (_folder, options, engine) = engine();
        let mut session = session(&engine);
        // Another one says COMMIT, and has not come to its flush.
        let flushes = engine.shared.flushes.clone();
        let number = flushes.begin().unwrap();
        let beside = Connection::open(&options.file).unwrap();
        beside.execute_batch("INSERT INTO T VALUES (1)").unwrap();
        assert!(session.hurry(true));
        assert!(select(&mut *session, COUNT).code < 0);
        session.hurry(false);
        assert!(session.gave_up());
        flushes.written(number, true);
        let counted = select(&mut *session, COUNT);
        assert_eq!(counted.rows[0].values, [SqlValue::Integer(501)]);
    }
}
