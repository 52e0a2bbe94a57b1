//! What goes wrong between a region and a PostgreSQL store: dead sessions, other hands, wrong
//! databases, TLS.

use std::path::Path;
use std::time::{Duration, Instant};
use transom_datasets::conformance::{Cluster, ClusterError};
use transom_datasets::{PgOptions, PgStore};
use transom_recovery::*;
use transom_types::Applid;

fn start() -> Option<Cluster> {
    Cluster::of_test(Cluster::start())
}

fn options(connect: &str, system: u64) -> PgOptions {
    let mut options = PgOptions::new(connect, Applid::from_field(b"REGION"));
    options.system = system;
    options
}

fn open(cluster: &Cluster) -> PgStore {
    let store = PgStore::open(options(&cluster.connect(), 0)).unwrap();
    wait(store.define("file/A")).unwrap();
    store
}

fn uow(n: u64) -> UowId {
    UowId::new(Applid::from_field(b"REGION"), n)
}

fn put(store: &PgStore, n: u64, record: &str) -> Result<(), StoreError> {
    let change = Change::Put(record.as_bytes().to_vec());
    wait(store.stage(uow(n), "file/A", b"k", change, Wait::No))
}

fn get(store: &PgStore) -> Option<Vec<u8>> {
    let read = store.read(None, "file/A", b"k", Match::Equal, Lock::None);
    wait(read).unwrap().map(|r| r.record)
}

/// Runs a statement for each row of a query of its texts.
fn by_hand(cluster: &Cluster, verb: &str) {
    let gid = cluster
        .sql("postgres", "SELECT gid FROM pg_prepared_xacts")
        .unwrap();
    cluster
        .sql("postgres", &format!("{verb} PREPARED '{gid}'"))
        .unwrap();
}

#[test]
fn a_prepared_transaction_that_is_over_is_judged_by_what_it_wrote() {
    let Some(cluster) = start() else { return };
    let store = open(&cluster);
    // As a COMMIT PREPARED whose answer was lost.
    put(&store, 1, "one").unwrap();
    wait(store.prepare(uow(1), b"")).unwrap();
    by_hand(&cluster, "COMMIT");
    assert_eq!(wait(store.commit(uow(1))), Ok(()));
    assert_eq!(get(&store), Some(b"one".to_vec()));
    // Rolled back by hand, decided to commit: nobody may call that done.
    put(&store, 2, "two").unwrap();
    wait(store.prepare(uow(2), b"")).unwrap();
    by_hand(&cluster, "ROLLBACK");
    let ended = wait(store.commit(uow(2)));
    assert!(matches!(ended, Err(StoreError::Unknown(_))), "{ended:?}");
    // The same while the region was down.
    put(&store, 3, "three").unwrap();
    wait(store.prepare(uow(3), b"")).unwrap();
    drop(store);
    by_hand(&cluster, "ROLLBACK");
    let store = open(&cluster);
    assert_eq!(wait(store.in_doubt()), Ok(vec![]));
    let ended = wait(store.resolve(uow(3), Outcome::Commit));
    assert!(matches!(ended, Err(StoreError::Unknown(_))), "{ended:?}");
    // No lock and no note is left.
    put(&store, 4, "four").unwrap();
    wait(store.commit(uow(4))).unwrap();
    let notes = "SELECT count(*) FROM (SELECT gid FROM transom.prepared UNION ALL
         SELECT gid FROM transom.ended UNION ALL SELECT gid FROM transom.retained) n";
    assert_eq!(cluster.sql("postgres", notes), Ok("0".to_owned()));
}

