//! The log in front of the tree: what a start finds when the last run did not end in order.

use std::fs;
use std::path::Path;
use transom_datasets::{LocalOptions, LocalStore, check_structure, open_local};
use transom_recovery::*;
use transom_types::Applid;

const FILES: [&str; 4] = ["data.mdb", "log.0", "log.1", "checkpoint"];

fn open(folder: &Path) -> Result<LocalStore, StoreError> {
    let options = LocalOptions {
        log_bytes: 32 << 10,
        ..LocalOptions::default()
    };
    open_local(folder, options, Settings::default())
}

fn put(store: &LocalStore, key: u32, bytes: usize) {
    let uow = UowId::new(Applid::from_field(b"LOG"), 1);
    let record = vec![key as u8; bytes];
    let change = Change::Put(record);
    wait(store.stage(uow, "file/A", &key.to_be_bytes(), change, Wait::No)).unwrap();
    wait(store.commit(uow)).unwrap();
}

fn length(store: &LocalStore, key: u32) -> Option<usize> {
    let key = key.to_be_bytes();
    let row = wait(store.read(None, "file/A", &key, Match::Equal, Lock::None)).unwrap();
    row.map(|row| row.record.len())
}

/// The files as another start would find them if the process died now.
fn killed(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for name in FILES {
        fs::copy(folder.join(name), copy.path().join(name)).unwrap();
    }
    copy
}

#[test]
fn a_log_is_applied_and_a_second_one_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    wait(store.define("file/A")).unwrap();
    let mut copies = Vec::new();
    // 32 KiB hold about seven of these: several logs, and states with one and with two of them.
    for key in 0..40 {
        put(&store, key, 4_000);
        copies.push((key, killed(folder.path())));
    }
    // More than a log holds.
    put(&store, 40, 100_000);
    copies.push((40, killed(folder.path())));
    for (last, copy) in copies {
        check_structure(copy.path()).unwrap();
        for round in 0..2 {
            let store = open(copy.path()).unwrap();
            assert_eq!(wait(store.count("file/A")), Ok(u64::from(last) + 1));
            assert_eq!(
                length(&store, last),
                Some(if last == 40 { 100_000 } else { 4_000 })
            );
            assert_eq!(wait(store.verify("")), Ok(vec![]), "round {round}");
        }
    }
    let limits = store.stats().limits;
    let log = limits.iter().find(|l| l.name == "store log bytes").unwrap();
    assert!(log.limit == 32 << 10 && log.peak >= log.limit, "{log:?}");
}

#[test]
fn a_damaged_record_with_others_behind_it_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    wait(store.define("file/A")).unwrap();
    for key in 0..3 {
        put(&store, key, 1_000);
    }
    let copy = killed(folder.path());
    let mut found = 0;
    for name in ["log.0", "log.1"] {
        let path = copy.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        // The second record of the three.
        if let Some(at) = bytes.windows(1_000).position(|w| w == [1; 1_000]) {
            bytes[at] ^= 1;
            fs::write(&path, bytes).unwrap();
            found += 1;
        }
    }
    assert_eq!(found, 1);
    let text = open(copy.path()).err().unwrap().to_string();
    assert!(text.contains("is damaged at byte"), "{text}");
}

#[test]
fn files_of_different_times_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    wait(store.define("file/A")).unwrap();
    let backup = tempfile::tempdir().unwrap();
    wait(store.backup(&backup.path().join("copy"))).unwrap();
    for key in 0..20 {
        put(&store, key, 4_000);
    }
    let copy = killed(folder.path());
    let data = backup.path().join("copy/data.mdb");
    fs::copy(&data, copy.path().join("data.mdb")).unwrap();
    let text = open(copy.path()).err().unwrap().to_string();
    assert!(text.contains("it is older than its checkpoint"), "{text}");
    let copy = killed(folder.path());
    fs::remove_file(copy.path().join("checkpoint")).unwrap();
    let text = open(copy.path()).err().unwrap().to_string();
    assert!(text.contains("has no checkpoint"), "{text}");
    // In a folder of its own it is a store.
    let restored = open(&backup.path().join("copy")).unwrap();
    assert_eq!(wait(restored.count("file/A")), Ok(0));
}

