//! Cases in which units of work wait for each other.

use super::Report;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use transom_recovery::{Change, Lock, Match, StoreError, UowId, UowStore, Wait, wait};
use transom_types::Applid;

const TABLE: &str = "case/waiting";
/// Long enough for a thread to reach its wait.
const SETTLE: Duration = Duration::from_millis(150);
/// Longer than any deadlock search takes.
const PATIENCE: Duration = Duration::from_secs(20);

type Store = Arc<dyn UowStore>;
type Done = Result<(), StoreError>;

pub(super) fn run(store: &Store, report: &mut Report) {
    report.check("waiting: table", wait(store.define(TABLE)), Ok(true));
    commit_hands_over(store, report);
    queue_is_in_order(store, report);
    deadline(store, report);
    circle(store, report);
    circle_of_three(store, report);
    released_while_waiting(store, report);
    no_lost_updates(store, report);
}

fn uow(number: u64) -> UowId {
    UowId::new(Applid::from_field(b"WAITING"), number)
}

fn put(store: &Store, number: u64, key: &str, record: &[u8]) -> Done {
    let change = Change::Put(record.to_vec());
    let until = Wait::Until(Instant::now() + PATIENCE);
    wait(store.stage(uow(number), TABLE, key.as_bytes(), change, until))
}

fn put_on_thread(
    store: &Store,
    number: u64,
    key: &'static str,
    record: &'static [u8],
) -> JoinHandle<Done> {
    let store = store.clone();
    let thread = std::thread::spawn(move || put(&store, number, key, record));
    std::thread::sleep(SETTLE);
    thread
}

fn get(store: &Store, key: &str) -> Option<Vec<u8>> {
    let read = wait(store.read(None, TABLE, key.as_bytes(), Match::Equal, Lock::None));
    read.ok().flatten().map(|row| row.record)
}

fn joined(thread: JoinHandle<Done>) -> Done {
    thread.join().unwrap_or(Err(StoreError::Closed))
}

fn commit_hands_over(store: &Store, report: &mut Report) {
    for commit in [true, false] {
        report.check("waiting: first", put(store, 1, "over", b"1"), Ok(()));
        let second = put_on_thread(store, 2, "over", b"2");
        report.check("waiting: second waits", second.is_finished(), false);
        let end = if commit {
            store.commit(uow(1))
        } else {
            store.backout(uow(1))
        };
        report.check("waiting: first ends", wait(end), Ok(()));
        report.check("waiting: second goes on", joined(second), Ok(()));
        report.check("waiting: second ends", wait(store.commit(uow(2))), Ok(()));
        report.check(
            "waiting: second won",
            get(store, "over"),
            Some(b"2".to_vec()),
        );
    }
}

fn queue_is_in_order(store: &Store, report: &mut Report) {
    report.check("queue: holder", put(store, 1, "queue", b""), Ok(()));
    let mut threads = Vec::new();
    for number in 2..6 {
        let store = store.clone();
        threads.push(std::thread::spawn(move || {
            let lock = Lock::Update(Wait::Until(Instant::now() + PATIENCE));
            let read = store.read(Some(uow(number)), TABLE, b"queue", Match::Equal, lock);
            let mut record = wait(read)?.map(|r| r.record).unwrap_or_default();
            record.push(b'0' + number as u8);
            put(&store, number, "queue", &record)?;
            wait(store.commit(uow(number)))
        }));
        std::thread::sleep(SETTLE);
    }
    report.check("queue: holder ends", wait(store.commit(uow(1))), Ok(()));
    for thread in threads {
        report.check("queue: each comes", joined(thread), Ok(()));
    }
    report.check(
        "queue: in order",
        get(store, "queue"),
        Some(b"2345".to_vec()),
    );
}

