//! What only a store on a disk has: locks against others, full disks, damage, copies, readers in
//! other processes.

use crate::{PLACES, places, read_only};
use std::path::Path;
use std::sync::Arc;
use transom_datasets::{
    Cluster, DatasetName, Datasets, Find, LocalOptions, LocalStore, check_structure, open_local,
};
use transom_recovery::*;
use transom_types::Applid;

fn uow(number: u64) -> UowId {
    UowId::new(Applid::from_field(b"LOCAL"), number)
}

fn open(folder: &Path) -> LocalStore {
    open_local(folder, LocalOptions::default(), Settings::default()).unwrap()
}

fn put(store: &LocalStore, u: UowId, key: &[u8], record: Vec<u8>) -> Result<(), StoreError> {
    wait(store.stage(u, "file/A", key, Change::Put(record), Wait::No))
}

fn get(store: &dyn UowStore, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
    let row = wait(store.read(None, "file/A", key, Match::Equal, Lock::None))?;
    Ok(row.map(|r| r.record))
}

#[test]
fn what_was_committed_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = open(folder.path());
        wait(store.define("file/A")).unwrap();
        put(&store, uow(1), b"k", b"committed".to_vec()).unwrap();
        assert_eq!(wait(store.allocate("file/A", 9)), Ok(0));
        wait(store.commit(uow(1))).unwrap();
        put(&store, uow(2), b"l", b"lost".to_vec()).unwrap();
        put(&store, uow(3), b"m", b"in doubt".to_vec()).unwrap();
        wait(store.prepare(uow(3), b"info")).unwrap();
    }
    let store = open(folder.path());
    assert_eq!(get(&store, b"k"), Ok(Some(b"committed".to_vec())));
    assert_eq!(get(&store, b"l"), Ok(None));
    assert_eq!(wait(store.allocate("file/A", 1)), Ok(9));
    assert_eq!(put(&store, uow(4), b"m", vec![]), Err(StoreError::Locked));
    assert_eq!(wait(store.in_doubt()).unwrap()[0].uow, uow(3));
    wait(store.resolve(uow(3), Outcome::Commit)).unwrap();
    assert_eq!(get(&store, b"m"), Ok(Some(b"in doubt".to_vec())));
}

#[test]
fn a_second_region_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let _first = open(folder.path());
    let second = open_local(folder.path(), LocalOptions::default(), Settings::default());
    let text = second.err().unwrap().to_string();
    assert!(
        text.contains(&format!("in use by process {}", std::process::id())),
        "{text}"
    );
}

/// Somebody thinks the lock file is what a crash left behind, and the reader table with it.
#[test]
fn a_second_region_is_refused_without_the_lock_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path());
    wait(first.define("file/A")).unwrap();
    std::fs::remove_file(folder.path().join("region.lock")).unwrap();
    let second = open_local(folder.path(), LocalOptions::default(), Settings::default());
    let text = second.err().unwrap().to_string();
    assert!(text.contains("in use by another process"), "{text}");
    let write = Write::new("file/A", b"k", Change::Put(b"and on".to_vec()));
    wait(first.write_now(None, vec![write], Wait::No)).unwrap();
    drop(first);
    assert_eq!(
        get(&open(folder.path()), b"k"),
        Ok(Some(b"and on".to_vec()))
    );
}

#[test]
fn a_full_map_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let options = LocalOptions {
        map_bytes: 2 << 20,
        ..LocalOptions::default()
    };
    let store = open_local(folder.path(), options, Settings::default()).unwrap();
    wait(store.define("file/A")).unwrap();
    put(&store, uow(1), b"small", b"first".to_vec()).unwrap();
    wait(store.commit(uow(1))).unwrap();
    put(&store, uow(2), b"big", vec![1; 3 << 20]).unwrap();
    put(&store, uow(3), b"other", b"second".to_vec()).unwrap();
    let (big, other) = (store.commit(uow(2)), store.commit(uow(3)));
    assert!(matches!(wait(big), Err(StoreError::NoSpace(_))));
    assert_eq!(wait(other), Ok(()));
    assert_eq!(get(&store, b"small"), Ok(Some(b"first".to_vec())));
    assert_eq!(get(&store, b"other"), Ok(Some(b"second".to_vec())));
    let own = wait(store.read(Some(uow(2)), "file/A", b"big", Match::Equal, Lock::None));
    assert_eq!(own.unwrap().unwrap().record.len(), 3 << 20);
    wait(store.backout(uow(2))).unwrap();
    let limits = store.stats().limits;
    let map = limits.iter().find(|l| l.name == "store map bytes").unwrap();
    assert!(map.reached > 0 && map.limit == 2 << 20, "{map:?}");
}