#[test]
fn files_of_another_store_are_refused_and_not_touched() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (folder, groups) in [(&one, 5), (&other, 30)] {
        let store = open(folder.path()).unwrap();
        wait(store.define("file/A")).unwrap();
        (0..groups).for_each(|key| put(&store, key, 4_000));
    }
    for name in FILES {
        let copy = killed(one.path());
        fs::copy(other.path().join(name), copy.path().join(name)).unwrap();
        let before = FILES.map(|name| fs::read(copy.path().join(name)).unwrap());
        let error = open(copy.path()).err().unwrap();
        let wrong = matches!(&error, StoreError::Wrong(text) if text.contains("of another store"));
        // Its checkpoint is of a later transaction.
        assert!(wrong || name == "checkpoint", "{name}: {error}");
        let after = FILES.map(|name| fs::read(copy.path().join(name)).unwrap());
        assert!(before == after, "{name}");
        if name == "data.mdb" {
            let seen = check_structure(copy.path()).unwrap_err();
            assert_eq!(seen, error);
        }
    }
    // A copy of all files is the same store; what a backup becomes is another one.
    drop(open(killed(one.path()).path()).unwrap());
    let backup = tempfile::tempdir().unwrap();
    let restored = backup.path().join("copy");
    wait(open(one.path()).unwrap().backup(&restored)).unwrap();
    let store = open(&restored).unwrap();
    (0..30).for_each(|key| put(&store, key, 4_000));
    drop(store);
    let copy = killed(one.path());
    fs::copy(restored.join("data.mdb"), copy.path().join("data.mdb")).unwrap();
    let error = open(copy.path()).err().unwrap();
    assert!(matches!(error, StoreError::Wrong(_)), "{error}");
}

/// Takes the number of the store out of its files: as an older version wrote them.
fn without_number(folder: &Path) {
    let edit = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = folder.join(name);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    };
    edit("data.mdb", &|bytes| {
        for page in [0, 4_096] {
            assert!(bytes[page + 256..page + 260] != [0; 4]);
            bytes[page + 256..page + 260].fill(0);
        }
    });
    edit("checkpoint", &|bytes| {
        for place in [0, 4_096] {
            // Number, places, header, checksum.
            let (from, to) = (place + 32 + 256, place + 32 + 512);
            bytes[from..from + 4].fill(0);
            let crc = crc32fast::hash(&bytes[place..to]).to_le_bytes();
            bytes[to..to + 4].copy_from_slice(&crc);
        }
    });
    for name in ["log.0", "log.1"] {
        edit(name, &|bytes| {
            for at in (0..bytes.len() - 32).step_by(8) {
                if bytes[at..at + 4] == 0x4C4D_5854_u32.to_le_bytes() {
                    bytes[at + 28..at + 32].fill(0);
                }
            }
        });
    }
}

#[test]
fn a_store_without_a_number_gets_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    wait(store.define("file/A")).unwrap();
    (0..11).for_each(|key| put(&store, key, 4_000));
    let old = killed(folder.path());
    without_number(old.path());
    check_structure(old.path()).unwrap();
    let store = open(old.path()).unwrap();
    assert_eq!(wait(store.count("file/A")), Ok(11));
    put(&store, 11, 4_000);
    let crashed = killed(old.path());
    for name in ["data.mdb", "checkpoint"] {
        let copy = killed(crashed.path());
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
        let text = open(copy.path()).err().unwrap().to_string();
        assert!(text.contains("another store"), "{name}: {text}");
    }
    assert_eq!(wait(open(crashed.path()).unwrap().count("file/A")), Ok(12));
}

#[test]
fn a_checkpoint_without_its_logs_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    wait(store.define("file/A")).unwrap();
    put(&store, 1, 100);
    for name in ["log.0", "log.1"] {
        let copy = killed(folder.path());
        fs::remove_file(copy.path().join(name)).unwrap();
        let text = open(copy.path()).err().unwrap().to_string();
        assert!(
            text.contains("cannot open") && text.contains(name),
            "{text}"
        );
    }
}
