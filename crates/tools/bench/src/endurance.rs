//! Bench `soak`, second part: a region as its users start it, for a time, on a log that is full.
//!
//! What: the real executable with standard error on a full device; tasks that read and change
//! records, browse, abend after they have read, fail; workers that are killed. Memory, descriptors
//! and places of readers are read again and again; from the end of the warm-up on nothing may grow.
//! Why apart from the first part: only a process of its own has a log, and workers that read the
//! store take places in it. Not here: doors.

use crate::cpu;
use crate::figure::{self, Goal};
use crate::region;
use crate::runs::quick;
use crate::servers::{run_to_end, transom_exe};
use crate::soak::{children, kill, open_files};
use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_region_api::{Control, Fault, Programs};
use transom_types::AbendCode;

const SYSTEM: &str = "bench/soak/system";
const CALLERS: usize = 16;
/// Time between two kills of a worker.
const KILL_EVERY: Duration = Duration::from_secs(2);
/// Time between two readings.
const READ_EVERY: Duration = Duration::from_secs(5);
/// How long the region may take to start and compile.
const START: Duration = Duration::from_secs(120);

/// How long a program may take.
const LINK: Duration = Duration::from_secs(30);

/// Programs and the abend code each ends with.
const MIX: &[(&str, Option<&str>)] = &[
    ("READER", None),
    ("UPDATER", None),
    ("READER", None),
    ("READFAIL", Some("ASRA")),
    ("UPDATER", None),
    ("OWNCODE", Some("MINE")),
    ("S0C7", Some("ASRA")),
    ("READER", None),
    ("NOCALL", Some("APCN")),
];

/// Runs for MINUTES, 30 without it; a quarter of it, five minutes at most, is warm-up.
pub(crate) fn run() -> Result<(), String> {
    let minutes = std::env::var("MINUTES").ok().and_then(|m| m.parse().ok());
    let time = Duration::from_secs(60 * minutes.unwrap_or(if quick() { 1 } else { 30 }));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(measure(time))
}

async fn measure(time: Duration) -> Result<(), String> {
    let region = Region::start().await?;
    region
        .link("FILL", None)
        .await
        .map_err(|f| format!("FILL: {f:?}"))?;
    let state = Arc::new(State::default());
    let region = Arc::new(region);
    let callers: Vec<_> = (0..CALLERS)
        .map(|n| tokio::spawn(call(region.clone(), state.clone(), n)))
        .collect();
    let killer = tokio::spawn(kill_workers(region.pid(), state.clone()));
    let warm = (time / 4).min(Duration::from_secs(300));
    let begin = Instant::now();
    tokio::time::sleep(warm).await;
    let first = region.reading();
    let mut most = region.reading();
    while begin.elapsed() < time {
        tokio::time::sleep(READ_EVERY).await;
        most = most.at_least(&region.reading());
    }
    state.stop.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.await.map_err(|e| e.to_string())?;
    }
    let kills = killer.await.unwrap_or_default();
    // Workers that are gone give their places back with the next checkpoint.
    tokio::time::sleep(Duration::from_secs(2)).await;
    print(&state, kills, begin.elapsed());
    first.compare(&most, &region.reading());
    Ok(())
}

#[derive(Default)]
struct State {
    stop: AtomicBool,
    done: AtomicU64,
    killed: AtomicU64,
    unexpected: AtomicU64,
    first: std::sync::Mutex<Option<String>>,
}

fn print(state: &State, kills: u64, time: Duration) {
    let get = |n: &AtomicU64| n.load(Ordering::Relaxed) as f64;
    let rate = get(&state.done) / time.as_secs_f64();
    figure::value("endurance_seconds", time.as_secs_f64(), "s", Goal::None);
    figure::value("endurance_rate", rate, "tasks/s", Goal::None);
    figure::value(
        "endurance_workers_killed",
        kills as f64,
        "processes",
        Goal::None,
    );
    figure::value(
        "endurance_tasks_lost_to_kills",
        get(&state.killed),
        "tasks",
        Goal::None,
    );
    let unexpected = get(&state.unexpected);
    figure::value(
        "endurance_unexpected_outcomes",
        unexpected,
        "tasks",
        Goal::Most(0.0),
    );
    if let Some(text) = state.first.lock().ok().and_then(|mut first| first.take()) {
        eprintln!("first unexpected outcome: {text}");
    }
}