/// Needs a small file system: `mount -t tmpfs -o size=8m none DIR`, then
/// `TRANSOM_TEST_SMALL_DISK=DIR`.
#[test]
fn a_full_disk_loses_nothing() {
    let Some(disk) = std::env::var_os("TRANSOM_TEST_SMALL_DISK") else {
        return println!("skipped: TRANSOM_TEST_SMALL_DISK is not set");
    };
    let folder = tempfile::tempdir_in(disk).unwrap();
    let mut committed = Vec::new();
    for round in 0..3_u64 {
        let store = open(folder.path());
        wait(store.define("file/A")).unwrap();
        let full = (0..100_000_u64).find_map(|n| {
            let (key, u) = ([round.to_be_bytes(), n.to_be_bytes()].concat(), uow(n + 1));
            put(&store, u, &key, vec![n as u8; 3_000]).unwrap();
            match wait(store.commit(u)) {
                Ok(()) => {
                    committed.push(key);
                    None
                }
                Err(error) => Some((error, u)),
            }
        });
        let (error, u) = full.unwrap();
        assert!(matches!(error, StoreError::NoSpace(_)), "{error}");
        wait(store.backout(u)).unwrap();
        // The store goes on: what is deleted makes room again.
        for key in committed.drain(committed.len() / 2..) {
            assert!(get(&store, &key).unwrap().is_some());
            let erase = Write::new("file/A", key, Change::Erase);
            let erased = wait(store.write_now(None, vec![erase], Wait::No));
            assert!(
                matches!(erased, Ok(()) | Err(StoreError::NoSpace(_))),
                "{erased:?}"
            );
        }
        for key in &committed {
            assert!(get(&store, key).unwrap().is_some(), "round {round}");
        }
        assert_eq!(wait(store.verify("")).unwrap(), vec![]);
    }
}

#[test]
fn a_changed_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = open(folder.path());
        wait(store.define("file/A")).unwrap();
        for n in 0..20 {
            let record = format!("RECORD NUMBER {n:02}").into_bytes();
            put(&store, uow(1), &[n], record).unwrap();
        }
        wait(store.commit(uow(1))).unwrap();
        assert_eq!(wait(store.verify("file/")).unwrap(), vec![]);
    }
    let data = folder.path().join("data.mdb");
    let mut bytes = std::fs::read(&data).unwrap();
    let text = b"RECORD NUMBER 07";
    let mut places: Vec<usize> = Vec::new();
    for place in 0..bytes.len() - text.len() {
        if &bytes[place..place + text.len()] == text {
            places.push(place);
        }
    }
    assert!(!places.is_empty());
    places.iter().for_each(|p| bytes[p + 3] ^= 0x20);
    std::fs::write(&data, bytes).unwrap();
    let store = open(folder.path());
    let damage = Damage {
        table: "file/A".to_owned(),
        key: vec![7],
    };
    assert_eq!(wait(store.verify("")).unwrap(), vec![damage]);
    assert!(matches!(get(&store, &[7]), Err(StoreError::Damaged { .. })));
    assert!(get(&store, &[8]).unwrap().is_some());
}

#[test]
fn a_cut_file_and_a_changed_page_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = open(folder.path());
        wait(store.define("file/A")).unwrap();
        let write = |n: u32| Write::new("file/A", n.to_be_bytes(), Change::Put(vec![7; 100]));
        wait(store.write_now(None, (0..2_000).map(write).collect(), Wait::No)).unwrap();
    }
    let data = folder.path().join("data.mdb");
    let whole = std::fs::read(&data).unwrap();
    let refused = || {
        let store = open_local(folder.path(), LocalOptions::default(), Settings::default());
        store.err().unwrap().to_string()
    };
    std::fs::write(&data, &whole[..whole.len() / 2]).unwrap();
    let text = refused();
    assert!(
        text.contains("is damaged, restore a backup: page"),
        "{text}"
    );
    std::fs::write(&data, [&vec![0; 8_192], &whole[8_192..]].concat()).unwrap();
    let text = refused();
    assert!(text.contains("it has no valid header"), "{text}");
    // A leaf: not looked at when the store opens, but by verify.
    let leaf = (2..whole.len() / 4_096)
        .find(|page| whole[page * 4_096 + 10] == 2 && whole[page * 4_096 + 12..][..2] > [60, 0][..])
        .unwrap();
    let mut changed = whole.clone();
    changed[leaf * 4_096] ^= 1;
    std::fs::write(&data, &changed).unwrap();
    let text = check_structure(folder.path()).unwrap_err().to_string();
    assert!(text.contains("is not what it should be"), "{text}");
    std::fs::write(&data, whole).unwrap();
    check_structure(folder.path()).unwrap();
    let store = open(folder.path());
    assert_eq!(wait(store.count("file/A")), Ok(2_000));
    let refused = check_structure(folder.path());
    assert!(matches!(refused, Err(StoreError::InUse(_))), "{refused:?}");
}

