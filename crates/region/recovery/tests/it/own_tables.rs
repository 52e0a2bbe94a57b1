//! Two regions with queues of the same names in one store.

use std::ops::Bound;
use std::sync::Arc;
use transom_recovery::*;
use transom_types::Applid;

const QUEUE: &str = "td/LOGQ";

fn put(store: &dyn UowStore, key: &[u8], record: &str) {
    let change = Change::Put(record.as_bytes().to_vec());
    let write = Write::new(QUEUE, key, change);
    wait(store.write_now(None, vec![write], Wait::No)).unwrap();
}

fn all(store: &dyn UowStore) -> Vec<String> {
    let rows = store.scan(None, QUEUE, Bound::Unbounded, b"", Direction::Forward, 100);
    let rows = wait(rows).unwrap().into_iter();
    rows.map(|row| String::from_utf8(row.record).unwrap())
        .collect()
}

#[test]
fn regions_do_not_meet_in_their_own_tables() {
    let store: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 20));
    let one = OwnTables::new(store.clone(), "ONE");
    let two = OwnTables::new(store.clone(), "TWO");
    for own in [&one, &two] {
        wait(own.define(QUEUE)).unwrap();
    }
    put(&one, b"1", "of one");
    put(&two, b"1", "of two");
    assert_eq!(
        (all(&one), all(&two)),
        (vec!["of one".into()], vec!["of two".into()])
    );
    assert_eq!(wait(one.tables("td/")).unwrap(), [QUEUE]);
    assert_eq!(wait(one.count(QUEUE)).unwrap(), 1);
    assert_eq!(wait(one.allocate(QUEUE, 5)).unwrap(), 0);
    assert_eq!(wait(two.allocate(QUEUE, 1)).unwrap(), 0);

    // Units of work are those of the store behind.
    let uow = UowId::new(Applid::from_field(b"TWO"), 7);
    wait(two.stage(uow, QUEUE, b"2", Change::Put(b"more".to_vec()), Wait::No)).unwrap();
    wait(one.lock(
        UowId::new(Applid::from_field(b"ONE"), 7),
        QUEUE,
        b"2",
        Wait::No,
    ))
    .unwrap();
    assert_eq!(all(&two), ["of two"]);
    wait(store.commit(uow)).unwrap();
    assert_eq!((all(&one).len(), all(&two).len()), (1, 2));

    wait(one.empty(QUEUE)).unwrap();
    assert_eq!((all(&one).len(), all(&two).len()), (0, 2));
}

#[test]
fn the_first_region_takes_over_what_was_for_all() {
    let store: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 24));
    wait(store.define(QUEUE)).unwrap();
    for n in 0..1_200u32 {
        put(&*store, &n.to_be_bytes(), "before");
    }
    wait(store.allocate(QUEUE, 1_200)).unwrap();
    let one = OwnTables::new(store.clone(), "ONE");
    let two = OwnTables::new(store.clone(), "TWO");
    assert_eq!(wait(one.adopt(&["ts/", "td/"])), Ok(1_200));
    assert_eq!(wait(two.adopt(&["ts/", "td/"])), Ok(0));
    assert_eq!(wait(one.count(QUEUE)), Ok(1_200));
    assert_eq!(wait(store.tables("td/")).unwrap(), [""; 0]);
    // What is written next is the last.
    assert!(wait(one.allocate(QUEUE, 1)).unwrap() >= 1_200);
    // A store of one region has nothing to take over.
    assert_eq!(wait(OwnTables::take_over(&store, "ONE", &["td/"])), Ok(0));
    let same = OwnTables::of(store.clone(), "ONE");
    assert!(Arc::ptr_eq(&same, &store));
}
