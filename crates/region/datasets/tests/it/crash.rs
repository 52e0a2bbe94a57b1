//! A process that moves money is killed; what is on the disk must add up.
//!
//! The child is this test executable with the test [`killed_at_any_moment`], which moves money
//! instead where [`FOLDER`] is set. It says on its standard output which transfers were committed
//! (`+n`) and which were backed out (`-n`).

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write as _};
use std::ops::Bound;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use transom_datasets::{LocalOptions, LocalStore, open_local};
use transom_recovery::*;
use transom_types::Applid;

const ACCOUNTS: &str = "file/ACCOUNTS";
const JOURNAL: &str = "file/JOURNAL";
const ACCOUNTS_MAX: u64 = 20;
/// Where it is set, [`killed_at_any_moment`] is the child, and this is its store.
const FOLDER: &str = "TRANSOM_TEST_CRASH_FOLDER";

fn uow(number: u64) -> UowId {
    UowId::new(Applid::from_field(b"CRASH"), number)
}

fn number(bytes: &[u8]) -> i64 {
    bytes.try_into().map(i64::from_be_bytes).unwrap_or(i64::MIN)
}

fn open(folder: &Path) -> Result<LocalStore, StoreError> {
    // About ten transfers: checkpoints come and go.
    let options = LocalOptions {
        log_bytes: 4 << 10,
        ..LocalOptions::default()
    };
    open_local(folder, options, Settings::default())
}

/// All committed numbers of a table.
fn all(store: &LocalStore, table: &str) -> Vec<(i64, Vec<u8>)> {
    let mut found = Vec::new();
    let mut from = Bound::Unbounded;
    loop {
        let bound = from.as_ref().map(Vec::as_slice);
        let rows = wait(store.scan(None, table, bound, &[], Direction::Forward, 1_000)).unwrap();
        let Some(last) = rows.last() else {
            return found;
        };
        from = Bound::Excluded(last.key.clone());
        found.extend(rows.into_iter().map(|r| (number(&r.key), r.record)));
    }
}

/// Says a line at once.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// What the child does until it is killed.
fn move_money(folder: &Path) {
    #[cfg(feature = "failpoints")]
    let _points = fail::FailScenario::setup();
    let store = Arc::new(open(folder).unwrap());
    wait(store.define(ACCOUNTS)).unwrap();
    wait(store.define(JOURNAL)).unwrap();
    let first = all(&store, JOURNAL)
        .last()
        .map_or(1, |l| l.0 as u64 + 1_000);
    let next = Arc::new(AtomicU64::new(first));
    for doubt in wait(store.in_doubt()).unwrap() {
        wait(store.resolve(doubt.uow, Outcome::Commit)).unwrap();
    }
    let work = |store: Arc<LocalStore>, next: Arc<AtomicU64>| {
        std::thread::spawn(move || {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                // Failures are what is tested; the unit of work must be all or nothing then.
                if let Err(error) = transfer(&store, n) {
                    // An answer, whatever it is.
                    let _ = wait(store.backout(uow(n)));
                    if error == StoreError::Closed {
                        return;
                    }
                }
            }
        })
    };
    let threads: Vec<_> = (0..3).map(|_| work(store.clone(), next.clone())).collect();
    threads.into_iter().for_each(|t| drop(t.join()));
}

fn transfer(store: &LocalStore, n: u64) -> Result<(), StoreError> {
    let u = uow(n);
    let (from, to) = (n * 7 % ACCOUNTS_MAX, n * 11 % ACCOUNTS_MAX);
    let amount = (n % 100) as i64;
    for (account, change) in [(from, -amount), (to, amount)] {
        let key = account.to_be_bytes();
        let lock = Lock::Update(Wait::Forever);
        let row = wait(store.read(Some(u), ACCOUNTS, &key, Match::Equal, lock))?;
        let balance = row.map_or(0, |r| number(&r.record)) + change;
        let put = Change::Put(balance.to_be_bytes().to_vec());
        wait(store.stage(u, ACCOUNTS, &key, put, Wait::Forever))?;
    }
    let entry = [
        (from as i64).to_be_bytes(),
        (to as i64).to_be_bytes(),
        amount.to_be_bytes(),
    ];
    let insert = Change::Insert(entry.concat());
    wait(store.stage(u, JOURNAL, &n.to_be_bytes(), insert, Wait::Forever))?;
    if n.is_multiple_of(3) {
        wait(store.prepare(u, b"transfer"))?;
    }
    if n.is_multiple_of(6) {
        wait(store.backout(u))?;
        say(&format!("-{n}"));
    } else {
        wait(store.commit(u))?;
        say(&format!("+{n}"));
    }
    if n.is_multiple_of(10) {
        let scratch = "file/SCRATCH";
        wait(store.define(scratch))?;
        let write = Write::new(scratch, *b"k", Change::Put(vec![0; 100]));
        wait(store.write_now(None, vec![write], Wait::No))?;
        wait(store.empty(scratch))?;
    }
    Ok(())
}

