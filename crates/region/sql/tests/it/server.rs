//! PostgreSQL as tasks use it: cursors, units of work, locks, and a server that goes away.

use crate::engines::options;
use crate::{decimal, digits, execute, from, integer, select, uow};
use std::sync::Arc;
use transom_datasets::conformance::Cluster;
use transom_recovery::{Part, Participant, StoreError, wait};
use transom_region_sql::{Postgres, Script, SqlEngine, SqlSession, SqlSessions};
use transom_sql::Type;
use transom_wire::sql::{Request, SqlAnswer, SqlCursor, SqlFetch, SqlInput, SqlValue};

const TABLES: &str = "
CREATE TABLE ACCOUNT (NO INTEGER NOT NULL PRIMARY KEY, OWNER CHAR(8) NOT NULL, BALANCE DECIMAL(15,2) NOT NULL);
INSERT INTO ACCOUNT VALUES (1, 'ADAMS', 0.10);
INSERT INTO ACCOUNT VALUES (2, 'BAKER', 0.20);
INSERT INTO ACCOUNT VALUES (3, 'CLARK', -10.05);
";
const SUM: &str = "SELECT SUM(BALANCE) INTO :H FROM ACCOUNT";
const ADD: &str = "UPDATE ACCOUNT SET BALANCE = BALANCE + :A WHERE NO = :N";

struct World {
    cluster: Cluster,
    engine: Arc<Postgres>,
}

impl World {
    fn new() -> Option<Self> {
        let cluster = Cluster::of_test(Cluster::start())?;
        let engine = Arc::new(Postgres::open(options(&cluster, true), Some(7)).unwrap());
        let mut script = Script::on(&*engine, "ALICE").unwrap();
        let made = script.run(TABLES, |one| assert_eq!(one.answer.code, 0, "{one:?}"));
        made.unwrap();
        Some(Self { cluster, engine })
    }

    fn session(&self) -> Box<dyn SqlSession> {
        self.engine.session(Arc::default()).unwrap()
    }

    fn end_sessions(&self) {
        let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE application_name LIKE 'transom sql %'";
        self.cluster.sql("postgres", end).unwrap();
    }
}

fn open(name: &str, text: &str, (hold, update): (bool, bool)) -> Request {
    Request::Open {
        from: from(false),
        cursor: SqlCursor {
            name: format!("P.{name}"),
            hold,
            update,
            scroll: false,
            sensitive: false,
            rowset: false,
        },
        text: format!("DECLARE {name} CURSOR FOR {text}"),
        inputs: Vec::new(),
    }
}

fn fetch(name: &str) -> Request {
    Request::Fetch {
        cursor: format!("P.{name}"),
        to: SqlFetch::Next,
        rows: 1,
    }
}

fn add(session: &mut dyn SqlSession, cents: i128, account: i64) -> SqlAnswer {
    session.run(execute(ADD, vec![decimal(cents, 15, 2), integer(account)]))
}

#[test]
fn a_unit_of_work_goes_on_after_a_statement_that_failed() {
    let Some(world) = World::new() else { return };
    let mut session = world.session();
    assert_eq!(add(&mut *session, 100, 1).count, 1);
    let again = "INSERT INTO ACCOUNT VALUES (1, 'AGAIN', 0)";
    assert_eq!(session.run(execute(again, Vec::new())).code, -803);
    assert_eq!(
        session
            .run(execute(
                "SAVEPOINT S ON ROLLBACK RETAIN CURSORS",
                Vec::new()
            ))
            .code,
        0
    );
    assert_eq!(add(&mut *session, 500, 2).code, 0);
    assert_eq!(session.run(execute(again, Vec::new())).code, -803);
    assert_eq!(
        session
            .run(execute("ROLLBACK TO SAVEPOINT S", Vec::new()))
            .code,
        0
    );
    assert_eq!(add(&mut *session, 1, 3).code, 0);
    assert_eq!(session.part(), Part::Changes);
    let mut other = world.session();
    assert_eq!(digits(&mut *other, SUM), (-975, 2));
    session.commit(None).unwrap();
    assert_eq!(digits(&mut *other, SUM), (-874, 2));
    // Nothing is left of one that was backed out.
    assert_eq!(add(&mut *session, 7, 1).code, 0);
    session.backout().unwrap();
    assert_eq!(digits(&mut *session, SUM), (-874, 2));
    assert_eq!(session.part(), Part::None);
}

