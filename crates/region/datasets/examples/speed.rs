//! Speed of the embedded store: reads and browses through the read-only map, units of work per
//! second.
//!
//! `cargo run --release -p transom-datasets --example speed -- FOLDER`; the folder is made anew.
//! Prints one line per figure; nanoseconds are CPU time of the thread, so that a busy machine does
//! not count. Not a test: nothing is compared.

use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use transom_datasets::{
    Access, Cluster, DatasetName, DatasetNameError, Datasets, Find, LoadRecord, LocalOptions,
    ReadOnlyStore, Start, open_local,
};
use transom_recovery::{
    Change, Direction, Lock, Match, SCAN_BYTES_MAX, Scan, Settings, UowId, UowStore, Wait, wait,
};
use transom_types::Applid;

const RECORDS: u64 = 100_000;
const RECORD: usize = 200;
const SECONDS: Duration = Duration::from_secs(3);

fn uow(number: u64) -> UowId {
    UowId::new(Applid::from_field(b"SPEED"), number)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("a folder is needed")?;
    let folder = Path::new(&folder);
    let _fresh = std::fs::remove_dir_all(folder);
    fill(folder)?;
    read(folder)?;
    for clients in [1, 4, 64] {
        change(folder, clients)?;
    }
    Ok(())
}

fn name() -> Result<DatasetName, DatasetNameError> {
    DatasetName::new("SPEED.DATA")
}

fn key(n: u64) -> Vec<u8> {
    format!("{n:012}").into_bytes()
}

fn fill(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let store = open_local(folder, LocalOptions::default(), Settings::default())?;
    let all = wait(Datasets::open(Arc::new(store)))?;
    wait(all.define_cluster(Cluster::ksds(name()?, 0, 12, 400)))?;
    let data = all.dataset(&name()?)?;
    let begun = cpu();
    for batch in 0..RECORDS / 1_000 {
        let record = |n: u64| {
            let mut record = key(batch * 1_000 + n);
            record.resize(RECORD, b'x');
            LoadRecord { slot: None, record }
        };
        let records: Vec<LoadRecord> = (0..1_000).map(record).collect();
        wait(data.load(Access::patient(uow(1), false), &records, false))?;
    }
    say("load, ns per record", cpu() - begun, RECORDS);
    Ok(())
}

fn read(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let store = Arc::new(ReadOnlyStore::open(folder)?);
    let table = "file/SPEED.DATA";
    let random = |n: u64| key(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) % RECORDS);
    for n in 0..RECORDS {
        store.get(table, &random(n))?;
    }
    let begun = cpu();
    for n in 0..RECORDS {
        store.get(table, &random(n))?;
    }
    say("get through the map, ns", cpu() - begun, RECORDS);
    let all = wait(Datasets::open(store.clone()))?;
    let data = all.dataset(&name()?)?;
    let begun = cpu();
    for n in 0..RECORDS {
        wait(data.read(None, &random(n), Find::Equal))?;
    }
    say("READ of a dataset, ns", cpu() - begun, RECORDS);
    for direction in [Direction::Forward, Direction::Backward] {
        let begun = cpu();
        let (mut last, mut count) = (None, 0);
        loop {
            let start = last.as_ref().map_or(Start::End, Start::After);
            let found = wait(data.scan(None, start, direction, 64))?;
            count += found.len() as u64;
            match found.into_iter().last() {
                Some(found) => last = Some(found.position),
                None => break,
            }
        }
        say(
            &format!("browse of a dataset by 64 {direction:?}, ns per record"),
            cpu() - begun,
            count,
        );
    }
    visit(&store, table)?;
    let begun = cpu();
    let (mut last, mut count) = (None::<Vec<u8>>, 0);
    loop {
        let scan = Scan {
            from: last.as_deref().map_or(Bound::Unbounded, Bound::Excluded),
            prefix: &[],
            direction: Direction::Forward,
            limit: 64,
            bytes_max: SCAN_BYTES_MAX,
        };
        let (rows, _) = store.scan_rows(table, scan)?;
        count += rows.len() as u64;
        match rows.into_iter().last() {
            Some(row) => last = Some(row.key),
            None => break,
        }
    }
    say(
        "scan of the table by 64, ns per record",
        cpu() - begun,
        count,
    );
    Ok(())
}

/// A browse that copies keys and records into one buffer, 64 at a time.
fn visit(store: &ReadOnlyStore, table: &str) -> Result<(), Box<dyn std::error::Error>> {
    let begun = cpu();
    let (mut last, mut count, mut ended) = (Vec::<u8>::new(), 0, false);
    let mut buffer = Vec::new();
    while !ended {
        let scan = Scan {
            from: Bound::Excluded(&last.clone()),
            prefix: &[],
            direction: Direction::Forward,
            limit: 64,
            bytes_max: SCAN_BYTES_MAX,
        };
        buffer.clear();
        ended = store.visit(table, scan, &mut |key, record| {
            buffer.extend_from_slice(key);
            buffer.extend_from_slice(record);
            last.clear();
            last.extend_from_slice(key);
            count += 1;
        })?;
    }
    say(
        "scan into a buffer by 64, ns per record",
        cpu() - begun,
        count,
    );
    Ok(())
}

/// Each unit of work reads two records for update and writes them.
fn change(folder: &Path, clients: u64) -> Result<(), Box<dyn std::error::Error>> {
    let store = open_local(folder, LocalOptions::default(), Settings::default())?;
    let store: Arc<dyn UowStore> = Arc::new(store);
    let done = Arc::new(AtomicU64::new(0));
    let begun = Instant::now();
    let mut threads = Vec::new();
    for client in 0..clients {
        let (store, done) = (store.clone(), done.clone());
        threads.push(std::thread::spawn(move || {
            let mut n = client << 40;
            while begun.elapsed() < SECONDS {
                n += 1;
                let u = uow(n);
                for half in 0..2 {
                    let place = (n * 2 + half).wrapping_mul(0x9E37_79B9_7F4A_7C15) % RECORDS;
                    let (key, table) = (key(place), "file/SPEED.DATA");
                    let lock = Lock::Update(Wait::Forever);
                    let row = wait(store.read(Some(u), table, &key, Match::Equal, lock));
                    let Ok(Some(row)) = row else { break };
                    let _staged =
                        wait(store.stage(u, table, &key, Change::Put(row.record), Wait::No));
                }
                if wait(store.commit(u)).is_ok() {
                    done.fetch_add(1, Ordering::Relaxed);
                } else {
                    store.release(u);
                }
            }
        }));
    }
    threads.into_iter().for_each(|t| drop(t.join()));
    let (count, stats) = (done.load(Ordering::Relaxed), store.stats());
    println!(
        "{clients} clients: {:.0} units of work per second, {:.1} per group",
        count as f64 / begun.elapsed().as_secs_f64(),
        stats.commits as f64 / stats.groups.max(1) as f64
    );
    Ok(())
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(first.unwrap_or_default())
}

fn say(what: &str, time: Duration, count: u64) {
    println!(
        "{what}: {:.0}",
        time.as_nanos() as f64 / count.max(1) as f64
    );
}
