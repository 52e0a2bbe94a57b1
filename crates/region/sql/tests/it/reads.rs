//! What a worker reads by itself, beside the session that has the unit of work.

use super::{World, execute, from, integer, select};
use rusqlite::Connection;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use transom_region_sql::{Reader, SqlConfig, SqlDatabase};
use transom_wire::sql::{Request, SqlAnswer, SqlCursor, SqlFetch, SqlReading, SqlUnit, SqlValue};

/// Says to a copy of this test which database it reads.
const PLACE: &str = "TRANSOM_TEST_READS";
const BALANCE: &str = "SELECT BALANCE INTO :B FROM ACCOUNT WHERE NO = 1";
pub(super) const ALL: &str = "SELECT NO, OWNER FROM ACCOUNT ORDER BY NO";

pub(super) fn told(world: &World) -> SqlReading {
    let config = SqlConfig::Sqlite(super::options(world.folder.path(), true));
    let told = SqlDatabase::new(&config).reading();
    told.expect("the embedded engine is read")
}

pub(super) fn open(cursor: &str, text: &str) -> Request {
    Request::Open {
        from: from(false),
        cursor: described(cursor),
        text: text.to_owned(),
        inputs: Vec::new(),
    }
}

fn described(name: &str) -> SqlCursor {
    SqlCursor {
        name: name.to_owned(),
        hold: false,
        update: false,
        scroll: false,
        sensitive: false,
        rowset: false,
    }
}

pub(super) fn fetch(cursor: &str) -> Request {
    Request::Fetch {
        cursor: cursor.to_owned(),
        to: SqlFetch::Next,
        rows: 8,
    }
}

