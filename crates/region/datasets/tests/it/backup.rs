//! Copies of a store, and stores made of copies.

use std::fs;
use std::path::Path;
use transom_datasets::{LocalOptions, LocalStore, copy_local, open_local, restore_local};
use transom_recovery::*;
use transom_types::Applid;

fn open(folder: &Path) -> LocalStore {
    open_local(folder, LocalOptions::default(), Settings::default()).unwrap()
}

fn put(store: &LocalStore, number: u64, text: &str) {
    let uow = UowId::new(Applid::from_field(b"BACKUP"), number);
    let change = Change::Put(text.as_bytes().to_vec());
    wait(store.define("file/A")).unwrap();
    wait(store.stage(uow, "file/A", b"key", change, Wait::No)).unwrap();
    wait(store.commit(uow)).unwrap();
}

fn text(store: &LocalStore) -> String {
    let row = wait(store.read(None, "file/A", b"key", Match::Equal, Lock::None)).unwrap();
    String::from_utf8(row.unwrap().record).unwrap()
}

fn copied(folder: &Path, name: &str) -> std::path::PathBuf {
    let copy = folder.join(name);
    fs::create_dir(&copy).unwrap();
    copy_local(&folder.join("store"), &copy, LocalOptions::default()).unwrap();
    copy
}

#[test]
fn a_store_goes_back_to_a_copy_of_it_and_keeps_what_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store");
    put(&open(&place), 1, "monday");
    let monday = copied(folder.path(), "monday");
    put(&open(&place), 2, "tuesday");
    let restore =
        |copy: &Path| restore_local(copy, &place, LocalOptions::default(), &mut |_| Ok(()));
    let replaced = restore(&monday).unwrap().unwrap();
    assert_eq!(text(&open(&place)), "monday");
    assert_eq!(text(&open(&replaced)), "tuesday");
    // Again: what was kept before is not lost.
    restore(&monday).unwrap();
    assert_eq!(text(&open(&place.join("replaced.1"))), "tuesday");
    let used = open(&place);
    let refused = restore(&monday).unwrap_err();
    assert!(matches!(refused, StoreError::InUse(_)), "{refused}");
    drop(used);
    let new = folder.path().join("new");
    let made = restore_local(&monday, &new, LocalOptions::default(), &mut |_| Ok(()));
    assert_eq!(made, Ok(None));
    assert_eq!(text(&open(&new)), "monday");
    assert!(!new.join("replaced").exists());
}

#[test]
fn a_store_has_the_identity_of_its_copies() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store");
    put(&open(&place), 1, "monday");
    let identity = |name: &str| {
        let copy = folder.path().join(name);
        fs::create_dir(&copy).unwrap();
        copy_local(&place, &copy, LocalOptions::default()).unwrap()
    };
    let first = identity("first");
    assert!(first.identity.is_some() && !first.in_use);
    assert_eq!(identity("second"), first);
    let other = folder.path().join("other");
    let copy = folder.path().join("first");
    restore_local(&copy, &other, LocalOptions::default(), &mut |_| Ok(())).unwrap();
    let third = folder.path().join("third");
    fs::create_dir(&third).unwrap();
    let of_other = copy_local(&other, &third, LocalOptions::default()).unwrap();
    assert_eq!(of_other.identity, first.identity);
}

/// The process dies when so many of the files have changed places.
#[test]
fn a_restore_that_died_after_its_decision_is_finished_by_who_opens_the_store() {
    const FILES: [&str; 4] = ["checkpoint", "log.0", "log.1", "data.mdb"];
    for moved in 0..=2 * FILES.len() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("store");
        put(&open(&place), 1, "monday");
        let monday = copied(folder.path(), "monday");
        put(&open(&place), 2, "tuesday");
        let new = folder.path().join("new");
        restore_local(&monday, &new, LocalOptions::default(), &mut |_| Ok(())).unwrap();
        let (ready, replaced) = (place.join("restore.ready"), place.join("replaced"));
        fs::create_dir(&ready).unwrap();
        for name in FILES {
            fs::rename(new.join(name), ready.join(name)).unwrap();
        }
        fs::create_dir(&replaced).unwrap();
        for step in 0..moved {
            let name = FILES[step / 2];
            match step % 2 {
                0 => fs::rename(place.join(name), replaced.join(name)).unwrap(),
                _ => fs::rename(ready.join(name), place.join(name)).unwrap(),
            }
        }
        assert_eq!(text(&open(&place)), "monday", "{moved}");
        assert_eq!(text(&open(&replaced)), "tuesday", "{moved}");
        assert!(!ready.exists());
    }
}

#[test]
fn one_that_died_before_it_leaves_the_old_store() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store");
    put(&open(&place), 1, "monday");
    let monday = copied(folder.path(), "monday");
    put(&open(&place), 2, "tuesday");
    fs::create_dir(place.join("restore.part")).unwrap();
    fs::write(place.join("restore.part/data.mdb"), "half").unwrap();
    assert_eq!(text(&open(&place)), "tuesday");
    let mut fails = |_: &LocalStore| Err(StoreError::NoSpace("full".into()));
    let refused = restore_local(&monday, &place, LocalOptions::default(), &mut fails);
    assert!(refused.is_err());
    assert_eq!(text(&open(&place)), "tuesday");
    restore_local(&monday, &place, LocalOptions::default(), &mut |_| Ok(())).unwrap();
    assert_eq!(text(&open(&place)), "monday");
}

#[test]
fn a_damaged_record_makes_no_copy() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store");
    put(&open(&place), 1, "a record to be found");
    let data = place.join("data.mdb");
    let mut bytes = fs::read(&data).unwrap();
    for at in 0..bytes.len() {
        if bytes[at..].starts_with(b"a record to be found") {
            bytes[at] = b'A';
        }
    }
    fs::write(&data, bytes).unwrap();
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    let refused = copy_local(&place, &copy, LocalOptions::default()).unwrap_err();
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
}
