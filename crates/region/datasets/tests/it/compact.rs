//! Stores that are made as short as their data, while nobody uses them and while somebody does.

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::ops::Bound;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use transom_datasets::{LocalOptions, LocalStore, ReadOnlyStore, compact_local, open_local};
use transom_recovery::*;
use transom_types::Applid;

const FILES: [&str; 4] = ["checkpoint", "log.0", "log.1", "data.mdb"];

fn options() -> LocalOptions {
    LocalOptions {
        map_bytes: 1 << 30,
        log_bytes: 1 << 20,
        ..LocalOptions::default()
    }
}

fn open(folder: &Path) -> LocalStore {
    open_local(folder, options(), Settings::default()).unwrap()
}

/// Records in no order.
fn fill(store: &LocalStore, table: &str, records: u32) {
    wait(store.define(table)).unwrap();
    let keys: Vec<u32> = (0..records).collect();
    for part in keys.chunks(5_000) {
        let write = |key: &u32| {
            let mixed = key.wrapping_mul(2_654_435_761).to_be_bytes();
            Write::new(table, mixed, Change::Put(record(*key)))
        };
        wait(store.write_now(None, part.iter().map(write).collect(), Wait::No)).unwrap();
    }
}

fn record(key: u32) -> Vec<u8> {
    [&key.to_be_bytes()[..], &[b'x'; 196]].concat()
}

/// The folder of a store of two tables, one of which was deleted; a unit of work is in doubt.
fn store_with_gaps(folder: &Path) {
    let store = open(folder);
    fill(&store, "file/GONE", 60_000);
    fill(&store, "file/KEPT", 2_000);
    let uow = UowId::new(Applid::from_field(b"DOUBT"), 1);
    let put = Change::Put(b"later".to_vec());
    wait(store.stage(uow, "file/KEPT", b"DOUBT", put, Wait::No)).unwrap();
    wait(store.prepare(uow, b"who")).unwrap();
    assert_eq!(wait(store.drop_table("file/GONE")), Ok(true));
}

fn is_whole(folder: &Path) {
    let store = open(folder);
    assert_eq!(wait(store.verify("")), Ok(vec![]));
    assert_eq!(wait(store.tables("file/")).unwrap(), ["file/KEPT"]);
    assert_eq!(wait(store.count("file/KEPT")), Ok(2_000));
    assert_eq!(wait(store.in_doubt()).unwrap().len(), 1);
    let key = 7_u32.wrapping_mul(2_654_435_761).to_be_bytes();
    let row = wait(store.read(None, "file/KEPT", &key, Match::Equal, Lock::None)).unwrap();
    assert_eq!(row.unwrap().record, record(7));
}

#[test]
fn a_compacted_store_is_the_same_and_as_short_as_its_data() {
    let folder = tempfile::tempdir().unwrap();
    store_with_gaps(folder.path());
    let long = fs::metadata(folder.path().join("data.mdb")).unwrap().len();
    let done = compact_local(folder.path(), options()).unwrap();
    assert_eq!(done.before.file, long);
    assert!(long > 10 << 20 && done.after.file < 2 << 20, "{done:?}");
    let now = fs::metadata(folder.path().join("data.mdb")).unwrap().len();
    assert_eq!(now, done.after.file);
    is_whole(folder.path());
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(!names.iter().any(|n| n.starts_with("compact")), "{names:?}");
    assert!(!names.iter().any(|n| n == "replaced"), "{names:?}");
    // It goes on as any other, and a second time changes nothing.
    let store = open(folder.path());
    fill(&store, "file/NEW", 3_000);
    drop(store);
    compact_local(folder.path(), options()).unwrap();
    assert_eq!(wait(open(folder.path()).count("file/NEW")), Ok(3_000));
}

#[test]
fn one_that_is_used_is_not_compacted() {
    let folder = tempfile::tempdir().unwrap();
    store_with_gaps(folder.path());
    let store = open(folder.path());
    let refused = compact_local(folder.path(), options()).unwrap_err();
    assert!(matches!(refused, StoreError::InUse(_)), "{refused}");
    drop(store);
    is_whole(folder.path());
    let none = compact_local(&folder.path().join("none"), options());
    assert!(matches!(none, Err(StoreError::Wrong(_))), "{none:?}");
}

