//! Bench `soak`, second part: a region as its users start it, for a time, on a log that is full.
//!
//! What: the real executable with standard error on a full device; tasks that read and change
//! records, browse, abend after they have read or changed some; HTTP; terminals; workers and their
//! supervisor killed; a checkpoint every megabyte of changes. Each minute memory, descriptors and
//! places of readers are read and printed; from the end of the warm-up on nothing may grow. At the
//! end every update that was acknowledged is there, and none that was backed out. Why apart from
//! the first part: only a process of its own has a log, doors, and workers with places in a store.

mod callers;
mod region;

use crate::figure::{self, Goal};
use crate::runs::quick;
use callers::{BY_ADAPTERS, BY_HTTP, BY_TERMINALS, Counts, State};
use region::Region;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

const CALLERS: u64 = 16;
const CLIENTS: u64 = 4;
/// Looks of a reading.
const LOOKS: u32 = 3;
/// What a pause takes, after the last request: messages and ended sessions are dealt with.
const SETTLE: Duration = Duration::from_secs(2);

/// Runs for MINUTES, 30 without it; a sixth of it is warm-up. `QUICK=1`: minutes of ten seconds.
pub(crate) fn run() -> Result<(), String> {
    let minutes = std::env::var("MINUTES").ok().and_then(|m| m.parse().ok());
    let minutes: u32 = minutes.unwrap_or(if quick() { 6 } else { 30 });
    let minute = Duration::from_secs(if quick() { 10 } else { 60 });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(measure(minutes, minute))
}

async fn measure(minutes: u32, minute: Duration) -> Result<(), String> {
    let region = Arc::new(Region::start().await?);
    let filled = region.link("FILL", Vec::new()).await;
    filled.map_err(|f| format!("FILL: {f:?}"))?;
    let state = Arc::new(State::default());
    let mut load: Vec<_> = (0..CALLERS)
        .map(|n| tokio::spawn(callers::link(region.clone(), state.clone(), n)))
        .collect();
    let clients = 0..CLIENTS;
    load.extend(clients.map(|n| tokio::spawn(callers::request(region.clone(), state.clone(), n))));
    load.push(tokio::spawn(callers::terminals(
        region.clone(),
        state.clone(),
    )));
    load.push(tokio::spawn(callers::kill_workers(
        region.pid(),
        state.clone(),
    )));
    let (begin, warm) = (Instant::now(), (minutes / 6).max(1));
    let mut first = None::<region::Reading>;
    let mut most = None::<region::Reading>;
    for number in 1..=minutes {
        tokio::time::sleep((minute * number).saturating_sub(begin.elapsed())).await;
        let reading = quiet_reading(&region, &state).await?;
        println!("minute={number} {} {}", reading.line(), lines(&state));
        let kept = if number <= warm {
            &mut first
        } else {
            &mut most
        };
        *kept = Some(kept.map_or(reading, |before| before.at_least(&reading)));
    }
    state.stop.store(true, Relaxed);
    for task in load {
        task.await.map_err(|e| e.to_string())?;
    }
    print(&state, begin.elapsed());
    if let (Some(first), Some(most)) = (first, most) {
        first.compare(&most, &region.reading());
    }
    totals(&region, &state).await
}

/// Of a region that nobody asks for anything at the moment.
async fn quiet_reading(region: &Region, state: &State) -> Result<region::Reading, String> {
    state.pause.store(true, Relaxed);
    let begin = Instant::now();
    while state.busy.load(Relaxed) > 0 {
        if begin.elapsed() > Duration::from_secs(120) {
            return Err(format!("requests do not end: {}", lines(state)));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(SETTLE).await;
    let mut reading = region.reading();
    // Workers come and go between two looks at the same moment.
    for _ in 1..LOOKS {
        tokio::time::sleep(Duration::from_millis(200)).await;
        reading = reading.least(region.reading());
    }
    state.pause.store(false, Relaxed);
    Ok(reading)
}

fn lines(state: &State) -> String {
    let kinds = [
        ("adapters", &state.adapters),
        ("http", &state.http),
        ("terminals", &state.terminals),
    ];
    let lines = kinds.map(|(name, counts)| counts.line(name));
    format!("kills={} {}", state.kills.load(Relaxed), lines.join("; "))
}

fn print(state: &State, time: Duration) {
    let all = [&state.adapters, &state.http, &state.terminals];
    let sum = |of: fn(&Counts) -> u64| all.iter().map(|counts| of(counts)).sum::<u64>() as f64;
    let good = sum(|counts| counts.good.load(Relaxed));
    let seconds = time.as_secs_f64();
    figure::value("endurance_seconds", seconds, "s", Goal::None);
    figure::value("endurance_rate", good / seconds, "requests/s", Goal::None);
    let kills = state.kills.load(Relaxed) as f64;
    figure::value("endurance_processes_killed", kills, "processes", Goal::None);
    let lost = sum(|counts| counts.killed.load(Relaxed));
    figure::value("endurance_tasks_lost_to_kills", lost, "tasks", Goal::None);
    let other = sum(Counts::failures);
    figure::value("endurance_unexpected", other, "requests", Goal::Most(0.0));
}

/// Holds what records say against what was acknowledged. A terminal's last key is not counted when
/// its run is over, so of theirs only the least is known.
async fn totals(region: &Region, state: &State) -> Result<(), String> {
    for (name, counts, (first, last), exact) in [
        ("adapters", &state.adapters, BY_ADAPTERS, true),
        ("http", &state.http, BY_HTTP, true),
        ("terminals", &state.terminals, BY_TERMINALS, false),
    ] {
        let found = region.total(first, last).await? as f64;
        let counted = counts.counted.load(Relaxed) as f64;
        let unknown = counts.unknown.load(Relaxed) as f64;
        let name = format!("endurance_counted_{name}");
        figure::value(&name, found, "updates", Goal::Least(counted));
        if exact {
            let name = format!("{name}_beyond_acknowledged");
            figure::value(&name, found - counted, "updates", Goal::Most(unknown));
        }
    }
    Ok(())
}
