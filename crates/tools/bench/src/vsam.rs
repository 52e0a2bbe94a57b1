//! Bench `vsam`: the DSW file mix on the record store alone, and single reads and browses.
//!
//! What: clients that run units of work against KSDS of a store on disk. Not here: programs and EXEC CICS (`commands`).

use crate::cpu::tree_seconds;
use crate::figure::{self, Goal};
use crate::quick;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use transom_datasets::{
    Access, Batch, Cluster, Dataset, DatasetName, Datasets, Find, LoadRecord, LocalOptions,
    Position, ReadOnlyStore, Start,
};
use transom_recovery::{Direction, Settings, UowId, UowStore};
use transom_types::Applid;

const FILES: usize = 32;
const CALLS: u64 = 6;
const RECORD_MAX: usize = 400;

/// Prints units of work per second and CPU for each number of clients, then reads and browses.
pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let keys: u64 = if quick() { 2_000 } else { 20_000 };
    let options = LocalOptions { map_bytes: 8 << 30 };
    let store = transom_datasets::open_local(folder.path(), options, Settings::default())
        .map_err(|e| e.to_string())?;
    let store: Arc<dyn UowStore> = Arc::new(store);
    runtime.block_on(async {
        let files = load(&store, keys).await.map_err(|e| e.to_string())?;
        let bench = Arc::new(Bench {
            store,
            files,
            keys,
            next: AtomicU64::new(1),
        });
        for clients in [1, 4, 64] {
            let alone = measure(&bench, clients, true).await;
            let grouped = measure(&bench, clients, false).await;
            figure::ratio(
                &format!("vsam_uow_{clients}_clients"),
                grouped.0,
                "1/s",
                ("own-transaction-each", alone.0),
                Goal::None,
            );
            let name = format!("vsam_cpu_{clients}_clients");
            figure::value(&name, grouped.1, "us", Goal::None);
        }
        Ok::<(), String>(())
    })?;
    single(folder.path(), keys)
}

struct Bench {
    store: Arc<dyn UowStore>,
    files: Vec<Dataset>,
    keys: u64,
    next: AtomicU64,
}

async fn load(
    store: &Arc<dyn UowStore>,
    keys: u64,
) -> Result<Vec<Dataset>, transom_datasets::Condition> {
    let datasets = Datasets::open(store.clone()).await?;
    let mut random = Random(1);
    let mut files = Vec::new();
    let access = Access::patient(UowId::new(Applid::from_field(b"LOAD"), 1), false);
    for file in 0..FILES {
        let text = format!("DSW.FILE{file:02}");
        let name = DatasetName::new(&text).map_err(transom_datasets::Condition::Refused)?;
        datasets
            .define_cluster(Cluster::ksds(name.clone(), 0, 12, RECORD_MAX))
            .await?;
        let dataset = datasets.dataset(&name)?;
        let records: Vec<_> = (0..keys)
            .map(|key| LoadRecord {
                slot: None,
                record: record(key * 2, &mut random),
            })
            .collect();
        dataset.load(access, &records, false).await?;
        files.push(dataset);
    }
    Ok(files)
}

/// Keys of loaded records are even, those of added ones odd.
fn record(key: u64, random: &mut Random) -> Vec<u8> {
    let mut record = format!("{key:012}").into_bytes();
    record.resize(100 + random.below(300) as usize, b'x');
    record
}

