//! Bench `soak`: many tasks that fail and processes that are killed; nothing may grow.
//!
//! What: counts outcomes that are not what CICS says, and compares memory, shared storage, open
//! files and processes before and after. Why: a region runs for months among programs that abend.
//! Not here: response times.

use crate::cpu;
use crate::figure::{self, Goal};
use crate::region::{Bench, SHARED_MB, request, start};
use crate::runs::quick;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use transom_region_api::{Control, Fault, Programs};
use transom_region_server::LocalRegion;
use transom_types::AbendCode;

const SYSTEM: &str = "bench/soak/system";
const CALLERS: u64 = 50;
/// Tasks before the first reading: tables, arenas and workers reach their size.
const WARM_UP: u64 = 5_000;
/// A worker is killed once per this many tasks.
const TASKS_PER_KILL: u64 = 1_000;
const ZYGOTE_KILLS: u64 = 3;
/// A block that a worker was about to publish when it was killed stays taken; most are this small.
const SHARED_PER_KILL: f64 = 64.0;
/// Time in which ended tasks are tidied up before a reading.
const SETTLE: Duration = Duration::from_millis(1_500);

/// How long a program may take.
const LINK: Duration = Duration::from_secs(30);

/// Programs and the abend code each ends with; `None` ends normally.
const MIX: &[(&str, Option<&str>)] = &[
    ("OWNCODE", Some("MINE")),
    ("S0C7", Some("ASRA")),
    ("S0C4", Some("ASRA")),
    ("STOPRUN", None),
    ("NOCALL", Some("APCN")),
    ("LEAKY", Some("ASRA")),
    ("GOOD", None),
];

/// Runs on one thread, as the gateway does.
pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(measure())
}

async fn measure() -> Result<(), String> {
    let bench = start(SYSTEM, false, SHARED_MB).await?;
    tasks(&bench, WARM_UP).await?;
    let before = Reading::take(&bench.region).await;
    let killer = Killer::start(&bench.region, events());
    let begin = Instant::now();
    let counts = tasks(&bench, events()).await?;
    let seconds = begin.elapsed().as_secs_f64();
    let kills = killer.stop().await;
    let after = Reading::take(&bench.region).await;
    print(events(), &counts, seconds, kills);
    before.compare(&after, (kills.0 + kills.1) as f64);
    bench.region.stop(Duration::from_secs(5)).await;
    Ok(())
}

fn events() -> u64 {
    let wanted = std::env::var("EVENTS").ok().and_then(|v| v.parse().ok());
    wanted.unwrap_or(if quick() { 10_000 } else { 100_000 })
}

#[derive(Default)]
struct Counts {
    failed: AtomicU64,
    killed: AtomicU64,
    unexpected: AtomicU64,
    first: std::sync::Mutex<Option<String>>,
}

fn print(events: u64, counts: &Counts, seconds: f64, kills: (u64, u64)) {
    let get = |n: &AtomicU64| n.load(Ordering::Relaxed) as f64;
    figure::value("soak_events", events as f64, "tasks", Goal::None);
    figure::value("soak_rate", events as f64 / seconds, "tasks/s", Goal::None);
    figure::value("soak_abends", get(&counts.failed), "tasks", Goal::None);
    figure::value(
        "soak_workers_killed",
        kills.0 as f64,
        "processes",
        Goal::None,
    );
    figure::value(
        "soak_zygotes_killed",
        kills.1 as f64,
        "processes",
        Goal::None,
    );
    figure::value(
        "soak_tasks_lost_to_kills",
        get(&counts.killed),
        "tasks",
        Goal::None,
    );
    figure::value(
        "soak_unexpected_outcomes",
        get(&counts.unexpected),
        "tasks",
        Goal::Most(0.0),
    );
    if let Some(text) = counts.first.lock().ok().and_then(|mut first| first.take()) {
        eprintln!("first unexpected outcome: {text}");
    }
}