#[test]
fn a_copy_is_a_store() {
    let (folder, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = open(folder.path());
    wait(store.define("file/A")).unwrap();
    put(&store, uow(1), b"k", b"one".to_vec()).unwrap();
    wait(store.commit(uow(1))).unwrap();
    put(&store, uow(2), b"k", b"not yet".to_vec()).unwrap();
    let copy = target.path().join("copy");
    wait(store.backup(&copy)).unwrap();
    assert!(matches!(wait(store.backup(&copy)), Err(StoreError::Io(_))));
    wait(store.checkpoint()).unwrap();
    assert_eq!(get(&open(&copy), b"k"), Ok(Some(b"one".to_vec())));
}

#[test]
fn a_big_table_is_emptied_at_once_and_swept_later() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    wait(store.define("file/A")).unwrap();
    for batch in 0..30_u32 {
        let write = |n: u32| {
            Write::new(
                "file/A",
                (batch * 1_000 + n).to_be_bytes(),
                Change::Put(vec![7; 20]),
            )
        };
        wait(store.write_now(None, (0..1_000).map(write).collect(), Wait::No)).unwrap();
    }
    assert_eq!(wait(store.count("file/A")), Ok(30_000));
    wait(store.empty("file/A")).unwrap();
    assert_eq!(wait(store.count("file/A")), Ok(0));
    for n in 0..40_u32 {
        let write = Write::new("file/A", n.to_be_bytes(), Change::Put(vec![8]));
        wait(store.write_now(None, vec![write], Wait::No)).unwrap();
    }
    assert_eq!(wait(store.count("file/A")), Ok(40));
}

/// The child of [`another_process_reads`]: heed refuses to map a store twice in one process.
fn read_as_child(folder: &Path) {
    let store = Arc::new(read_only(folder));
    let all = wait(Datasets::open(store.clone())).unwrap();
    let data = all
        .dataset(&DatasetName::new("TEST.DATA").unwrap())
        .unwrap();
    let found = wait(data.read(None, b"0042", Find::Equal)).unwrap();
    println!("read {}", String::from_utf8_lossy(&found.record));
    let refused = wait(store.commit(uow(1))).unwrap_err();
    println!("commit {refused}");
    println!("ready");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let found = wait(data.read(None, b"0043", Find::Equal)).unwrap();
    println!("read {}", String::from_utf8_lossy(&found.record));
    // Dies in the middle of its work.
    std::process::abort();
}

/// Workers come and go; each leaves its place among the readers behind.
#[test]
fn readers_that_ended_take_no_place() {
    const READ_FOLDER: &str = "TRANSOM_TEST_PLACES_FOLDER";
    if let Some(folder) = std::env::var_os(READ_FOLDER) {
        let store = read_only(folder.as_ref());
        assert_eq!(store.get("file/A", b"key"), Ok(Some(vec![7; 600_000])));
        std::process::abort();
    }
    let folder = tempfile::tempdir().unwrap();
    let options = LocalOptions {
        map_bytes: 64 << 20,
        log_bytes: 1 << 20,
        readers_max: 12,
    };
    let store = open_local(folder.path(), options, Settings::default()).unwrap();
    wait(store.define("file/A")).unwrap();
    for _ in 0..30 {
        // Each second of these begins the log again.
        let put = Change::Put(vec![7; 600_000]);
        let write = Write::new("file/A", b"key", put);
        wait(store.write_now(None, vec![write], Wait::No)).unwrap();
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["local::readers_that_ended_take_no_place", "--exact"])
            .env(READ_FOLDER, folder.path())
            .env(PLACES, places(&store))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap();
        // It read what it should, and died then.
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&child),
            Some(6)
        );
    }
    let limits = store.stats().limits;
    let readers = limits.iter().find(|l| l.name == "store readers").unwrap();
    assert_eq!((readers.now, readers.peak, readers.limit), (0, 1, 12));
}

#[test]
fn another_process_reads() {
    use std::io::{BufRead, BufReader, Write as _};
    const READ_FOLDER: &str = "TRANSOM_TEST_READ_FOLDER";
    if let Some(folder) = std::env::var_os(READ_FOLDER) {
        return read_as_child(folder.as_ref());
    }
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(open(folder.path()));
    let all = wait(Datasets::open(store.clone())).unwrap();
    let name = DatasetName::new("TEST.DATA").unwrap();
    wait(all.define_cluster(Cluster::ksds(name.clone(), 0, 4, 80))).unwrap();
    let data = all.dataset(&name).unwrap();
    let access = transom_datasets::Access::patient(uow(1), true);
    wait(data.insert(access, None, b"0042first")).unwrap();
    wait(store.commit(uow(1))).unwrap();
    wait(data.insert(access, None, b"0043second")).unwrap();
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["local::another_process_reads", "--exact", "--nocapture"])
        .env(PLACES, places(&store))
        .env(READ_FOLDER, folder.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let before: Vec<String> = lines.by_ref().take_while(|l| l != "ready").collect();
    assert!(
        before.iter().any(|l| l.ends_with("read 0042first")),
        "{before:?}"
    );
    assert!(
        before.iter().any(|l| l.contains("mapped for reading")),
        "{before:?}"
    );
    wait(store.commit(uow(1))).unwrap();
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let after: Vec<String> = lines.collect();
    assert!(after.iter().any(|l| l == "read 0043second"), "{after:?}");
    child.wait().unwrap();
    // Its place is free although it ended in the middle of its work.
    let limits = store.stats().limits;
    let readers = limits.iter().find(|l| l.name == "store readers").unwrap();
    assert_eq!((readers.now, readers.peak), (0, 1));
}
