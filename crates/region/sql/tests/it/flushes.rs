//! Commits of many sessions, flushed together.

use super::{World, execute, integer, row, select};
use std::sync::Arc;
use transom_region_sql::{SqlEngine, Sqlite};

/// Sessions at a time, and what each of them commits: pages leave the log many times meanwhile.
const SESSIONS: i64 = 6;
const EACH: i64 = 60;

#[test]
fn what_sessions_have_committed_together_is_there_once() {
    let world = World::new();
    let threads: Vec<_> = (0..SESSIONS)
        .map(|n| {
            let engine = world.engine.clone();
            std::thread::spawn(move || {
                let mut session = engine.session(Arc::default()).unwrap();
                for entry in 0..EACH {
                    // Who waits longer than the bound of the tests asks again.
                    let add = "UPDATE ACCOUNT SET BALANCE = BALANCE + 1 WHERE NO = 1";
                    while session.run(execute(add, Vec::new())).code != 0 {}
                    let text = "INSERT INTO ENTRY VALUES (:N, 1, 1)";
                    let number = integer(1_000 * n + entry);
                    assert_eq!(session.run(execute(text, vec![number])).code, 0);
                    session.commit(None).unwrap();
                    let mine = "SELECT COUNT(*) INTO :H FROM ENTRY WHERE ID = :N";
                    let seen = session.run(select(mine, vec![integer(1_000 * n + entry)]));
                    assert_eq!(seen.code, 0);
                }
            })
        })
        .collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    let sums = "SELECT BALANCE, (SELECT COUNT(*) FROM ENTRY) FROM ACCOUNT WHERE NO = 1;";
    let count = SESSIONS * EACH;
    assert_eq!(
        row(&world, sums),
        [format!("{count}.10"), count.to_string()]
    );
    let log = world.folder.path().join("sql.db-wal").metadata().unwrap();
    assert!(log.len() < 4 << 20, "it begins again: {} bytes", log.len());
}

#[test]
fn a_process_beside_the_region_sees_and_changes_what_is_there() {
    let world = World::new();
    let mut session = world.session();
    let add = "UPDATE ACCOUNT SET BALANCE = BALANCE + 1 WHERE NO = 2";
    assert_eq!(session.run(execute(add, Vec::new())).code, 0);
    session.commit(None).unwrap();
    let beside = Sqlite::open_beside(super::options(world.folder.path(), true)).unwrap();
    let mut other = beside.session(Arc::default()).unwrap();
    assert_eq!(other.run(execute(add, Vec::new())).code, 0);
    other.commit(None).unwrap();
    assert_eq!(
        row(&world, "SELECT BALANCE FROM ACCOUNT WHERE NO = 2;"),
        ["2.20"]
    );
    let numbers = || std::fs::read(world.folder.path().join("sql.db-commits")).unwrap();
    let (begun, durable) = (numbers()[..8].to_vec(), numbers()[8..16].to_vec());
    assert!(begun == durable && begun != [0; 8], "{begun:?} {durable:?}");
    drop((other, beside, session));
    let World { folder, engine } = world;
    drop(engine);
    assert!(
        !folder.path().join("sql.db-wal").exists(),
        "all is in the file"
    );
}
