//! Pages that a disk lost, or brings back from an earlier time: each is good in itself.

use std::fs;
use std::path::Path;
use transom_datasets::{
    LocalOptions, LocalStore, check_structure, compact_local, copy_local, open_local, restore_local,
};
use transom_recovery::*;
use transom_types::Applid;

const PAGE: usize = 4_096;
const LEAF: u8 = 2;

fn open(folder: &Path) -> Result<LocalStore, StoreError> {
    open_local(folder, LocalOptions::default(), Settings::default())
}

fn uow(number: u64) -> UowId {
    UowId::new(Applid::from_field(b"STALE"), number)
}

/// Every record is written, a fifth in each unit of work; a checkpoint follows.
fn round(folder: &Path, number: u64) {
    let store = open(folder).unwrap();
    wait(store.define("file/A")).unwrap();
    for part in 0..5_u64 {
        let uow = uow(number * 10 + part);
        for key in (0..1_000_u32).filter(|key| u64::from(key % 5) == part) {
            // One in a hundred has pages of its own.
            let length = if key % 100 == 0 { 9_000 } else { 40 };
            let text = format!("{key:06} of round {number:04} {}", "x".repeat(length));
            let change = Change::Put(text.into_bytes());
            let key = key.to_be_bytes();
            wait(store.stage(uow, "file/A", &key, change, Wait::No)).unwrap();
        }
        wait(store.commit(uow)).unwrap();
    }
    wait(store.checkpoint()).unwrap();
}

fn kind(page: &[u8], number: usize) -> u8 {
    match page.starts_with(&(number as u64).to_le_bytes()) {
        true => page[10] & !0x10,
        false => 0,
    }
}

/// A store whose pages were written again and again, and its data file three rounds before.
fn store_and_old_pages(folder: &Path) -> (Vec<u8>, Vec<u8>) {
    let data = folder.join("data.mdb");
    (0..6).for_each(|number| round(folder, number));
    let old = fs::read(&data).unwrap();
    (6..9).for_each(|number| round(folder, number));
    (old, fs::read(&data).unwrap())
}

#[test]
fn an_old_page_in_the_place_of_a_new_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.mdb");
    let (old, new) = store_and_old_pages(folder.path());
    check_structure(folder.path()).unwrap();
    let sums = folder.path().join("sums");
    let known = fs::read(&sums).unwrap();
    let (mut found, mut by_sums_alone) = (0, 0);
    for number in 2..old.len().min(new.len()) / PAGE {
        let at = number * PAGE..(number + 1) * PAGE;
        let (before, now) = (&old[at.clone()], &new[at.clone()]);
        if before == now || kind(before, number) != LEAF || kind(now, number) != LEAF {
            continue;
        }
        let mut stale = new.clone();
        stale[at].copy_from_slice(before);
        fs::write(&data, &stale).unwrap();
        let Err(error) = check_structure(folder.path()) else {
            // A page that is free just now.
            continue;
        };
        found += 1;
        let text = error.to_string();
        let named = format!("page {number} is not the one that was written last");
        fs::remove_file(&sums).unwrap();
        by_sums_alone += u32::from(check_structure(folder.path()).is_ok());
        fs::write(&sums, &known).unwrap();
        assert!(
            text.contains(&named) || text.contains("is not what it should be"),
            "{text}"
        );
        assert_eq!(open(folder.path()).err(), Some(error));
    }
    assert!(found > 0 && by_sums_alone > 0, "{found} {by_sums_alone}");
    fs::write(&data, &new).unwrap();
    check_structure(folder.path()).unwrap();
    open(folder.path()).unwrap();
}

/// A record has a checksum of its own: it is named, and the others can be read.
#[test]
fn a_changed_record_is_named_as_a_record() {
    for key in [7_u32, 300] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.mdb");
        (0..3).for_each(|number| round(folder.path(), number));
        let mut bytes = fs::read(&data).unwrap();
        let text = format!("{key:06} of round");
        for at in 0..bytes.len() - text.len() {
            if bytes[at..].starts_with(text.as_bytes()) {
                bytes[at] ^= 1;
            }
        }
        fs::write(&data, &bytes).unwrap();
        let seen = check_structure(folder.path());
        assert_eq!(seen, Ok(()), "{key}");
        let store = open(folder.path()).unwrap();
        let damaged = wait(store.verify("")).unwrap();
        assert_eq!(damaged.len(), 1, "{damaged:?}");
        assert_eq!(damaged[0].key, key.to_be_bytes());
        assert_eq!(wait(store.count("file/A")), Ok(1_000));
    }
}

/// The disk lost the last write of a checkpoint: what its logs had is gone.
#[test]
fn an_old_checkpoint_beside_newer_sums_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    round(folder.path(), 1);
    let old = fs::read(folder.path().join("checkpoint")).unwrap();
    (2..5).for_each(|number| round(folder.path(), number));
    fs::write(folder.path().join("checkpoint"), old).unwrap();
    let seen = check_structure(folder.path()).unwrap_err();
    let text = seen.to_string();
    assert!(text.contains("older than the file sums"), "{text}");
    assert_eq!(open(folder.path()).err(), Some(seen));
}

/// A version that keeps no sums has written the store, or somebody has removed them.
#[test]
fn sums_of_another_checkpoint_say_nothing() {
    let folder = tempfile::tempdir().unwrap();
    round(folder.path(), 1);
    let sums = folder.path().join("sums");
    let of_first = fs::read(&sums).unwrap();
    (2..4).for_each(|number| round(folder.path(), number));
    fs::write(&sums, of_first).unwrap();
    check_structure(folder.path()).unwrap();
    round(folder.path(), 4);
    check_structure(folder.path()).unwrap();
    fs::remove_file(&sums).unwrap();
    round(folder.path(), 5);
    check_structure(folder.path()).unwrap();
    assert!(fs::metadata(&sums).unwrap().len() > 4_096);
}

/// Long records, deleted ones, a tree that grows and shrinks, copies: the sums follow.
#[test]
fn sums_follow_whatever_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut number = 0;
    for (first, count, length) in [
        (0, 3, 9_000),
        (0, 4_000, 40),
        (100, 100, 300_000),
        (0, 4_000, 0),
        (50, 100, 20_000),
    ] {
        let store = open(folder).unwrap();
        wait(store.define("file/A")).unwrap();
        for part in (first..first + count).collect::<Vec<u32>>().chunks(64) {
            number += 1;
            for key in part {
                let change = match length {
                    0 => Change::Erase,
                    length => Change::Put(vec![*key as u8; length]),
                };
                let key = key.to_be_bytes();
                wait(store.stage(uow(number), "file/A", &key, change, Wait::No)).unwrap();
            }
            wait(store.commit(uow(number))).unwrap();
            if number % 3 == 0 {
                wait(store.checkpoint()).unwrap();
            }
        }
        drop(store);
        check_structure(folder).unwrap();
    }
    compact_local(folder, LocalOptions::default()).unwrap();
    check_structure(folder).unwrap();
    let (copy, restored) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy_local(folder, copy.path(), LocalOptions::default()).unwrap();
    restore_local(
        copy.path(),
        restored.path(),
        LocalOptions::default(),
        &mut |_| Ok(()),
    )
    .unwrap();
    check_structure(restored.path()).unwrap();
    assert!(fs::metadata(restored.path().join("sums")).unwrap().len() > 4_096);
}
