//! A store that is as long as it may be: it can be emptied, used again, and made longer while
//! workers read it.

use crate::read_only;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use transom_datasets::{LocalOptions, LocalStore, open_local};
use transom_recovery::*;

const MAP: usize = 2 << 20;

fn open(folder: &Path, map_bytes: usize) -> LocalStore {
    let options = LocalOptions {
        map_bytes,
        ..LocalOptions::default()
    };
    open_local(folder, options, Settings::default()).unwrap()
}

fn put(
    store: &LocalStore,
    keys: impl Iterator<Item = u32>,
    bytes: usize,
) -> Result<(), StoreError> {
    let write = |key: u32| {
        // Not in order: pages are split, not only added.
        let key = key.wrapping_mul(2_654_435_761).to_be_bytes();
        Write::new("file/A", key, Change::Put(vec![key[0]; bytes]))
    };
    wait(store.write_now(None, keys.map(write).collect(), Wait::No))
}

/// Where a flush costs nothing, if there is such a place: these tests are not about flushes.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Adds records until not a single short one is taken any more; keys that were tried.
fn fill(store: &LocalStore, bytes: usize) -> u32 {
    let (mut next, mut size, mut group) = (0, bytes, 20);
    loop {
        let result = put(store, next..next + group, size);
        next += group;
        match result {
            Ok(()) => {}
            Err(StoreError::NoSpace(_)) if group > 1 => group = 1,
            Err(StoreError::NoSpace(_)) if size > 1 => size /= 2,
            Err(StoreError::NoSpace(_)) => return next,
            Err(error) => panic!("{error}"),
        }
    }
}

fn map_limit(store: &LocalStore) -> LimitStat {
    let limits = store.stats().limits;
    limits
        .into_iter()
        .find(|l| l.name == "store map bytes")
        .unwrap()
}

#[test]
fn a_full_store_is_emptied_and_used_again() {
    for bytes in [100, 9_000, 50_000] {
        let folder = folder();
        let store = open(folder.path(), MAP);
        wait(store.define("file/A")).unwrap();
        for round in 0..2 {
            fill(&store, bytes);
            let limit = map_limit(&store);
            assert!(
                limit.now <= MAP as u64 && limit.now > MAP as u64 * 9 / 10,
                "{limit:?}"
            );
            wait(store.empty("file/A")).unwrap_or_else(|e| panic!("{bytes}, round {round}: {e}"));
            assert_eq!(wait(store.count("file/A")), Ok(0));
            put(&store, 0..20, bytes).unwrap_or_else(|e| panic!("{bytes}, round {round}: {e}"));
        }
        fill(&store, bytes);
        assert_eq!(wait(store.drop_table("file/A")), Ok(true));
        wait(store.define("file/A")).unwrap();
        put(&store, 0..20, bytes).unwrap();
        assert_eq!(wait(store.verify("")), Ok(vec![]));
    }
}

#[test]
fn records_of_a_full_store_are_deleted_and_changed() {
    let folder = folder();
    let store = open(folder.path(), MAP);
    wait(store.define("file/A")).unwrap();
    let tried = fill(&store, 1_000);
    // Of the same length: nothing grows.
    put(&store, 0..20, 1_000).unwrap();
    for key in 0..tried {
        let key = key.wrapping_mul(2_654_435_761).to_be_bytes();
        let erase = Write::new("file/A", key, Change::Erase);
        wait(store.write_now(None, vec![erase], Wait::No)).unwrap();
    }
    assert_eq!(wait(store.count("file/A")), Ok(0));
    put(&store, 0..500, 1_000).unwrap();
    // Opened with less than it has: what is there can be read, changed and deleted.
    drop(store);
    let store = open(folder.path(), 64 << 10);
    put(&store, 0..20, 1_000).unwrap();
    let more = put(&store, 500..1_500, 1_000);
    assert!(matches!(more, Err(StoreError::NoSpace(_))), "{more:?}");
    wait(store.empty("file/A")).unwrap();
    put(&store, 0..20, 1_000).unwrap();
}

/// Where it is set, [`a_reader_sees_a_store_that_was_made_longer`] is the reader, and this is its
/// store.
const FOLDER: &str = "TRANSOM_TEST_FULL_FOLDER";

/// What the reader does.
fn count_when_told(folder: &Path) {
    let store = read_only(folder);
    println!("ready");
    std::io::stdin().read_line(&mut String::new()).unwrap();
    println!("count {:?}", wait(store.count("file/A")));
}

#[test]
fn a_reader_sees_a_store_that_was_made_longer() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return count_when_told(folder.as_ref());
    }
    let folder = folder();
    let store = open(folder.path(), MAP);
    wait(store.define("file/A")).unwrap();
    drop(store);
    let store = open(folder.path(), 8 * MAP);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "full::a_reader_sees_a_store_that_was_made_longer",
            "--exact",
        ])
        .arg("--nocapture")
        .env(FOLDER, folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    assert!(lines.any(|line| line.ends_with("ready")));
    for key in 0..100 {
        put(&store, key..key + 1, 50_000).unwrap();
    }
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let said: Vec<String> = lines.collect();
    child.wait().unwrap();
    assert!(
        said.iter().any(|l| l.ends_with("count Ok(100)")),
        "{said:?}"
    );
}