/// Runs this many tasks of the mix with some callers at a time.
async fn tasks(bench: &Bench, n: u64) -> Result<Arc<Counts>, String> {
    let counts = Arc::new(Counts::default());
    let next = Arc::new(AtomicU64::new(0));
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let (region, counts, next) = (bench.region.clone(), counts.clone(), next.clone());
            tokio::spawn(async move {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= n {
                        return;
                    }
                    one(&region, MIX[i as usize % MIX.len()], &counts).await;
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.map_err(|e| e.to_string())?;
    }
    Ok(counts)
}

async fn one(region: &LocalRegion, (program, code): (&str, Option<&str>), counts: &Counts) {
    let outcome = region
        .link(request(program, Vec::new(), Some(LINK)))
        .await
        .map_err(|failure| failure.fault);
    let expected = match code {
        Some(code) => Err(Fault::Abend(AbendCode::from_field(code.as_bytes()))),
        None => Ok(()),
    };
    let killed = Fault::Abend(AbendCode::from_field(b"ASRB"));
    match outcome.map(|_| ()) {
        got if got == expected => {
            counts
                .failed
                .fetch_add(u64::from(got.is_err()), Ordering::Relaxed);
        }
        Err(fault) if fault == killed => {
            counts.killed.fetch_add(1, Ordering::Relaxed);
        }
        got => {
            counts.unexpected.fetch_add(1, Ordering::Relaxed);
            if let Ok(mut first) = counts.first.lock() {
                first.get_or_insert_with(|| format!("{program}: {got:?}"));
            }
        }
    }
}

/// Sends SIGKILL to workers and now and then to the zygote.
struct Killer {
    stop: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<(u64, u64)>,
}

impl Killer {
    fn start(region: &Arc<LocalRegion>, events: u64) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (ends, region) = (stop.clone(), region.clone());
        let task = tokio::spawn(async move {
            let from = completed(&region);
            let (mut workers, mut zygotes) = (0, 0);
            while !ends.load(Ordering::Relaxed) {
                let done = completed(&region) - from;
                if zygotes < ZYGOTE_KILLS && done > (zygotes + 1) * events / (ZYGOTE_KILLS + 1) {
                    zygotes += u64::from(kill(children(std::process::id()).first()));
                } else if done > (workers + 1) * TASKS_PER_KILL {
                    let pids: Vec<u32> = children(std::process::id())
                        .into_iter()
                        .flat_map(children)
                        .collect();
                    let at = workers as usize % pids.len().max(1);
                    workers += u64::from(kill(pids.get(at)));
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            (workers, zygotes)
        });
        Self { stop, task }
    }

    /// Workers and zygotes killed.
    async fn stop(self) -> (u64, u64) {
        self.stop.store(true, Ordering::Relaxed);
        self.task.await.unwrap_or_default()
    }
}

/// Processes started by any thread of a process.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let mut found: Vec<u32> = std::fs::read_dir(format!("/proc/{parent}/task"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|text| {
            text.split_ascii_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter_map(|pid| pid.parse().ok())
        .collect();
    found.sort_unstable();
    found
}

pub(crate) fn kill(pid: Option<&u32>) -> bool {
    pid.is_some_and(|pid| {
        Command::new("kill")
            .args(["-KILL", &pid.to_string()])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    })
}

fn completed(region: &LocalRegion) -> u64 {
    statistic(region, "tasks_completed")
}

fn statistic(region: &LocalRegion, name: &str) -> u64 {
    let groups = region.statistics().expect("the region is in this process");
    let mut values = groups.iter().flat_map(|g| &g.values);
    values.find(|v| v.name == name).map_or(0, |v| v.value)
}

/// What may not grow.
struct Reading {
    rss_mb: f64,
    tree_mb: f64,
    shared_bytes: f64,
    files: f64,
    processes: f64,
}

impl Reading {
    async fn take(region: &LocalRegion) -> Self {
        tokio::time::sleep(SETTLE).await;
        let pid = std::process::id();
        let pids = cpu::tree_pids(pid);
        let zygotes = children(pid);
        Self {
            rss_mb: cpu::rss_mb(pid),
            tree_mb: cpu::tree_pss_mb(pid),
            shared_bytes: statistic(region, "shared_used_bytes") as f64,
            files: [pid]
                .iter()
                .chain(&zygotes)
                .map(|pid| open_files(*pid))
                .sum::<usize>() as f64,
            processes: pids.len() as f64,
        }
    }

    /// Prints both readings; the growth has the goal.
    fn compare(&self, after: &Self, kills: f64) {
        for (name, unit, before, after, most) in [
            ("rss_region", "MB", self.rss_mb, after.rss_mb, 2.0),
            ("memory_all", "MB", self.tree_mb, after.tree_mb, 10.0),
            (
                "shared_used",
                "bytes",
                self.shared_bytes,
                after.shared_bytes,
                SHARED_PER_KILL * kills,
            ),
            ("fds", "files", self.files, after.files, 2.0),
            (
                "processes",
                "processes",
                self.processes,
                after.processes,
                8.0,
            ),
        ] {
            figure::value(&format!("soak_{name}_before"), before, unit, Goal::None);
            figure::value(
                &format!("soak_{name}_after"),
                after,
                unit,
                Goal::Most(before + most),
            );
        }
    }
}

pub(crate) fn open_files(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}