#[test]
fn rows_are_changed_through_a_cursor_and_one_with_hold_stays() {
    let Some(world) = World::new() else { return };
    let mut session = world.session();
    let rows = "SELECT NO, BALANCE FROM ACCOUNT FOR UPDATE OF BALANCE";
    assert_eq!(session.run(open("C", rows, (true, true))).code, 0);
    assert_eq!(session.run(fetch("C")).code, 0);
    // Another statement of the unit of work makes a new version of the row.
    assert_eq!(add(&mut *session, 100, 1).code, 0);
    let positioned = "UPDATE ACCOUNT SET BALANCE = BALANCE + 1 WHERE CURRENT OF C";
    assert_eq!(session.run(execute(positioned, Vec::new())).count, 1);
    assert_eq!(session.run(execute(positioned, Vec::new())).count, 1);
    // Who wants a row that a cursor has waits.
    let mut other = world.session();
    let waited = add(&mut *other, 1, 2);
    assert_eq!((waited.code, waited.back_out), (-911, true));
    assert_eq!(waited.tokens[0], "00C9008E");
    other.backout().unwrap();
    session.commit(None).unwrap();
    assert_eq!(digits(&mut *session, SUM), (-675, 2));
    // The cursor is open still.
    assert_eq!(
        session.run(fetch("C")).rows[0].values[0],
        SqlValue::Integer(2)
    );
    let gone = "DELETE FROM ACCOUNT WHERE CURRENT OF C";
    assert_eq!(session.run(execute(gone, Vec::new())).count, 1);
    assert_eq!(session.run(execute(gone, Vec::new())).code, -508);
    session.backout().unwrap();
    assert_eq!(session.run(fetch("C")).code, -501);
}

#[test]
fn a_deadlock_backs_out_one_of_both() {
    let Some(world) = World::new() else { return };
    let (mut a, mut b) = (world.session(), world.session());
    assert_eq!(add(&mut *a, 1, 1).code, 0);
    assert_eq!(add(&mut *b, 1, 2).code, 0);
    let waits = std::thread::spawn(move || add(&mut *a, 1, 2));
    let other = add(&mut *b, 1, 1);
    let answers = [waits.join().unwrap(), other];
    let failed: Vec<_> = answers.iter().filter(|answer| answer.code != 0).collect();
    // The one whose circle is not closed may wait too long.
    assert!(!failed.is_empty() && failed.iter().all(|one| one.code == -911));
    assert!(
        failed.iter().any(|one| one.tokens[0] == "00C90088"),
        "{failed:?}"
    );
}

#[test]
fn a_server_that_goes_away_takes_a_unit_of_work_with_it() {
    let Some(world) = World::new() else { return };
    let mut session = world.session();
    assert_eq!(digits(&mut *session, SUM), (-975, 2));
    // Nothing was changed: nobody sees it.
    world.end_sessions();
    assert_eq!(digits(&mut *session, SUM), (-975, 2));
    world.end_sessions();
    assert_eq!(add(&mut *session, 100, 1).code, 0);
    world.end_sessions();
    let answer = add(&mut *session, 1, 1);
    assert_eq!((answer.code, answer.back_out), (-924, true));
    assert_eq!(add(&mut *session, 1, 1).code, -924);
    session.backout().unwrap();
    assert_eq!(add(&mut *session, 1, 1).code, 0);
    world.end_sessions();
    let ended = session.commit(None);
    assert!(
        matches!(ended, Err(StoreError::Unavailable(_))),
        "{ended:?}"
    );
    session.backout().unwrap();
    assert_eq!(digits(&mut *session, SUM), (-975, 2));
    world.cluster.stop().unwrap();
    assert_eq!(add(&mut *session, 1, 1).code, -923);
    session.backout().unwrap();
    world.cluster.begin().unwrap();
    assert_eq!(add(&mut *session, 1, 1).code, 0);
    session.commit(None).unwrap();
    assert_eq!(digits(&mut *session, SUM), (-974, 2));
}

#[test]
fn a_mark_decides_and_who_asks_for_none_makes_it_final() {
    let Some(world) = World::new() else { return };
    let sessions = SqlSessions::new(world.engine.clone());
    let run = |task, n, request| {
        let answer = sessions.run(task, uow(n), request).unwrap();
        answer.blocking_recv().unwrap()
    };
    let add = |n| execute(ADD, vec![decimal(n, 15, 2), integer(1)]);
    assert_eq!(run(1, 1, add(100)).code, 0);
    wait(sessions.decide(uow(1))).unwrap();
    assert_eq!(wait(sessions.has_decided(uow(1))), Ok(true));
    // Asked too early: the decision that comes later fails, and nothing is committed.
    assert_eq!(run(1, 2, add(5)).code, 0);
    assert_eq!(wait(sessions.has_decided(uow(2))), Ok(false));
    assert!(wait(sessions.decide(uow(2))).is_err());
    wait(sessions.backout(uow(2))).unwrap();
    let sum = run(2, 3, select(SUM, Vec::new()));
    assert_eq!(sum.rows[0].values[0].to_string(), "-8.75");
    // Another run of the region: the mark is there, and sessions of the run before are not.
    let second = Postgres::open(options(&world.cluster, true), Some(7));
    assert!(matches!(second.err(), Some(StoreError::InUse(_))));
    let (identity, World { cluster, engine }) = (world.engine.identity(), world);
    drop((sessions, engine));
    let next = Postgres::open(options(&cluster, true), Some(7)).unwrap();
    assert_eq!(next.identity(), identity);
    assert_eq!(next.has_decided(uow(1)), Ok(true));
    next.forget_mark(uow(1));
    // With another decision it is deleted.
    let mut session = next.session(Arc::default()).unwrap();
    assert_eq!(
        session
            .run(execute(ADD, vec![decimal(1, 15, 2), integer(2)]))
            .code,
        0
    );
    session.commit(Some(uow(4))).unwrap();
    let marks = "SELECT count(*) FROM transom_sql.mark WHERE committed";
    assert_eq!(cluster.sql("postgres", marks), Ok("1".to_owned()));
}