/// Runs the child until it is killed or dies; the transfers it named, and whether a fail point
/// ended it.
fn run_child(folder: &Path, points: &str, life: Duration) -> (Vec<i64>, bool) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["crash::killed_at_any_moment", "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .env("FAILPOINTS", points)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    // The test harness writes lines of its own, and may write in front of the child's.
    let named = |line: String| line.rsplit(' ').next()?.parse().ok();
    let reader = std::thread::spawn(move || {
        let lines = out.lines().map_while(Result::ok);
        lines.filter_map(named).collect()
    });
    let end = std::time::Instant::now() + life;
    while std::time::Instant::now() < end && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // A fail point kills; a failed assertion in the child would not.
    let ended = child.try_wait().unwrap();
    let died = ended.is_some_and(|status| status.signal() == Some(9));
    // kill() is SIGKILL.
    let _ = child.kill();
    let _ = child.wait();
    (reader.join().unwrap(), died)
}

/// Opens the store of a dead child, ends what is in doubt, and compares balances, journal and what
/// was said.
fn must_add_up(folder: &Path, said: &[i64], case: &str) {
    let store = open(folder).unwrap();
    let _ = (wait(store.define(ACCOUNTS)), wait(store.define(JOURNAL)));
    for (n, doubt) in wait(store.in_doubt()).unwrap().into_iter().enumerate() {
        assert!(doubt.retained && doubt.info == b"transfer", "{case}");
        let outcome = if n % 2 == 0 {
            Outcome::Commit
        } else {
            Outcome::Backout
        };
        wait(store.resolve(doubt.uow, outcome)).unwrap();
    }
    assert_eq!(wait(store.verify("")).unwrap(), vec![], "{case}");
    assert_eq!(store.stats().limits[0].now, 0, "{case}: locks are left");
    let journal = all(&store, JOURNAL);
    let mut balances = vec![0; ACCOUNTS_MAX as usize];
    for (_, entry) in &journal {
        let amount = number(&entry[16..]);
        balances[number(&entry[..8]) as usize] -= amount;
        balances[number(&entry[8..16]) as usize] += amount;
    }
    for (account, balance) in all(&store, ACCOUNTS) {
        assert_eq!(
            number(&balance),
            balances[account as usize],
            "{case}: account {account}"
        );
    }
    let there: HashSet<i64> = journal.iter().map(|e| e.0).collect();
    for n in said {
        assert_eq!(there.contains(&n.abs()), *n > 0, "{case}: said {n:+}");
    }
}

#[test]
fn killed_at_any_moment() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return move_money(folder.as_ref());
    }
    let folder = tempfile::tempdir().unwrap();
    let mut said = Vec::new();
    for round in 0..8 {
        let life = Duration::from_millis(120 + round * 57);
        said.extend(run_child(folder.path(), "", life).0);
        must_add_up(folder.path(), &said, &format!("round {round}"));
    }
    assert!(said.len() > 50, "the child got nothing done: {said:?}");
}

#[cfg(feature = "failpoints")]
mod points {
    use super::*;

    const POINTS: &[&str] = &[
        "lock-before",
        "lock-after",
        "stage-before",
        "stage-locked",
        "stage-after",
        "write-now-durable",
        "prepare-begin",
        "prepare-durable",
        "commit-begin",
        "commit-durable",
        "commit-released",
        "backout-begin",
        "backout-durable",
        "group-begin",
        "lmdb-write-before",
        "lmdb-write-after",
        "lmdb-commit-before",
        "lmdb-commit-after",
        "log-write-before",
        "log-write-after",
        "checkpoint-begin",
        "checkpoint-write",
        "lmdb-sweep",
        "lmdb-define",
    ];
    const RECOVERY: &[&str] = &[
        "recover-begin",
        "recover-unit",
        "recover-end",
        "resolve-begin",
    ];

    #[test]
    fn each_point_kills_once() {
        for point in POINTS {
            let folder = tempfile::tempdir().unwrap();
            let mut said = run_child(folder.path(), "", Duration::from_millis(80)).0;
            for hits in [0, 3, 40] {
                let action = format!("{point}={hits}*off->return(kill)");
                let life = if hits == 0 { 10_000 } else { 500 };
                let (more, died) = run_child(folder.path(), &action, Duration::from_millis(life));
                assert!(died || hits > 0, "{point} was not reached");
                said.extend(more);
                // A second crash, while the first is recovered from.
                for again in RECOVERY {
                    let action = format!("{again}=return(kill)");
                    said.extend(run_child(folder.path(), &action, Duration::from_millis(60)).0);
                }
                must_add_up(folder.path(), &said, &action);
            }
        }
    }

    /// The child ends by itself because nobody waits for a committer that is no more.
    #[test]
    fn a_panic_of_the_committer_hangs_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let begun = std::time::Instant::now();
        let life = Duration::from_secs(20);
        let (said, _) = run_child(folder.path(), "lmdb-write-before=40*off->panic", life);
        assert!(begun.elapsed() < life, "the child hangs");
        assert!(!said.is_empty(), "the child got nothing done");
        must_add_up(folder.path(), &said, "panic");
    }

    #[test]
    fn each_point_fails_now_and_then() {
        let mut named = 0;
        for point in POINTS {
            for error in ["io", "nospace"] {
                // Behind a flush that succeeded there is no "no space".
                let flushed = ["lmdb-commit-after", "log-write-after"];
                if error == "nospace" && flushed.contains(point) {
                    continue;
                }
                let folder = tempfile::tempdir().unwrap();
                let mut said = run_child(folder.path(), "", Duration::from_millis(60)).0;
                let action = format!("{point}=10%return({error})");
                let life = Duration::from_millis(250);
                said.extend(run_child(folder.path(), &action, life).0);
                must_add_up(folder.path(), &said, &action);
                named += said.len();
            }
        }
        assert!(named > 50, "the children got nothing done");
    }
}