#[test]
fn a_compaction_that_died_after_its_decision_is_finished_by_who_opens_the_store() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    store_with_gaps(folder.path());
    compact_local(folder.path(), options()).unwrap();
    for name in FILES {
        fs::copy(folder.path().join(name), other.path().join(name)).unwrap();
    }
    for moved in 0..=FILES.len() {
        let folder = tempfile::tempdir().unwrap();
        store_with_gaps(folder.path());
        let ready = folder.path().join("compact.ready");
        fs::create_dir(&ready).unwrap();
        for (number, name) in FILES.iter().enumerate() {
            let to = if number < moved {
                folder.path()
            } else {
                &ready
            };
            fs::copy(other.path().join(name), to.join(name)).unwrap();
        }
        is_whole(folder.path());
        assert!(!ready.exists(), "{moved}");
        let data = fs::metadata(folder.path().join("data.mdb")).unwrap();
        assert!(data.len() < 2 << 20, "{moved}: {}", data.len());
    }
}

/// Where it is set, [`a_compaction_is_killed_at_any_moment`] compacts the store there.
const FOLDER: &str = "TRANSOM_TEST_COMPACT_FOLDER";

#[test]
fn a_compaction_is_killed_at_any_moment() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        loop {
            compact_local(folder.as_ref(), options()).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    store_with_gaps(folder.path());
    for round in 0..12_u32 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["compact::a_compaction_is_killed_at_any_moment", "--exact"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(u64::from(20 + round * 17)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(
            folder.path().join("data.mdb").exists() || folder.path().join("compact.ready").exists()
        );
        is_whole(folder.path());
        assert!(!folder.path().join("compact.part").exists());
    }
}

#[test]
fn room_comes_back_while_the_store_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    fill(&store, "file/GONE", 60_000);
    fill(&store, "file/KEPT", 2_000);
    let data = folder.path().join("data.mdb");
    let disk = || fs::metadata(&data).unwrap().blocks() * 512;
    let full = disk();
    assert!(full > 10 << 20);
    wait(store.drop_table("file/GONE")).unwrap();
    // Nothing is asked of it any more.
    let begin = Instant::now();
    while disk() > 6 << 20 {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{full} {}",
            disk()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    // A file that lies in many pieces has blocks for their list, too.
    let full = full - (full >> 4);
    let space = store.stats().space.unwrap();
    assert!(
        space.net < 2 << 20 && space.file >= full && space.disk < 6 << 20,
        "{full} {space:?}"
    );
    assert_eq!(space.free, space.file - space.net);
    assert_eq!(wait(store.verify("")), Ok(vec![]));
    assert_eq!(wait(store.count("file/KEPT")), Ok(2_000));
    // Holes are filled again.
    fill(&store, "file/NEW", 30_000);
    assert_eq!(wait(store.verify("")), Ok(vec![]));
    drop(store);
    let store = open(folder.path());
    assert_eq!(wait(store.verify("")), Ok(vec![]));
    assert_eq!(wait(store.count("file/NEW")), Ok(30_000));
}

/// Where it is set, [`room_that_somebody_reads_does_not_go`] reads the store there.
const READER: &str = "TRANSOM_TEST_COMPACT_READER";

/// Reads all of a table in one transaction, and waits after the first record.
fn read_slowly(folder: &Path) {
    let store = ReadOnlyStore::open(folder).unwrap();
    let all = Scan {
        from: Bound::Unbounded,
        prefix: &[],
        direction: Direction::Forward,
        limit: usize::MAX,
        bytes_max: usize::MAX,
    };
    let mut count = 0;
    let ended = store.visit("file/GONE", all, &mut |_, record| {
        if count == 0 {
            println!("ready");
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
        assert_eq!(record[4..], [b'x'; 196]);
        count += 1;
    });
    println!("read {count} {ended:?}");
}

#[test]
fn room_that_somebody_reads_does_not_go() {
    if let Some(folder) = std::env::var_os(READER) {
        return read_slowly(folder.as_ref());
    }
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    fill(&store, "file/GONE", 60_000);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["compact::room_that_somebody_reads_does_not_go", "--exact"])
        .arg("--nocapture")
        .env(READER, folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    assert!(lines.any(|line| line.ends_with("ready")));
    wait(store.drop_table("file/GONE")).unwrap();
    let begin = Instant::now();
    while store.stats().space.unwrap().net > 1 << 20 {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    // Whoever changes anything now takes other pages, and makes checkpoints.
    for round in 0..4 {
        fill(&store, &format!("file/NEW{round}"), 5_000);
        wait(store.checkpoint()).unwrap();
    }
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let said: Vec<String> = lines.collect();
    child.wait().unwrap();
    assert!(
        said.iter().any(|l| l.contains("read 60000 Ok(true)")),
        "{said:?}"
    );
}
