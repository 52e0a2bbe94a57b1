//! Bench `vsam`: the DSW file mix on the record store alone, and single reads and browses.
//!
//! What: clients that run units of work against KSDS of a store on disk, and the same units on bare
//! LMDB, SQLite and PostgreSQL. Not here: programs and EXEC CICS (`commands`).

mod lmdb;
mod mix;
mod peer;
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

use crate::figure::{self, Goal};
use crate::runs::quick;
use mix::{Call, FILES, Key, RECORD_MAX, Random, Step, record, unit};
use peer::{Engine, Peer};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use transom_datasets::{
    Access, Batch, Cluster, Condition, Dataset, DatasetName, Datasets, Find, LoadRecord,
    LocalOptions, Position, ReadOnlyStore, Start,
};
use transom_recovery::{Direction, Settings, UowId, UowStore, Upkeep};
use transom_types::Applid;

/// Numbers of clients.
const CLIENTS: [u64; 3] = [1, 4, 64];
/// Connection string of a PostgreSQL server that may be filled.
const POSTGRES: &str = "TRANSOM_BENCH_POSTGRES";

/// Prints units of work per second for each number of clients beside those of the peers, then reads
/// and browses.
pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let keys: u64 = if quick() { 2_000 } else { 20_000 };
    let options = LocalOptions {
        map_bytes: 8 << 30,
        ..LocalOptions::default()
    };
    let store = transom_datasets::open_local(folder.path(), options, Settings::default())
        .map_err(|e| e.to_string())?;
    let store: Arc<dyn UowStore> = Arc::new(store);
    let files = runtime
        .block_on(load(&store, keys))
        .map_err(|e| e.to_string())?;
    let bench = Arc::new(Bench {
        store,
        files,
        keys,
        next: AtomicU64::new(1),
    });
    let others = others(&runtime, keys)?;
    for clients in CLIENTS {
        let lmdb = others.lmdb(clients);
        let (ours, cpu) = runtime.block_on(measure(&bench, clients));
        let name = format!("vsam_uow_{clients}_clients");
        let goal = if clients == 64 {
            Goal::Least(1.5)
        } else {
            Goal::None
        };
        figure::ratio(&name, ours, "1/s", ("lmdb-group-commit", lmdb), goal);
        others.rest(&runtime, &name, clients, ours);
        let name = format!("vsam_cpu_{clients}_clients");
        figure::value(&name, cpu, "us", Goal::None);
    }
    drop(bench);
    single(folder.path(), keys)
}

/// The peers, loaded.
struct Others {
    keys: u64,
    lmdb: Peer<lmdb::Lmdb>,
    #[cfg(feature = "sqlite")]
    sqlite: Peer<sqlite::Sqlite>,
    postgres: Option<String>,
    _folder: tempfile::TempDir,
}

fn others(runtime: &tokio::runtime::Runtime, keys: u64) -> Result<Others, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut random = Random(1);
    let mut records = |_| loaded(keys, &mut random);
    let lmdb = lmdb::Lmdb::load(folder.path(), &mut records).map_err(|e| e.to_string())?;
    #[cfg(feature = "sqlite")]
    let sqlite = sqlite::Sqlite::load(folder.path(), &mut records).map_err(|e| e.to_string())?;
    let postgres = std::env::var(POSTGRES).ok();
    if let Some(url) = &postgres {
        let load = postgres::load(url, &mut records);
        runtime.block_on(load).map_err(|e| e.to_string())?;
    }
    Ok(Others {
        keys,
        lmdb: Peer::new(lmdb),
        #[cfg(feature = "sqlite")]
        sqlite: Peer::new(sqlite),
        postgres,
        _folder: folder,
    })
}

impl Others {
    fn lmdb(&self, clients: u64) -> f64 {
        threads(&self.lmdb, clients, self.keys)
    }

    fn rest(&self, runtime: &tokio::runtime::Runtime, name: &str, clients: u64, ours: f64) {
        #[cfg(feature = "sqlite")]
        {
            let sqlite = threads(&self.sqlite, clients, self.keys);
            figure::ratio(name, ours, "1/s", ("sqlite-wal-full", sqlite), Goal::None);
        }
        #[cfg(not(feature = "sqlite"))]
        figure::skipped(name, "SQLite is not built in (feature sqlite)");
        let Some(url) = &self.postgres else {
            return figure::skipped(name, &format!("{POSTGRES} names no server"));
        };
        match runtime.block_on(postgres::measure(url, clients, self.keys)) {
            Ok(value) => figure::ratio(name, ours, "1/s", ("postgresql", value), Goal::None),
            Err(error) => figure::skipped(name, &format!("PostgreSQL: {error}")),
        }
    }
}

fn threads<E: Engine>(peer: &Peer<E>, clients: u64, keys: u64) -> f64 {
    mix::threads(clients, keys, || {
        let mut buffer = Vec::new();
        move |calls: &[Call]| peer.unit(calls, &mut buffer)
    })
}

struct Bench {
    store: Arc<dyn UowStore>,
    files: Vec<Dataset>,
    keys: u64,
    next: AtomicU64,
}

async fn load(store: &Arc<dyn UowStore>, keys: u64) -> Result<Vec<Dataset>, Condition> {
    let datasets = Datasets::open(store.clone()).await?;
    let mut random = Random(1);
    let mut files = Vec::new();
    let access = Access::patient(UowId::new(Applid::from_field(b"LOAD"), 1), false);
    for file in 0..FILES {
        let text = format!("DSW.FILE{file:02}");
        let name = DatasetName::new(&text)?;
        datasets
            .define_cluster(Cluster::ksds(name.clone(), 0, 12, RECORD_MAX))
            .await?;
        let dataset = datasets.dataset(&name)?;
        let records: Vec<_> = loaded(keys, &mut random)
            .into_iter()
            .map(|(_, record)| LoadRecord { slot: None, record })
            .collect();
        dataset.load(access, &records, false).await?;
        files.push(dataset);
    }
    Ok(files)
}

