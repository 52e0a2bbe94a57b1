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

/// The files as another start would find them if the process died now. A checkpoint that runs
/// meanwhile changes them one after the other: they are of one moment when two readings agree.
fn killed(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let all = || FILES.map(|name| fs::read(folder.join(name)).unwrap());
    let mut files = all();
    loop {
        let again = all();
        if files == again {
            break;
        }
        files = again;
    }
    for (name, bytes) in FILES.iter().zip(files) {
        fs::write(copy.path().join(name), bytes).unwrap();
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

fn edit(folder: &Path, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let path = folder.join(name);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Checkpoint and logs as the first version wrote them: the generation is the mark of its records.
fn as_version_1(folder: &Path) {
    let mut generations = std::collections::HashMap::new();
    edit(folder, "checkpoint", |bytes| {
        for place in [0, 4_096] {
            // Magic, version, number, generation, next, header, two marks, checksum.
            let (generation, marks) = (long(bytes, place + 16), place + 32 + 512);
            generations.insert(long(bytes, marks), generation);
            generations.insert(long(bytes, marks + 8), generation + 1);
            bytes[place + 4] = 1;
            let crc = crc32fast::hash(&bytes[place..marks]).to_le_bytes();
            bytes[marks..marks + 20].fill(0);
            bytes[marks..marks + 4].copy_from_slice(&crc);
        }
    });
    for name in ["log.0", "log.1"] {
        edit(folder, name, |bytes| {
            for at in (0..bytes.len() - 32).step_by(8) {
                let magic = bytes[at..at + 4] == *b"TXM2";
                if let (true, Some(generation)) = (magic, generations.get(&long(bytes, at + 8))) {
                    let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap());
                    bytes[at..at + 4].copy_from_slice(b"TXML");
                    bytes[at + 8..at + 16].copy_from_slice(&generation.to_le_bytes());
                    let mut crc = crc32fast::Hasher::new();
                    crc.update(&bytes[at + 4..at + 24]);
                    crc.update(&bytes[at + 32..at + 32 + length as usize]);
                    bytes[at + 24..at + 28].copy_from_slice(&crc.finalize().to_le_bytes());
                }
            }
        });
    }
}

/// Takes the number of the store out of its files: as versions before the number wrote them.
fn without_number(folder: &Path) {
    as_version_1(folder);
    edit(folder, "data.mdb", |bytes| {
        for page in [0, 4_096] {
            assert!(bytes[page + 256..page + 260] != [0; 4]);
            bytes[page + 256..page + 260].fill(0);
        }
    });
    edit(folder, "checkpoint", |bytes| {
        for place in [0, 4_096] {
            // Number, places, header, checksum.
            let (from, to) = (place + 32 + 256, place + 32 + 512);
            bytes[from..from + 4].fill(0);
            let crc = crc32fast::hash(&bytes[place..to]).to_le_bytes();
            bytes[to..to + 4].copy_from_slice(&crc);
        }
    });
    for name in ["log.0", "log.1"] {
        edit(folder, name, |bytes| {
            for at in (0..bytes.len() - 32).step_by(8) {
                if bytes[at..at + 4] == *b"TXML" {
                    bytes[at + 28..at + 32].fill(0);
                }
            }
        });
    }
}

#[test]
fn a_store_of_the_first_version_is_read_and_goes_on_with_marks() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    wait(store.define("file/A")).unwrap();
    (0..11).for_each(|key| put(&store, key, 4_000));
    let old = killed(folder.path());
    as_version_1(old.path());
    let logs = |folder: &Path| fs::read(folder.join("log.0")).unwrap();
    assert!(!logs(old.path()).windows(4).any(|w| w == b"TXM2"));
    check_structure(old.path()).unwrap();
    let store = open(old.path()).unwrap();
    assert_eq!(wait(store.count("file/A")), Ok(11));
    (11..30).for_each(|key| put(&store, key, 4_000));
    // More than both logs hold: a checkpoint has been written since.
    let versions = fs::read(old.path().join("checkpoint")).unwrap();
    assert!([4, 4_100].iter().any(|at| versions[*at] == 2));
    let crashed = killed(old.path());
    assert!(logs(crashed.path()).windows(4).any(|w| w == b"TXM2"));
    assert_eq!(wait(open(crashed.path()).unwrap().count("file/A")), Ok(30));
}

/// Bytes of a user that look like heads of records of a log, of many generations and at any place.
fn forged() -> Vec<u8> {
    let mut bytes = Vec::new();
    for magic in [b"TXML", b"TXM2"] {
        for generation in 0..30_u64 {
            for _ in 0..8 {
                let mut head = [0; 33];
                head[..4].copy_from_slice(magic);
                head[8..16].copy_from_slice(&generation.to_le_bytes());
                head[16..24].copy_from_slice(&40_u64.to_le_bytes());
                let crc = crc32fast::hash(&head[4..24]).to_le_bytes();
                head[24..28].copy_from_slice(&crc);
                bytes.extend(head);
            }
        }
    }
    bytes
}

#[test]
fn data_that_look_like_records_of_a_log_are_data() {
    let folder = tempfile::tempdir().unwrap();
    let forged = forged();
    for key in 0..6 {
        let store = open(folder.path()).unwrap();
        if key == 0 {
            wait(store.define("file/A")).unwrap();
        }
        let uow = UowId::new(Applid::from_field(b"LOG"), 1);
        let change = Change::Put(forged.clone());
        let key: u32 = key;
        wait(store.stage(uow, "file/A", &key.to_be_bytes(), change, Wait::No)).unwrap();
        wait(store.commit(uow)).unwrap();
        let crashed = killed(folder.path());
        assert_eq!(
            length(&open(crashed.path()).unwrap(), key),
            Some(forged.len())
        );
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

#[test]
fn data_sets_that_several_define_at_once_lose_no_record() {
    use std::sync::Arc;
    use transom_datasets::{Access, Cluster, DatasetName, Datasets};
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn UowStore> = Arc::new(open(folder.path()).unwrap());
    let all = Arc::new(wait(Datasets::open(store)).unwrap());
    for round in 0..20 {
        let name = DatasetName::new(&format!("RACE.N{round}")).unwrap();
        let tasks: Vec<_> = (0..4_u8)
            .map(|key| {
                let (all, name) = (all.clone(), name.clone());
                std::thread::spawn(move || {
                    let _exists = wait(all.define_cluster(Cluster::ksds(name.clone(), 0, 1, 8)));
                    let data = all.dataset(&name).unwrap();
                    let once = Access {
                        uow: UowId::new(Applid::from_field(b"RACE"), u64::from(key) + 1),
                        recoverable: false,
                        wait: Wait::Forever,
                    };
                    wait(data.insert(once, None, &[key; 8])).unwrap();
                })
            })
            .collect();
        tasks.into_iter().for_each(|task| task.join().unwrap());
        let data = all.dataset(&name).unwrap();
        assert_eq!(wait(data.count()), Ok(4), "{name}");
    }
}