fn deadline(store: &Store, report: &mut Report) {
    report.check("deadline: holder", put(store, 1, "late", b""), Ok(()));
    let begun = Instant::now();
    let until = Wait::Until(begun + SETTLE);
    let late = wait(store.lock(uow(2), TABLE, b"late", until));
    report.check("deadline: over", late, Err(StoreError::Timeout));
    let waited = begun.elapsed();
    report.check("deadline: not before", waited >= SETTLE, true);
    report.check("deadline: not much later", waited < SETTLE * 10, true);
    let past = Wait::Until(begun);
    let late = wait(store.lock(uow(2), TABLE, b"late", past));
    report.check("deadline: in the past", late, Err(StoreError::Timeout));
    report.check(
        "deadline: unit still works",
        put(store, 2, "other", b""),
        Ok(()),
    );
    store.release(uow(1));
    store.release(uow(2));
}

/// One of two is refused and backs out; the other goes on.
fn circle(store: &Store, report: &mut Report) {
    report.check("circle: first", put(store, 1, "c1", b""), Ok(()));
    report.check("circle: second", put(store, 2, "c2", b""), Ok(()));
    let other = store.clone();
    let first = std::thread::spawn(move || {
        let done = put(&other, 1, "c2", b"");
        if done.is_err() {
            other.release(uow(1));
        }
        done
    });
    std::thread::sleep(SETTLE);
    let second = put(store, 2, "c1", b"");
    if second.is_err() {
        store.release(uow(2));
    }
    let mut both = [joined(first), second];
    both.sort_by_key(|r| r.is_err());
    report.check(
        "circle: one is refused",
        both,
        [Ok(()), Err(StoreError::Deadlock)],
    );
    store.release(uow(1));
    store.release(uow(2));
}

fn circle_of_three(store: &Store, report: &mut Report) {
    let keys = ["t1", "t2", "t3"];
    for (n, key) in keys.iter().enumerate() {
        report.check("three: begin", put(store, n as u64 + 1, key, b""), Ok(()));
    }
    let mut threads = Vec::new();
    for n in 0..3_u64 {
        let store = store.clone();
        let next = keys[(n as usize + 1) % 3];
        threads.push(std::thread::spawn(move || {
            let done = put(&store, n + 1, next, b"");
            store.release(uow(n + 1));
            done
        }));
        std::thread::sleep(SETTLE);
    }
    let results: Vec<Done> = threads.into_iter().map(joined).collect();
    let refused = results
        .iter()
        .filter(|r| **r == Err(StoreError::Deadlock))
        .count();
    report.check("three: one is refused", refused, 1);
}

fn released_while_waiting(store: &Store, report: &mut Report) {
    report.check("dead: holder", put(store, 1, "dead", b""), Ok(()));
    let waits = put_on_thread(store, 2, "dead", b"");
    store.release(uow(2));
    report.check("dead: wait ends", joined(waits), Err(StoreError::Released));
    report.check("dead: holder goes on", wait(store.commit(uow(1))), Ok(()));
    report.check("dead: lock is free", put(store, 3, "dead", b""), Ok(()));
    store.release(uow(3));
}

/// Four threads add one to the same record.
fn no_lost_updates(store: &Store, report: &mut Report) {
    const EACH: u64 = 25;
    report.check("sum: begin", put(store, 1, "sum", b"0"), Ok(()));
    report.check("sum: begin", wait(store.commit(uow(1))), Ok(()));
    let mut threads = Vec::new();
    for thread in 0..4_u64 {
        let store = store.clone();
        threads.push(std::thread::spawn(move || {
            for n in 0..EACH {
                let number = 1_000 * (thread + 1) + n;
                let lock = Lock::Update(Wait::Until(Instant::now() + PATIENCE));
                let read = store.read(Some(uow(number)), TABLE, b"sum", Match::Equal, lock);
                let record = wait(read)?.map(|r| r.record).unwrap_or_default();
                let sum: u64 = String::from_utf8_lossy(&record).parse().unwrap_or_default();
                put(&store, number, "sum", (sum + 1).to_string().as_bytes())?;
                wait(store.commit(uow(number)))?;
            }
            Ok(())
        }));
    }
    for thread in threads {
        report.check("sum: thread", joined(thread), Ok(()));
    }
    report.check("sum: all counted", get(store, "sum"), Some(b"100".to_vec()));
}