#[test]
fn units_of_work_lose_their_session_and_the_store_goes_on() {
    let Some(cluster) = start() else { return };
    let store = open(&cluster);
    put(&store, 1, "lost").unwrap();
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE application_name LIKE 'transom %'";
    cluster.sql("postgres", end).unwrap();
    let ended = wait(store.commit(uow(1)));
    assert!(
        matches!(ended, Err(StoreError::Unavailable(_))),
        "{ended:?}"
    );
    wait(store.backout(uow(1))).unwrap();
    assert_eq!(get(&store), None);
    // A lock alone is lost, too: what was read under it may have changed.
    wait(store.lock(uow(3), "file/A", b"k", Wait::No)).unwrap();
    cluster.sql("postgres", end).unwrap();
    let ended = wait(store.commit(uow(3)));
    assert!(
        matches!(ended, Err(StoreError::Unavailable(_))),
        "{ended:?}"
    );
    wait(store.backout(uow(3))).unwrap();
    // The end of an idle session may not have been noticed yet; who comes next gets another one.
    let idle = put(&store, 4, "idle");
    assert!(matches!(idle, Ok(()) | Err(StoreError::Unavailable(_))));
    wait(store.backout(uow(4))).unwrap();
    put(&store, 2, "next").unwrap();
    wait(store.prepare(uow(2), b"")).unwrap();
    cluster.stop().unwrap();
    let ended = wait(store.commit(uow(2)));
    assert!(
        matches!(ended, Err(StoreError::Unavailable(_))),
        "{ended:?}"
    );
    cluster.begin().unwrap();
    wait(store.commit(uow(2))).unwrap();
    assert_eq!(get(&store), Some(b"next".to_vec()));
}

/// The session of a reader ends under its question: the answer comes from another one, and not from
/// the same whose end nobody has seen yet.
#[test]
fn a_reader_whose_session_ends_asks_on_another_one() {
    let Some(cluster) = start() else { return };
    let store = open(&cluster);
    put(&store, 1, "one").unwrap();
    wait(store.commit(uow(1))).unwrap();
    let waiting = "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name LIKE 'transom %'";
    let until = |statement: &str| {
        let begin = Instant::now();
        while cluster.sql("postgres", statement) == Ok("0".to_owned()) {
            assert!(begin.elapsed() < Duration::from_secs(20), "{statement}");
        }
    };
    for _ in 0..10 {
        std::thread::scope(|threads| {
            // Somebody has the table for himself until he is ended.
            let alone = "LOCK TABLE transom_data.\"file/A\"; SELECT pg_sleep(30)";
            threads.spawn(|| cluster.sql("postgres", alone));
            let asleep = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
            until(&format!("SELECT count(*) {asleep}"));
            let reader = threads.spawn(|| get(&store));
            until(&format!(
                "SELECT count(pg_terminate_backend(pid)) {waiting}"
            ));
            until(&format!("SELECT count(*) {waiting}"));
            until(&format!("SELECT count(pg_terminate_backend(pid)) {asleep}"));
            assert_eq!(reader.join().unwrap(), Some(b"one".to_vec()));
        });
    }
}

/// All sessions of a full store died: each unit of work still has its place and needs another
/// session to end.
#[test]
fn a_full_store_ends_what_lost_its_sessions() {
    let Some(cluster) = start() else { return };
    let mut one = options(&cluster.connect(), 0);
    one.sessions_max = 1;
    let store = std::sync::Arc::new(PgStore::open(one).unwrap());
    wait(store.define("file/A")).unwrap();
    put(&store, 1, "one").unwrap();
    wait(store.prepare(uow(1), b"")).unwrap();
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE application_name LIKE 'transom %'";
    cluster.sql("postgres", end).unwrap();
    let (ended, told) = std::sync::mpsc::sync_channel(1);
    let other = store.clone();
    std::thread::spawn(move || {
        while let Err(error) = wait(other.commit(uow(1))) {
            assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        }
        ended.send(()).unwrap();
    });
    told.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(get(&store), Some(b"one".to_vec()));
    // The place is free again.
    put(&store, 2, "two").unwrap();
    wait(store.commit(uow(2))).unwrap();
}

