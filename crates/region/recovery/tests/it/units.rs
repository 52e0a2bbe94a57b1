//! Locks, overlays, ends of units of work.

use std::ops::Bound;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_recovery::*;
use transom_types::Applid;

fn uow(number: u64) -> UowId {
    UowId::new(Applid::from_field(b"TEST"), number)
}

fn store() -> Arc<MemoryStore> {
    let store = MemoryStore::in_memory(1 << 20);
    wait(store.define("file/A")).unwrap();
    Arc::new(store)
}

fn put(store: &MemoryStore, u: UowId, key: &[u8], record: &[u8]) -> Result<(), StoreError> {
    wait(store.stage(u, "file/A", key, Change::Put(record.to_vec()), Wait::No))
}

fn get(store: &MemoryStore, u: Option<UowId>, key: &[u8]) -> Option<Vec<u8>> {
    let row = wait(store.read(u, "file/A", key, Match::Equal, Lock::None));
    row.unwrap().map(|r| r.record)
}

#[test]
fn own_changes_are_seen_by_the_unit_only_until_commit() {
    let s = store();
    put(&s, uow(1), b"k", b"one").unwrap();
    assert_eq!(get(&s, Some(uow(1)), b"k"), Some(b"one".to_vec()));
    assert_eq!(get(&s, Some(uow(2)), b"k"), None);
    assert_eq!(get(&s, None, b"k"), None);
    wait(s.commit(uow(1))).unwrap();
    assert_eq!(get(&s, None, b"k"), Some(b"one".to_vec()));
}

#[test]
fn backout_forgets_and_frees() {
    let s = store();
    put(&s, uow(1), b"k", b"one").unwrap();
    assert_eq!(put(&s, uow(2), b"k", b"two"), Err(StoreError::Busy));
    wait(s.backout(uow(1))).unwrap();
    put(&s, uow(2), b"k", b"two").unwrap();
    assert_eq!(s.stats().limits[0].now, 1);
}