/// Units of work per second and CPU microseconds of each.
async fn measure(bench: &Arc<Bench>, clients: u64, alone: bool) -> (f64, f64) {
    let seconds = if quick() { 2 } else { 5 };
    let until = Instant::now() + Duration::from_secs(seconds);
    let me = std::process::id();
    let (begin, cpu) = (Instant::now(), tree_seconds(me));
    let one_by_one = Arc::new(tokio::sync::Mutex::new(()));
    let tasks: Vec<_> = (0..clients)
        .map(|client| {
            let (bench, turn) = (bench.clone(), one_by_one.clone());
            tokio::spawn(async move {
                let mut random = Random(client + 7);
                let mut done = 0_u64;
                while Instant::now() < until {
                    let turn = alone.then_some(&*turn);
                    done += u64::from(unit(&bench, &mut random, turn).await);
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
    (per_second, (tree_seconds(me) - cpu) * 1e6 / done)
}

/// One unit of work; false when it ran into another one and was backed out. With a turn, commits come one by one.
async fn unit(bench: &Bench, random: &mut Random, turn: Option<&tokio::sync::Mutex<()>>) -> bool {
    let number = bench.next.fetch_add(1, Ordering::Relaxed);
    let uow = UowId::new(Applid::from_field(b"BENCH"), number);
    let access = Access::patient(uow, true);
    for _ in 0..CALLS {
        let call = call(bench, access, random).await;
        if call.is_err() {
            let _ended = bench.store.backout(uow).await;
            return false;
        }
    }
    let _turn = match turn {
        Some(turn) => Some(turn.lock().await),
        None => None,
    };
    bench.store.commit(uow).await.is_ok()
}

async fn call(
    bench: &Bench,
    access: Access,
    random: &mut Random,
) -> Result<(), transom_datasets::Condition> {
    let file = random.below(bench.files.len() as u64) as usize;
    let Some(file) = bench.files.get(file) else {
        return Ok(());
    };
    let key = random.below(bench.keys) * 2;
    let text = format!("{key:012}");
    let ignore = |done: Result<_, transom_datasets::Condition>| match done {
        Err(transom_datasets::Condition::NotFound | transom_datasets::Condition::Duplicate) => {
            Ok(None)
        }
        done => done.map(Some),
    };
    match random.below(100) {
        0..=78 => {
            ignore(
                file.read(Some(access.uow), text.as_bytes(), Find::Equal)
                    .await,
            )?;
        }
        79..=88 => {
            let read = file.read_for_update(access, text.as_bytes(), Find::Equal);
            if let Some(found) = ignore(read.await)? {
                if random.below(10) == 0 {
                    file.delete(access, &found.position).await?;
                } else {
                    let new = record(key, random);
                    file.rewrite(access, &found.position, &new).await?;
                }
            }
        }
        _ => {
            let new = record(random.below(1 << 38) * 2 + 1, random);
            match file.insert(access, None, &new).await {
                Err(transom_datasets::Condition::Duplicate) | Ok(_) => {}
                Err(other) => return Err(other),
            }
        }
    }
    Ok(())
}

/// A read and a browse from the map, on one thread.
fn single(folder: &Path, keys: u64) -> Result<(), String> {
    // The map is opened in a process of its own as workers do: one process opens an environment once.
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut child = std::process::Command::new(exe);
    child.arg("vsam-reader").arg(folder).arg(keys.to_string());
    match child.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the reader ended with {status}")),
        Err(error) => Err(error.to_string()),
    }
}

/// The reader's part; arguments: folder and number of keys.
pub(crate) fn reader(folder: &str, keys: &str) -> Result<(), String> {
    let keys: u64 = keys.parse().map_err(|_| "keys are a number")?;
    let map = ReadOnlyStore::open(Path::new(folder)).map_err(|e| e.to_string())?;
    let map = Arc::new(map);
    let store: Arc<dyn UowStore> = map.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let datasets = Datasets::open(store).await.map_err(|e| e.to_string())?;
        let name = DatasetName::new("DSW.FILE00")?;
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
        let (mut at, mut batch) = (None, Batch::default());
        while count < reads as usize {
            let start = at.as_ref().map_or(Start::End, Start::After);
            file.fill(&map, start, Direction::Forward, 64, &mut batch)
                .map_err(|e| e.to_string())?;
            let mut last = None;
            while let Some(seen) = batch.take() {
                std::hint::black_box(seen.record);
                last = Some(Position::of_base(seen.key));
                count += 1;
            }
            at = last;
        }
        let us = begin.elapsed().as_secs_f64() * 1e6 / count as f64;
        figure::value("vsam_browse_record", us, "us", Goal::Most(0.1));
        Ok(())
    })
}

/// A small generator; benches repeat the same sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) % limit.max(1)
    }
}
