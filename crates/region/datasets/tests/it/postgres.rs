//! What only a shared store has: several regions, in-doubt work on the server.

use std::sync::Arc;
use transom_datasets::conformance::Cluster;
use transom_datasets::{PgOptions, PgStore};
use transom_recovery::*;
use transom_types::Applid;

fn open(cluster: &Cluster, applid: &str) -> PgStore {
    let options = PgOptions::new(cluster.connect(), Applid::new(applid).unwrap());
    PgStore::open(options).unwrap()
}

fn put(store: &PgStore, uow: UowId, record: &str) -> Result<(), StoreError> {
    let change = Change::Put(record.as_bytes().to_vec());
    wait(store.stage(uow, "file/A", b"k", change, Wait::No))
}

fn get(store: &PgStore) -> Option<Vec<u8>> {
    let read = store.read(None, "file/A", b"k", Match::Equal, Lock::None);
    wait(read).unwrap().map(|r| r.record)
}

#[test]
fn the_suite() {
    if let Some(cluster) = Cluster::of_test(Cluster::start()) {
        crate::conformance::check("PostgreSQL", Arc::new(open(&cluster, "SUITE")));
    }
}

#[test]
fn two_regions_share_records_locks_and_doubts() {
    let Some(cluster) = Cluster::of_test(Cluster::start()) else {
        return;
    };
    let (first, second) = (open(&cluster, "REGIONA"), open(&cluster, "REGIONB"));
    let a = |n| UowId::new(Applid::from_field(b"REGIONA"), n);
    let b = |n| UowId::new(Applid::from_field(b"REGIONB"), n);
    assert_eq!(wait(first.define("file/A")), Ok(true));
    assert_eq!(wait(second.define("file/A")), Ok(false));
    let others = wait(first.others()).unwrap();
    assert!(
        matches!(&others[..], [one] if one.starts_with("transom ")),
        "{others:?}"
    );
    put(&first, a(1), "from A").unwrap();
    assert_eq!(put(&second, b(1), "from B"), Err(StoreError::Busy));
    assert_eq!(get(&second), None);
    wait(first.commit(a(1))).unwrap();
    assert_eq!(get(&second), Some(b"from A".to_vec()));
    // A region dies with prepared work.
    put(&first, a(2), "in doubt").unwrap();
    wait(first.prepare(a(2), b"info")).unwrap();
    drop(first);
    let refused = (0..100).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        let refused = put(&second, b(1), "from B").unwrap_err();
        (refused != StoreError::Busy).then_some(refused)
    });
    assert_eq!(refused, Some(StoreError::Locked));
    assert_eq!(wait(second.in_doubt()), Ok(vec![]));
    let first = open(&cluster, "REGIONA");
    let doubt = wait(first.in_doubt()).unwrap();
    assert_eq!(
        (doubt[0].uow, doubt[0].info.as_slice()),
        (a(2), b"info".as_slice())
    );
    wait(first.resolve(a(2), Outcome::Commit)).unwrap();
    assert_eq!(get(&second), Some(b"in doubt".to_vec()));
    put(&second, b(1), "from B").unwrap();
    wait(second.commit(b(1))).unwrap();
    assert_eq!(get(&first), Some(b"from B".to_vec()));
}
