//! Which commits a reader sees.

use super::*;
use crate::sqlite::{Sqlite, samples};
use crate::{Reader, SqlEngine};
use std::time::Duration;
use tempfile::TempDir;
use transom_wire::sql::{Request, SqlValue};

fn count() -> Request {
    Request::Select {
        from: samples::from(false),
        text: "SELECT COUNT(*) INTO :N FROM T".to_owned(),
        inputs: Vec::new(),
    }
}

/// An engine with a table that has no rows.
fn engine() -> (TempDir, SqliteOptions, Sqlite) {
    let folder = tempfile::tempdir().unwrap();
    let options = samples::options(folder.path());
    let engine = Sqlite::open(options.clone()).unwrap();
    let mut session = engine.session(Arc::default()).unwrap();
    let made = session.run(Request::Execute {
        from: samples::from(false),
        text: "CREATE TABLE T (N INTEGER NOT NULL)".to_owned(),
        inputs: Vec::new(),
    });
    assert_eq!(made.code, 0, "{made:?}");
    session.commit(None).unwrap();
    (folder, options, engine)
}

#[test]
fn a_commit_that_is_not_flushed_is_shown_by_the_session_which_waits_for_it() {
    let (_folder, options, engine) = engine();
    let mut session = engine.session(Arc::default()).unwrap();
    let mut reader = Reader::open(&told(&options).unwrap()).unwrap();
    assert!(reader.read(&count()).is_some());
    reader.rest();
    // Another one says COMMIT, and has not come to its flush.
    let flushes = engine.shared.flushes.clone();
    let number = flushes.begin().unwrap();
    let beside = Connection::open(&options.file).unwrap();
    beside.execute_batch("INSERT INTO T VALUES (1)").unwrap();
    assert_eq!(reader.read(&count()), None);
    let asked = std::thread::spawn(move || session.run(count()));
    std::thread::sleep(Duration::from_millis(50));
    assert!(!asked.is_finished(), "it is on no device");
    assert_eq!(reader.read(&count()), None);
    flushes.written(number, true);
    let answered = asked.join().unwrap();
    assert_eq!(answered.rows[0].values, [SqlValue::Integer(1)]);
    let read = reader.read(&count()).unwrap();
    assert_eq!(read.rows, answered.rows);
}

#[test]
fn a_view_stays_while_what_it_lacks_is_told_to_nobody() {
    let (_folder, options, engine) = engine();
    let mut reader = Reader::open(&told(&options).unwrap()).unwrap();
    let mut rows = || {
        let read = reader.read(&count())?;
        Some(read.rows[0].values[0].clone())
    };
    let some = |rows| Some(SqlValue::Integer(rows));
    assert_eq!(rows(), some(0));
    let beside = Connection::open(&options.file).unwrap();
    let insert = || beside.execute_batch("INSERT INTO T VALUES (1)").unwrap();
    // Another task has said COMMIT, and has not come to its flush.
    let flushes = engine.shared.flushes.clone();
    let number = flushes.begin().unwrap();
    insert();
    assert_eq!(rows(), some(0));
    flushes.written(number, true);
    flushes.durable(number).unwrap();
    assert_eq!(rows(), some(1));
    // A process beside the region has flushed what it commits.
    insert();
    assert_eq!(rows(), some(2));
    // The same while a commit of the region is on its way: the region can tell them apart.
    let number = flushes.begin().unwrap();
    insert();
    flushes.written(number, true);
    assert_eq!(rows(), some(2));
    insert();
    assert_eq!(rows(), None);
    flushes.durable(number).unwrap();
    assert_eq!(rows(), some(4));
}

#[test]
fn a_commit_of_another_process_is_not_taken_for_one_that_has_only_begun() {
    let (_folder, options, engine) = engine();
    let mut reader = Reader::open(&told(&options).unwrap()).unwrap();
    let mut session = engine.session(Arc::default()).unwrap();
    let insert = |n: i64| Request::Execute {
        from: samples::from(false),
        text: format!("INSERT INTO T VALUES ({n})"),
        inputs: Vec::new(),
    };
    // The connection that writes has seen all there is.
    assert_eq!(session.run(insert(1)).code, 0);
    session.commit(None).unwrap();
    assert!(reader.read(&count()).is_some());
    let beside = Connection::open(&options.file).unwrap();
    beside.execute_batch("INSERT INTO T VALUES (2)").unwrap();
    // A task changes something, which looks for it, and is about to say COMMIT.
    assert_eq!(session.run(insert(3)).code, 0);
    let number = engine.shared.flushes.begin().unwrap();
    assert_eq!(reader.read(&count()), None, "two rows, and one to come");
    engine.shared.flushes.written(number, false);
    let read = reader.read(&count()).unwrap();
    assert_eq!(read.rows[0].values, [SqlValue::Integer(2)]);
    session.backout().unwrap();
}