/// Whether the server has taken over that commits wait for a standby; `end` ends who does.
fn commits_wait(cluster: &Cluster, end: &str) -> bool {
    let write = "CREATE TABLE IF NOT EXISTS probe (n int); INSERT INTO probe VALUES (1)";
    std::thread::scope(|threads| {
        let commit = threads.spawn(|| cluster.sql("postgres", write));
        loop {
            if cluster.sql("postgres", end) == Ok("1".to_owned()) {
                return true;
            }
            if commit.is_finished() {
                return false;
            }
        }
    })
}

#[test]
fn a_commit_whose_answer_is_lost_is_looked_up() {
    let Some(cluster) = start() else { return };
    let store = std::sync::Arc::new(open(&cluster));
    // A trigger that makes COMMIT slow: the constraint is looked at when it comes. Nobody waits so
    // long: the session is ended when it sleeps.
    let slow = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN PERFORM pg_sleep(60); RETURN NULL; END';
         CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON transom_data.\"file/A\"
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()";
    cluster.sql("postgres", slow).unwrap();
    put(&store, 1, "slow").unwrap();
    let (other, begin) = (store.clone(), Instant::now());
    let commit = std::thread::spawn(move || wait(other.commit(uow(1))));
    let asleep = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE wait_event = 'PgSleep'";
    while cluster.sql("postgres", asleep) == Ok("0".to_owned()) {
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
    // It was ended before it was committed, and the store knows.
    let ended = commit.join().unwrap();
    assert!(
        matches!(ended, Err(StoreError::Unavailable(_))),
        "{ended:?}"
    );
    assert_eq!(get(&store), None);
    wait(store.backout(uow(1))).unwrap();
    // It waits for a standby that is not there: committed, and nobody has been told.
    let drop = "DROP TRIGGER slow ON transom_data.\"file/A\"";
    cluster.sql("postgres", drop).unwrap();
    let standby = "ALTER SYSTEM SET synchronous_standby_names = 'nobody'";
    cluster.sql("postgres", standby).unwrap();
    cluster.sql("postgres", "SELECT pg_reload_conf()").unwrap();
    let waits = asleep.replace("PgSleep", "SyncRep");
    let begin = Instant::now();
    while !commits_wait(&cluster, &waits) {
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
    put(&store, 2, "there").unwrap();
    let (other, begin) = (store.clone(), Instant::now());
    let commit = std::thread::spawn(move || wait(other.commit(uow(2))));
    while cluster.sql("postgres", &waits) == Ok("0".to_owned()) {
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(commit.join().unwrap(), Ok(()));
    assert_eq!(get(&store), Some(b"there".to_vec()));
}

#[test]
fn systems_and_databases_do_not_meet() {
    let Some(cluster) = start() else { return };
    let first = PgStore::open(options(&cluster.connect(), 1)).unwrap();
    wait(first.define("file/A")).unwrap();
    put(&first, 1, "one").unwrap();
    wait(first.prepare(uow(1), b"")).unwrap();
    // The same APPLID of another system, and of another database.
    let second = PgStore::open(options(&cluster.connect(), 2)).unwrap();
    assert_eq!(wait(second.in_doubt()), Ok(vec![]));
    let connect = cluster.database("other").unwrap();
    let third = PgStore::open(options(&connect, 1)).unwrap();
    assert_eq!(wait(third.in_doubt()), Ok(vec![]));
    assert_ne!(first.identity(), third.identity());
    wait(third.define("file/A")).unwrap();
    put(&third, 1, "one").unwrap();
    wait(third.prepare(uow(1), b"")).unwrap();
    wait(third.backout(uow(1))).unwrap();
    // The same of everything is refused.
    let again = PgStore::open(options(&cluster.connect(), 1)).err();
    assert!(matches!(again, Some(StoreError::InUse(_))), "{again:?}");
    wait(first.commit(uow(1))).unwrap();
    assert_eq!(get(&second), Some(b"one".to_vec()));
    // A utility may look at the same time, and ends nothing.
    put(&first, 2, "two").unwrap();
    wait(first.prepare(uow(2), b"")).unwrap();
    let mut beside = options(&cluster.connect(), 1);
    beside.utility = true;
    let utility = PgStore::open(beside).unwrap();
    assert_eq!(wait(utility.in_doubt()).unwrap().len(), 1);
    drop(utility);
    wait(first.commit(uow(2))).unwrap();
    // A format that this program does not know.
    drop(third);
    let other = "UPDATE transom.store SET version = '99'";
    cluster.sql("other", other).unwrap();
    let wrong = PgStore::open(options(&connect, 1)).err();
    assert!(matches!(wrong, Some(StoreError::Wrong(_))), "{wrong:?}");
}

#[test]
fn a_system_remembers_its_databases() {
    let Some(cluster) = start() else { return };
    let local = std::sync::Arc::new(MemoryStore::in_memory(1 << 20));
    let joint = |connect: String| {
        let bank = Partner {
            name: "bank".to_owned(),
            connect: Box::new(move |system| {
                Ok(std::sync::Arc::new(PgStore::open(options(
                    &connect, system,
                ))?))
            }),
            owns: Box::new(|_| true),
        };
        JointStore::open(
            local.clone(),
            vec![bank],
            transom_messages::Operator::nobody(),
        )
    };
    drop(joint(cluster.connect()).unwrap());
    let other = joint(cluster.database("other").unwrap()).err();
    assert!(matches!(other, Some(StoreError::Wrong(_))), "{other:?}");
}

/// Certificates of a server called `db.test`.
fn certificates(folder: &Path) -> Result<(), String> {
    let made = rcgen::generate_simple_self_signed(vec!["db.test".to_owned()]);
    let made = made.map_err(|e| e.to_string())?;
    let key = folder.join("server.key");
    std::fs::write(folder.join("server.crt"), made.cert.pem()).map_err(|e| e.to_string())?;
    std::fs::write(&key, made.signing_key.serialize_pem()).map_err(|e| e.to_string())?;
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&key, private).map_err(|e| e.to_string())
}

#[test]
fn connections_are_encrypted_and_certificates_looked_at() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root.crt");
    let copy = root.clone();
    let started = Cluster::start_with(
        &format!("-c listen_addresses=127.0.0.1 -c port={port} -c ssl=on"),
        move |data| {
            certificates(data).map_err(ClusterError::Folder)?;
            let copied = std::fs::copy(data.join("server.crt"), copy);
            copied
                .map(|_| ())
                .map_err(|e| ClusterError::Folder(e.to_string()))
        },
    );
    let Some(_cluster) = Cluster::of_test(started) else {
        return;
    };
    let root = root.display();
    let place = format!("hostaddr=127.0.0.1 port={port} user=postgres dbname=postgres");
    let opens = |more: &str| PgStore::open(options(&format!("{place} {more}"), 0)).map(drop);
    assert_eq!(opens("host=db.test sslmode=require"), Ok(()));
    assert_eq!(
        opens(&format!(
            "host=other.test sslmode=verify-ca sslrootcert={root}"
        )),
        Ok(())
    );
    assert_eq!(
        opens(&format!(
            "host=db.test sslmode=verify-full sslrootcert={root}"
        )),
        Ok(())
    );
    let name = opens(&format!(
        "host=other.test sslmode=verify-full sslrootcert={root}"
    ));
    assert!(name.unwrap_err().to_string().contains("certificate"));
    let unknown = opens("host=db.test sslmode=verify-full sslrootcert=system");
    assert!(unknown.unwrap_err().to_string().contains("certificate"));
}

/// A region opens its stores on a runtime of its own; a server that is away must not end it.
#[test]
fn a_server_that_is_away_is_an_error_on_a_runtime_too() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let opened = runtime
        .unwrap()
        .block_on(async { PgStore::open(options("host=127.0.0.1 port=1", 0)) });
    let text = opened.err().unwrap().to_string();
    assert!(text.contains("cannot be reached"), "{text}");
}