/// The records of a file at the beginning, in order.
fn loaded(keys: u64, random: &mut Random) -> Vec<(Key, Vec<u8>)> {
    let numbers = (0..keys).map(|key| key * 2);
    numbers
        .map(|number| (mix::key(number), record(number, random)))
        .collect()
}

/// Units of work per second and CPU microseconds of each.
async fn measure(bench: &Arc<Bench>, clients: u64) -> (f64, f64) {
    let (begin, cpu) = (Instant::now(), mix::cpu());
    let until = begin + mix::seconds();
    let tasks: Vec<_> = (0..clients)
        .map(|client| {
            let bench = bench.clone();
            tokio::spawn(async move {
                let mut random = Random(client + 7);
                let mut done = 0_u64;
                while Instant::now() < until {
                    let calls = unit(&mut random, bench.keys);
                    done += u64::from(carry_out(&bench, &calls).await);
                }
                done
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += task.await.unwrap_or(0);
    }
    let done = done.max(1) as f64;
    let per_second = done / begin.elapsed().as_secs_f64();
    (per_second, (mix::cpu() - cpu) * 1e6 / done)
}

/// One unit of work; false when it ran into another one and was backed out.
async fn carry_out(bench: &Bench, calls: &[Call]) -> bool {
    let number = bench.next.fetch_add(1, Ordering::Relaxed);
    let uow = UowId::new(Applid::from_field(b"BENCH"), number);
    let access = Access::patient(uow, true);
    for call in calls {
        let Some(file) = bench.files.get(call.file) else {
            return false;
        };
        match one(file, access, call).await {
            Ok(()) | Err(Condition::NotFound | Condition::Duplicate) => {}
            Err(_) => {
                let _ended = bench.store.backout(uow).await;
                return false;
            }
        }
    }
    bench.store.commit(uow).await.is_ok()
}

async fn one(file: &Dataset, access: Access, call: &Call) -> Result<(), Condition> {
    match &call.step {
        Step::Read => {
            file.read(Some(access.uow), &call.key, Find::Equal).await?;
        }
        Step::Change(new) => {
            let found = file.read_for_update(access, &call.key, Find::Equal).await?;
            match new {
                Some(new) => file.rewrite(access, &found.position, new).await?,
                None => file.delete(access, &found.position).await?,
            }
        }
        Step::Add(new) => {
            file.insert(access, None, new).await?;
        }
    }
    Ok(())
}

/// A read and a browse from the map, on one thread.
fn single(folder: &Path, keys: u64) -> Result<(), String> {
    // The map is opened in a process of its own as workers do: one process opens an environment
    // once.
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let store = transom_datasets::open_local(folder, LocalOptions::default(), Settings::default())
        .map_err(|e| e.to_string())?;
    let places = store.reader_places().ok_or("the store has no map")?;
    let places = format!("/proc/{}/fd/{}", std::process::id(), places.as_raw_fd());
    let mut child = std::process::Command::new(exe);
    child.arg("vsam-reader").arg(folder).arg(places);
    child.arg(keys.to_string());
    match child.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the reader ended with {status}")),
        Err(error) => Err(error.to_string()),
    }
}

/// The reader's part; arguments: folder, where it says that it reads, and number of keys.
pub(crate) fn reader(folder: &str, places: &str, keys: &str) -> Result<(), String> {
    let keys: u64 = keys.parse().map_err(|_| "keys are a number")?;
    let map = ReadOnlyStore::open_in_worker(Path::new(folder), Path::new(places));
    let map = map.map_err(|e| e.to_string())?;
    let map = Arc::new(map);
    let store: Arc<dyn UowStore> = map.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let datasets = Datasets::open(store).await.map_err(|e| e.to_string())?;
        let name = DatasetName::new("DSW.FILE00").map_err(|e| e.to_string())?;
        let file = datasets.dataset(&name).map_err(|e| e.to_string())?;
        let mut random = Random(3);
        let reads: u32 = if quick() { 100_000 } else { 1_000_000 };
        let begin = Instant::now();
        for _ in 0..reads {
            let key = format!("{:012}", random.below(keys) * 2);
            std::hint::black_box(file.read(None, key.as_bytes(), Find::Equal).await.ok());
        }
        let us = begin.elapsed().as_secs_f64() * 1e6 / f64::from(reads);
        figure::value("vsam_read", us, "us", Goal::Most(1.7));
        let begin = Instant::now();
        let mut count = 0_usize;
        let (mut position, mut batch) = (Position::of_base(&[]), Batch::default());
        let mut on = false;
        while count < reads as usize {
            let start = if on {
                Start::After(&position)
            } else {
                Start::End
            };
            file.fill(&map, start, Direction::Forward, 64, &mut batch)
                .map_err(|e| e.to_string())?;
            on = !batch.is_empty();
            while let Some(seen) = batch.take() {
                std::hint::black_box(seen.record);
                seen.place(&mut position);
                count += 1;
            }
        }
        let us = begin.elapsed().as_secs_f64() * 1e6 / count as f64;
        figure::value("vsam_browse_record", us, "us", Goal::Most(0.1));
        Ok(())
    })
}