#[test]
fn values_come_back_as_they_were() {
    let Some(world) = World::new() else { return };
    let mut session = world.session();
    let text = "CREATE TABLE V (C CHAR(4), V VARCHAR(4), B CHAR(2) FOR BIT DATA, N DECIMAL(31, 10), D DOUBLE, S TIMESTAMP)";
    assert_eq!(session.run(execute(text, Vec::new())).code, 0);
    let given = |kind: Type, value| SqlInput {
        kind: kind.code(),
        value,
    };
    let low = SqlValue::Text("\0\u{FF}é".to_owned());
    let number = SqlValue::Decimal {
        digits: -1_234_567_890_123_456_789_012_345_678_901,
        precision: 31,
        scale: 10,
    };
    let inputs = vec![
        given(Type::Char(3), low.clone()),
        given(Type::VarChar(3), SqlValue::Text("a  ".to_owned())),
        given(Type::CharBit(2), SqlValue::Bytes(vec![0, 255])),
        given(Type::decimal(31, 10), number.clone()),
        given(Type::Double, SqlValue::Double(1.5e-7_f64.to_bits())),
        given(
            Type::Timestamp(6),
            SqlValue::Text("9999-12-31-23.59.59.000001".to_owned()),
        ),
    ];
    let insert = "INSERT INTO V VALUES (:A, :B, :C, :D, :E, :F)";
    let inserted = session.run(execute(insert, inputs));
    assert_eq!(inserted.code, 0, "{inserted:?}");
    let found = session.run(select(
        "SELECT C, V, B, N, D, S INTO :A, :B, :C, :D, :E, :F FROM V",
        Vec::new(),
    ));
    let values = &found.rows[0].values;
    assert_eq!(values[0], SqlValue::Text("\0\u{FF}é ".to_owned()));
    assert_eq!(values[1], SqlValue::Text("a  ".to_owned()));
    assert_eq!(values[2], SqlValue::Bytes(vec![0, 255]));
    assert_eq!(values[3], number);
    assert_eq!(values[4], SqlValue::Double(1.5e-7_f64.to_bits()));
    assert_eq!(
        values[5],
        SqlValue::Text("9999-12-31-23.59.59.000001".to_owned())
    );
    let least = "SELECT C INTO :H FROM V WHERE C = :K AND C < 'A'";
    let found = session.run(select(least, vec![given(Type::Char(3), low)]));
    assert_eq!(found.code, 0, "{found:?}");
    let wrong = vec![given(
        Type::VarChar(30),
        SqlValue::Text("too long for it".to_owned()),
    )];
    let refused = session.run(execute("INSERT INTO V (V) VALUES (:V)", wrong));
    assert_eq!(refused.code, -302);
}

#[test]
fn what_does_not_fit_is_refused() {
    let Some(world) = World::new() else { return };
    let other_order = Postgres::open(options(&world.cluster, false), None);
    let text = other_order.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(text.contains("order of characters is EBCDIC037"), "{text}");
    let mut nowhere = options(&world.cluster, true);
    nowhere.connect = "user=nobody password=secret".to_owned();
    let text = Postgres::open(nowhere.clone(), None)
        .err()
        .map(|e| e.to_string());
    assert!(text.unwrap_or_default().contains("names no server"));
    assert!(!format!("{nowhere:?}").contains("secret"));
    nowhere.connect = "host=/no/such user=nobody".to_owned();
    let away = Postgres::open(nowhere, None).err();
    assert!(matches!(away, Some(StoreError::Unavailable(_))), "{away:?}");
}

#[test]
fn a_unit_of_work_sees_what_others_have_defined_since_the_last_one() {
    let Some(world) = World::new() else { return };
    let mut reads = world.session();
    let insert = "INSERT INTO LATER VALUES (1)";
    // Units of work that had nothing to commit, one of them because there is no table yet.
    assert_eq!(reads.run(execute(insert, Vec::new())).code, -204);
    reads.commit(None).unwrap();
    assert_eq!(digits(&mut *reads, SUM), (-975, 2));
    reads.commit(None).unwrap();
    let mut defines = world.session();
    let create = "CREATE TABLE LATER (N INTEGER NOT NULL)";
    assert_eq!(defines.run(execute(create, Vec::new())).code, 0);
    defines.commit(None).unwrap();
    assert_eq!(reads.run(execute(insert, Vec::new())).code, 0);
    reads.commit(None).unwrap();
}