/// The digits of the balance, as the reader finds them.
pub(super) fn balance(reader: &mut Reader) -> Option<i128> {
    let answer = reader.read(&select(BALANCE, Vec::new()))?;
    match answer.rows[0].values[0] {
        SqlValue::Decimal { digits, .. } => Some(digits),
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn a_reader_sees_what_others_commit_at_once_and_nothing_before() {
    let world = World::new();
    let mut other = world.session();
    let mut reader = Reader::open(&told(&world)).unwrap();
    assert_eq!(balance(&mut reader), Some(10));
    for n in 1..50 {
        let text = format!("UPDATE ACCOUNT SET BALANCE = {n} WHERE NO = 1");
        let changed = other.run(execute(&text, Vec::new()));
        assert_eq!((changed.code, changed.unit), (0, SqlUnit::Touched));
        assert_eq!(
            balance(&mut reader),
            Some(if n == 1 { 10 } else { 100 * (n - 1) })
        );
        other.commit(None).unwrap();
        assert_eq!(balance(&mut reader), Some(100 * n));
    }
    // A unit of work that has changed nothing says that it may be read beside it.
    assert!(other.run(select(BALANCE, Vec::new())).unit.reads());
}

#[test]
fn a_reader_and_the_session_answer_alike() {
    let world = World::new();
    let mut session = world.session();
    let mut reader = Reader::open(&told(&world)).unwrap();
    for (text, inputs) in [
        (
            "SELECT OWNER, BALANCE, RATE FROM ACCOUNT WHERE NO = :N",
            vec![integer(2)],
        ),
        ("SELECT OWNER FROM ACCOUNT WHERE NO = :N", vec![integer(9)]),
        ("SELECT SUM(BALANCE), COUNT(*) FROM ACCOUNT", vec![]),
        ("SELECT RATE FROM ACCOUNT WHERE NO = 3", vec![]),
        (
            "SELECT SUBSTR(OWNER, 1, 2) CONCAT 'X' FROM ACCOUNT WHERE OWNER = 'ADAMS'",
            vec![],
        ),
    ] {
        let own = reader.read(&select(text, inputs.clone())).expect(text);
        let wanted = session.run(select(text, inputs));
        let unit = SqlUnit::Reads;
        assert_eq!(SqlAnswer { unit, ..own }, wanted, "{text}");
    }
}

#[test]
fn what_is_not_surely_the_same_is_asked_of_the_region() {
    let world = World::new();
    world.script("CREATE SEQUENCE S; CREATE VIEW V AS SELECT NO FROM ACCOUNT;");
    let mut reader = Reader::open(&told(&world)).unwrap();
    for text in [
        "SELECT NO INTO :N FROM NOWHERE",
        "SELECT NO INTO :N FROM ACCOUNT",
        "SELECT CURRENT SQLID INTO :S FROM ACCOUNT WHERE NO = 1",
        "SELECT CURRENT TIMESTAMP INTO :S FROM ACCOUNT WHERE NO = 1",
        "SELECT NEXT VALUE FOR S INTO :N FROM ACCOUNT WHERE NO = 1",
        "SELECT ID INTO :N FROM FINAL TABLE (INSERT INTO ENTRY (ACCOUNT, AMOUNT) VALUES (1, 2))",
        "SELECT BALANCE / 0 INTO :N FROM ACCOUNT WHERE NO = 1",
    ] {
        assert_eq!(reader.read(&select(text, Vec::new())), None, "{text}");
    }
    let dynamic = Request::Select {
        from: from(true),
        text: BALANCE.to_owned(),
        inputs: Vec::new(),
    };
    assert_eq!(reader.read(&dynamic), None);
    let change = "UPDATE ACCOUNT SET BALANCE = 7";
    assert_eq!(reader.read(&execute(change, Vec::new())), None);
    for (hold, update, sensitive) in [
        (true, false, false),
        (false, true, false),
        (false, false, true),
    ] {
        let cursor = SqlCursor {
            hold,
            update,
            sensitive,
            ..described("P.C")
        };
        let request = Request::Open {
            from: from(false),
            cursor,
            text: ALL.to_owned(),
            inputs: Vec::new(),
        };
        assert_eq!(reader.read(&request), None);
    }
    let view = select("SELECT NO INTO :N FROM V WHERE NO = 1", Vec::new());
    assert!(reader.read(&view).is_some());
    assert_eq!(balance(&mut reader), Some(10));
}

#[test]
fn a_statement_that_takes_long_is_given_up() {
    let world = World::new();
    world.script(
        "CREATE TABLE N (I INTEGER NOT NULL); INSERT INTO N VALUES (1); \
         INSERT INTO N SELECT I FROM N; INSERT INTO N SELECT I FROM N; \
         INSERT INTO N SELECT I FROM N; INSERT INTO N SELECT I FROM N; \
         INSERT INTO N SELECT I FROM N; INSERT INTO N SELECT I FROM N; \
         INSERT INTO N SELECT I FROM N;",
    );
    let mut reader = Reader::open(&told(&world)).unwrap();
    let long = "SELECT COUNT(*) INTO :N FROM N A, N B, N C";
    assert_eq!(reader.read(&select(long, Vec::new())), None);
    let short = "SELECT COUNT(*) INTO :N FROM N";
    let found = reader.read(&select(short, Vec::new())).unwrap();
    assert_eq!(found.rows[0].values, [SqlValue::Integer(128)]);
}

#[test]
fn a_cursor_has_the_rows_of_its_open_and_ends_with_the_unit_of_work() {
    let world = World::new();
    let mut other = world.session();
    let mut reader = Reader::open(&told(&world)).unwrap();
    assert_eq!(reader.of_cursor(&fetch("P.C")), None);
    assert_eq!(reader.read(&open("P.C", ALL)).unwrap().code, 0);
    assert_eq!(reader.of_cursor(&open("P.C", ALL)).unwrap().code, -502);
    other.run(execute("DELETE FROM ACCOUNT", Vec::new()));
    other.commit(None).unwrap();
    let found = reader.of_cursor(&fetch("P.C")).unwrap();
    assert_eq!((found.rows.len(), found.end), (3, true));
    assert_eq!(reader.of_cursor(&fetch("P.C")).unwrap().code, 100);
    let close = Request::Close("P.C".to_owned());
    assert_eq!(reader.of_cursor(&close).unwrap().code, 0);
    assert_eq!(reader.of_cursor(&close), None);
    assert_eq!(reader.read(&open("P.D", ALL)).unwrap().code, 0);
    reader.unit_ended();
    assert_eq!(reader.of_cursor(&fetch("P.D")), None);
}

#[test]
fn a_reader_follows_definitions_of_others() {
    let world = World::new();
    let mut reader = Reader::open(&told(&world)).unwrap();
    let asked = select("SELECT CITY INTO :C FROM PLACE WHERE NO = 1", Vec::new());
    assert_eq!(reader.read(&asked), None);
    world.script(
        "CREATE TABLE PLACE (NO INTEGER, CITY CHAR(4)); INSERT INTO PLACE VALUES (1, 'ROME');",
    );
    let found = reader.read(&asked).unwrap();
    assert_eq!(found.rows[0].values, [SqlValue::Text("ROME".to_owned())]);
    world.script(
        "DROP TABLE PLACE; CREATE TABLE PLACE (NO INTEGER, CITY DECIMAL(5,0)); \
         INSERT INTO PLACE VALUES (1, 7);",
    );
    let found = reader.read(&asked).unwrap();
    let number = SqlValue::Decimal {
        digits: 7,
        precision: 5,
        scale: 0,
    };
    assert_eq!(found.rows[0].values, [number]);
    world.script("DROP TABLE PLACE;");
    assert_eq!(reader.read(&asked), None);
}

/// This test again, as a process that reads the database and then waits.
fn reading(world: &World) -> (Child, BufReader<impl Read>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "reads::in_a_process_of_its_own", "--nocapture"])
        .env(PLACE, world.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    wait_for(&mut said, "reads");
    (child, said)
}

fn wait_for(said: &mut impl BufRead, word: &str) {
    let mut line = String::new();
    while !line.ends_with(&format!("{word}\n")) {
        line.clear();
        assert_ne!(said.read_line(&mut line).unwrap(), 0, "no {word}");
    }
}

/// Whether all of the log could be taken over and emptied.
fn emptied(folder: &Path) -> bool {
    let own = Connection::open(folder.join("sql.db")).unwrap();
    let busy: i64 = own
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
        .unwrap();
    busy == 0
}

#[test]
fn who_is_killed_in_a_read_holds_up_no_checkpoint() {
    let world = World::new();
    let mut session = world.session();
    let (mut child, _said) = reading(&world);
    session.run(execute(
        "UPDATE ACCOUNT SET BALANCE = 5 WHERE NO = 1",
        Vec::new(),
    ));
    session.commit(None).unwrap();
    assert!(!emptied(world.folder.path()), "it reads the log");
    child.kill().unwrap();
    child.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while !emptied(world.folder.path()) {
        assert!(Instant::now() < until, "the log is kept for nobody");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How often the log has begun again.
fn beginnings(folder: &Path) -> u32 {
    let mut header = [0; 16];
    let log = fs::File::open(folder.join("sql.db-wal"));
    log.unwrap().read_exact(&mut header).unwrap();
    let [.., a, b, c, d] = header;
    u32::from_be_bytes([a, b, c, d])
}

#[test]
fn commits_go_on_beside_a_view_and_the_log_begins_again_after_it() {
    let world = World::new();
    let mut session = world.session();
    let (mut child, mut said) = reading(&world);
    let before = beginnings(world.folder.path());
    let mut commit = || {
        let text = "UPDATE ACCOUNT SET BALANCE = BALANCE + 1 WHERE NO = 1";
        assert_eq!(session.run(execute(text, Vec::new())).code, 0);
        session.commit(None).unwrap();
    };
    // More pages than stay in the log.
    (0..200).for_each(|_| commit());
    assert_eq!(beginnings(world.folder.path()), before, "it is read");
    child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
    wait_for(&mut said, "rests");
    let until = Instant::now() + Duration::from_secs(30);
    while beginnings(world.folder.path()) == before {
        assert!(Instant::now() < until, "the log is kept for nobody");
        commit();
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_reader_has_nothing_by_which_it_could_write() {
    let world = World::new();
    let _session = world.session();
    let (mut child, _said) = reading(&world);
    let of = |what: &str| format!("/proc/{}/{what}", child.id());
    let is_ours = |path: &str| path.contains("sql.db");
    let maps = fs::read_to_string(of("maps")).unwrap();
    let mut mapped = maps.lines().filter(|line| is_ours(line)).peekable();
    assert!(mapped.peek().is_some(), "{maps}");
    assert!(mapped.all(|line| line.contains(" r--s ")), "{maps}");
    let mut opened = 0;
    for entry in fs::read_dir(of("fd")).unwrap() {
        let entry = entry.unwrap();
        let Ok(target) = fs::read_link(entry.path()) else {
            continue;
        };
        if is_ours(&target.to_string_lossy()) {
            let number = entry.file_name().into_string().unwrap();
            let info = fs::read_to_string(of(&format!("fdinfo/{number}"))).unwrap();
            let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
            let flags = i32::from_str_radix(flags.unwrap().trim(), 8).unwrap();
            assert_eq!(flags & 3, 0, "{target:?} is open for writing");
            opened += 1;
        }
    }
    assert!(opened >= 4, "database, log, index, commits: {opened}");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What the tests above start; alone it does nothing.
#[test]
fn in_a_process_of_its_own() {
    let Some(folder) = std::env::var_os(PLACE) else {
        return;
    };
    let file = Path::new(&folder).join("sql.db");
    let mut reader = Reader::open(&SqlReading {
        file: file.to_str().unwrap().to_owned(),
        ebcdic_order: false,
        schema: String::new(),
        packages: Vec::new(),
        location: String::new(),
    })
    .unwrap();
    assert_eq!(balance(&mut reader), Some(10));
    println!("\nreads");
    // The view stays: the task has not ended.
    let _ = std::io::stdin().read(&mut [0]);
    reader.rest();
    println!("\nrests");
    let _ = std::io::stdin().read(&mut [0]);
}