#[test]
fn a_lock_goes_to_who_came_first() {
    let s = store();
    put(&s, uow(1), b"k", b"0").unwrap();
    let mut threads = Vec::new();
    for n in 2..6 {
        let of_thread = s.clone();
        threads.push(std::thread::spawn(move || {
            let read = of_thread.read(
                Some(uow(n)),
                "file/A",
                b"k",
                Match::Equal,
                Lock::Update(Wait::Forever),
            );
            let mut record = wait(read).unwrap().unwrap().record;
            record.push(b'0' + n as u8);
            put(&of_thread, uow(n), b"k", &record).unwrap();
            wait(of_thread.commit(uow(n))).unwrap();
        }));
        while s.stats().lock_waits < n - 1 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    wait(s.commit(uow(1))).unwrap();
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert_eq!(get(&s, None, b"k"), Some(b"02345".to_vec()));
}

#[test]
fn a_wait_ends_at_its_deadline() {
    let s = store();
    put(&s, uow(1), b"k", b"0").unwrap();
    let until = Wait::Until(Instant::now() + Duration::from_millis(30));
    let begun = Instant::now();
    assert_eq!(
        wait(s.lock(uow(2), "file/A", b"k", until)),
        Err(StoreError::Timeout)
    );
    assert!(begun.elapsed() >= Duration::from_millis(30));
    assert_eq!(s.stats().lock_timeouts, 1);
}

#[test]
fn a_circle_of_two_is_refused() {
    let s = store();
    put(&s, uow(1), b"a", b"").unwrap();
    put(&s, uow(2), b"b", b"").unwrap();
    let of_thread = s.clone();
    let first =
        std::thread::spawn(move || wait(of_thread.lock(uow(1), "file/A", b"b", Wait::Forever)));
    while s.stats().lock_waits < 1 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(
        wait(s.lock(uow(2), "file/A", b"a", Wait::Forever)),
        Err(StoreError::Deadlock)
    );
    wait(s.backout(uow(2))).unwrap();
    first.join().unwrap().unwrap();
}

#[test]
fn a_dead_owner_leaves_nothing() {
    let s = store();
    put(&s, uow(1), b"a", b"").unwrap();
    let of_thread = s.clone();
    put(&s, uow(2), b"b", b"").unwrap();
    let waits =
        std::thread::spawn(move || wait(of_thread.lock(uow(2), "file/A", b"a", Wait::Forever)));
    while s.stats().lock_waits < 1 {
        std::thread::sleep(Duration::from_millis(1));
    }
    s.release(uow(2));
    assert_eq!(waits.join().unwrap(), Err(StoreError::Released));
    s.release(uow(1));
    assert_eq!(s.stats().limits[0].now, 0);
}

#[test]
fn a_dropped_wait_gives_its_place_up() {
    let s = store();
    put(&s, uow(1), b"a", b"").unwrap();
    let mut waits = s.lock(uow(2), "file/A", b"a", Wait::Forever);
    let waker = std::task::Waker::noop();
    let polled = waits
        .as_mut()
        .poll(&mut std::task::Context::from_waker(waker));
    assert!(polled.is_pending());
    wait(s.commit(uow(1))).unwrap();
    // Granted, but nobody looked: the lock goes on.
    drop(waits);
    assert_eq!(s.stats().limits[0].now, 0);
}

#[test]
fn a_released_owner_that_was_just_granted_changes_nothing() {
    let s = store();
    put(&s, uow(1), b"a", b"one").unwrap();
    let change = Change::Put(b"two".to_vec());
    let mut waits = s.stage(uow(2), "file/A", b"a", change, Wait::Forever);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(waits.as_mut().poll(&mut context).is_pending());
    wait(s.commit(uow(1))).unwrap();
    s.release(uow(2));
    assert_eq!(wait(waits), Err(StoreError::Released));
    assert_eq!(get(&s, Some(uow(2)), b"a"), Some(b"one".to_vec()));
    assert_eq!(s.stats().limits[0].now, 0);
}

#[test]
fn prepared_work_is_in_doubt_until_resolved() {
    let s = store();
    put(&s, uow(1), b"a", b"new").unwrap();
    wait(s.prepare(uow(1), b"with SQL")).unwrap();
    assert_eq!(put(&s, uow(1), b"b", b""), Err(StoreError::Prepared));
    let doubt = wait(s.in_doubt()).unwrap();
    assert_eq!(
        (doubt[0].uow, doubt[0].info.as_slice()),
        (uow(1), b"with SQL".as_slice())
    );
    s.release(uow(1));
    let until = Wait::Until(Instant::now() + Duration::from_secs(60));
    assert_eq!(
        wait(s.lock(uow(2), "file/A", b"a", until)),
        Err(StoreError::Locked)
    );
    wait(s.resolve(uow(1), Outcome::Commit)).unwrap();
    assert_eq!(get(&s, None, b"a"), Some(b"new".to_vec()));
    assert_eq!(wait(s.in_doubt()).unwrap(), vec![]);
    assert_eq!(
        wait(s.resolve(uow(1), Outcome::Backout)),
        Err(StoreError::NotFound)
    );
}

#[test]
fn scans_see_own_changes_in_place() {
    let s = store();
    for key in ["a", "c", "e", "g"] {
        put(&s, uow(1), key.as_bytes(), b"old").unwrap();
    }
    wait(s.commit(uow(1))).unwrap();
    let u = uow(2);
    put(&s, u, b"b", b"").unwrap();
    put(&s, u, b"h", b"").unwrap();
    wait(s.stage(u, "file/A", b"c", Change::Delete, Wait::No)).unwrap();
    wait(s.stage(u, "file/A", b"e", Change::Delete, Wait::No)).unwrap();
    let keys = |direction, from: Bound<&[u8]>, limit| {
        let rows = wait(s.scan(Some(u), "file/A", from, b"", direction, limit)).unwrap();
        rows.iter().map(|r| r.key[0] as char).collect::<String>()
    };
    assert_eq!(keys(Direction::Forward, Bound::Unbounded, 99), "abgh");
    assert_eq!(keys(Direction::Forward, Bound::Included(b"b"), 2), "bg");
    assert_eq!(keys(Direction::Backward, Bound::Unbounded, 99), "hgba");
    assert_eq!(keys(Direction::Backward, Bound::Excluded(b"g"), 1), "b");
}

#[test]
fn direct_writes_happen_together_or_not_at_all() {
    let s = store();
    put(&s, uow(1), b"b", b"old").unwrap();
    wait(s.commit(uow(1))).unwrap();
    let writes = |second: &[u8]| {
        vec![
            Write::new("file/A", *b"a", Change::Insert(b"1".to_vec())),
            Write::new("file/A", second, Change::Insert(b"2".to_vec())),
        ]
    };
    assert_eq!(
        wait(s.write_now(None, writes(b"b"), Wait::No)),
        Err(StoreError::Duplicate)
    );
    assert_eq!(get(&s, None, b"a"), None);
    wait(s.write_now(Some(uow(2)), writes(b"c"), Wait::No)).unwrap();
    assert_eq!(get(&s, None, b"a"), Some(b"1".to_vec()));
    assert_eq!(s.stats().limits[0].now, 0);
}

#[test]
fn counters_go_on() {
    let s = store();
    assert_eq!(wait(s.allocate("file/A", 80)), Ok(0));
    assert_eq!(wait(s.allocate("file/A", 80)), Ok(80));
    wait(s.empty("file/A")).unwrap();
    assert_eq!(wait(s.allocate("file/A", 1)), Ok(0));
}

#[test]
fn a_full_store_keeps_the_unit_of_work() {
    let s = store();
    put(&s, uow(1), b"big", &vec![0; 2 << 20]).unwrap();
    assert!(matches!(
        wait(s.commit(uow(1))),
        Err(StoreError::NoSpace(_))
    ));
    assert_eq!(
        get(&s, Some(uow(1)), b"big").map(|r| r.len()),
        Some(2 << 20)
    );
    wait(s.backout(uow(1))).unwrap();
    put(&s, uow(2), b"small", b"").unwrap();
    wait(s.commit(uow(2))).unwrap();
}