async fn call(region: Arc<Region>, state: Arc<State>, first: usize) {
    let mut n = first;
    while !state.stop.load(Ordering::Relaxed) {
        let (program, code) = MIX[n % MIX.len()];
        n += 1;
        let expected = code.map(|code| Fault::Abend(AbendCode::from_field(code.as_bytes())));
        let got = region.link(program, Some(n)).await.err();
        state.done.fetch_add(1, Ordering::Relaxed);
        if got == Some(Fault::Abend(AbendCode::from_field(b"ASRB"))) {
            state.killed.fetch_add(1, Ordering::Relaxed);
        } else if got != expected {
            state.unexpected.fetch_add(1, Ordering::Relaxed);
            if let Ok(mut first) = state.first.lock() {
                first.get_or_insert_with(|| format!("{program}: {got:?}"));
            }
        }
    }
}

async fn kill_workers(region: u32, state: Arc<State>) -> u64 {
    let mut kills = 0;
    while !state.stop.load(Ordering::Relaxed) {
        tokio::time::sleep(KILL_EVERY).await;
        let workers: Vec<u32> = children(region).into_iter().flat_map(children).collect();
        let at = kills as usize % workers.len().max(1);
        kills += u64::from(kill(workers.get(at)));
    }
    kills
}

/// The executable on a copy of the system.
struct Region {
    child: Child,
    adapters: LocalAdapters,
    _folder: tempfile::TempDir,
}

impl Region {
    async fn start() -> Result<Self, String> {
        let text = |e: std::io::Error| e.to_string();
        let folder = tempfile::tempdir_in("/tmp").map_err(text)?;
        let dir = folder.path().join("system");
        run_to_end(Command::new("cp").arg("-r").arg(SYSTEM).arg(&dir))?;
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .map_err(text)?;
        let child = Command::new(transom_exe()?)
            .arg("run")
            .arg(&dir)
            .env("TRANSOM_RUNTIME_DIR", folder.path())
            .stdout(Stdio::null())
            .stderr(full)
            .spawn()
            .map_err(text)?;
        let config = AdaptersConfig::new(&folder.path().join("DEFAULT"), "BENCH");
        let region = Self {
            child,
            adapters: LocalAdapters::new(config),
            _folder: folder,
        };
        let begin = Instant::now();
        while region.adapters.info().is_err() {
            if begin.elapsed() > START {
                return Err("the region does not start".to_owned());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(region)
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    async fn link(&self, program: &str, number: Option<usize>) -> Result<(), Fault> {
        let commarea = format!("{:08}", number.unwrap_or(0) * 7_919 % 1_000).into_bytes();
        let request = region::request(program, commarea, Some(LINK));
        let linked = self.adapters.link(request).await;
        linked.map(drop).map_err(|failure| failure.fault)
    }

    fn reading(&self) -> Reading {
        let pid = self.pid();
        let zygotes = children(pid);
        let files = open_files(pid) + zygotes.iter().map(|pid| open_files(*pid)).sum::<usize>();
        let groups = self.adapters.statistics().unwrap_or_default();
        let readers = groups.iter().find(|group| group.name == "store readers");
        let now = readers.and_then(|g| g.values.iter().find(|value| value.name == "now"));
        Reading {
            rss_mb: cpu::rss_mb(pid),
            own_mb: cpu::anonymous_mb(pid),
            files: files as f64,
            readers: now.map_or(-1.0, |value| value.value as f64),
            tree_mb: cpu::tree_pss_mb(pid),
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// What may not grow.
#[derive(Clone)]
struct Reading {
    rss_mb: f64,
    /// Without pages of files: the store's grow with the store.
    own_mb: f64,
    tree_mb: f64,
    files: f64,
    readers: f64,
}

impl Reading {
    fn at_least(&self, other: &Self) -> Self {
        Self {
            rss_mb: self.rss_mb.max(other.rss_mb),
            own_mb: self.own_mb.max(other.own_mb),
            tree_mb: self.tree_mb.max(other.tree_mb),
            files: self.files.max(other.files),
            readers: self.readers.max(other.readers),
        }
    }

    fn compare(&self, most: &Self, last: &Self) {
        for (name, unit, first, most, last, growth) in [
            (
                "rss_region",
                "MB",
                self.rss_mb,
                most.rss_mb,
                last.rss_mb,
                2.0,
            ),
            (
                "own_region",
                "MB",
                self.own_mb,
                most.own_mb,
                last.own_mb,
                2.0,
            ),
            (
                "memory_all",
                "MB",
                self.tree_mb,
                most.tree_mb,
                last.tree_mb,
                10.0,
            ),
            ("fds", "files", self.files, most.files, last.files, 0.0),
            (
                "readers",
                "places",
                self.readers,
                most.readers,
                last.readers,
                0.0,
            ),
        ] {
            figure::value(&format!("endurance_{name}_first"), first, unit, Goal::None);
            figure::value(&format!("endurance_{name}_most"), most, unit, Goal::None);
            let goal = Goal::Most(first + growth);
            figure::value(&format!("endurance_{name}_last"), last, unit, goal);
        }
    }
}
