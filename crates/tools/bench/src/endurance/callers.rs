//! Load: programs through local adapters, an API by HTTP, terminals, and processes that are killed.
//!
//! What: each caller counts what was acknowledged and what failed, by reason. Callers pause when
//! they are told to, so that a reading sees the region and not the load. Not here: readings.

use super::region::Region;
use crate::runs::quick;
use crate::servers::fetch;
use crate::soak::{children, kill};
use clap::Parser;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use transom_driver::{TerminalArgs, TerminalFailures, drive_terminals_silently};
use transom_region_api::Fault;
use transom_types::AbendCode;

/// Keys that callers of a kind count in.
pub(super) const BY_ADAPTERS: (u64, u64) = (0, 699);
pub(super) const BY_HTTP: (u64, u64) = (700, 899);
pub(super) const BY_TERMINALS: (u64, u64) = (900, 999);

/// Time between two kills of a worker, and of the supervisor of all.
const KILL_EVERY: Duration = Duration::from_secs(2);
const KILL_SUPERVISOR_EVERY: Duration = Duration::from_secs(240);
/// Between two requests of a client by HTTP.
const THINK: Duration = Duration::from_millis(5);
/// What the script of the terminals counts by.
const COUNTED: &str = "CNTT";
/// How long callers take to see that they may go on.
const LOOK: Duration = Duration::from_millis(20);

/// Programs and the abend code each ends with; those that count are counted.
const MIX: &[(&str, Option<&str>)] = &[
    ("READER", None),
    ("UPDATER", None),
    ("READER", None),
    ("READFAIL", Some("ASRA")),
    ("UPDATER", None),
    ("FAILUPD", Some("ASRA")),
    ("OWNCODE", Some("MINE")),
    ("S0C7", Some("ASRA")),
    ("LEAKY", Some("ASRA")),
    ("READER", None),
    ("NOCALL", Some("APCN")),
];

/// What callers share.
#[derive(Default)]
pub(super) struct State {
    pub(super) stop: AtomicBool,
    pub(super) pause: AtomicBool,
    pub(super) busy: AtomicU64,
    pub(super) kills: AtomicU64,
    pub(super) adapters: Counts,
    pub(super) http: Counts,
    pub(super) terminals: Counts,
}

/// Requests of one kind.
#[derive(Default)]
pub(super) struct Counts {
    /// Ended as they should.
    pub(super) good: AtomicU64,
    /// Updates among them.
    pub(super) counted: AtomicU64,
    /// Updates of which it is not known whether they were made.
    pub(super) unknown: AtomicU64,
    /// Of tasks whose worker was killed.
    pub(super) killed: AtomicU64,
    failed: Mutex<BTreeMap<String, u64>>,
}

impl Counts {
    /// Something ended as it should not.
    fn fail(&self, reason: String, number: u64) {
        if let Ok(mut failed) = self.failed.lock()
            && number > 0
        {
            *failed.entry(reason).or_default() += number;
        }
    }

    pub(super) fn failures(&self) -> u64 {
        self.failed.lock().map_or(0, |f| f.values().sum())
    }

    /// `name: 12 good, 3 killed, 1 timeout`.
    pub(super) fn line(&self, name: &str) -> String {
        let mut line = format!("{name}: {} good", self.good.load(Relaxed));
        let mut more = vec![("killed".to_owned(), self.killed.load(Relaxed))];
        if let Ok(failed) = self.failed.lock() {
            more.extend(failed.iter().map(|(reason, n)| (reason.clone(), *n)));
        }
        for (reason, number) in more.iter().filter(|(_, number)| *number > 0) {
            line += &format!(", {number} {reason}");
        }
        line
    }
}

/// In the middle of a request.
struct Busy<'s>(&'s State);

impl State {
    /// Waits while there is a pause; `None` at the end.
    async fn next(&self) -> Option<Busy<'_>> {
        loop {
            self.busy.fetch_add(1, Relaxed);
            let busy = Busy(self);
            if self.stop.load(Relaxed) {
                return None;
            }
            if !self.pause.load(Relaxed) {
                return Some(busy);
            }
            drop(busy);
            tokio::time::sleep(LOOK).await;
        }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Relaxed);
    }
}

/// One caller of programs.
pub(super) async fn link(region: Arc<Region>, state: Arc<State>, first: u64) {
    let counts = &state.adapters;
    let mut n = first;
    while let Some(_busy) = state.next().await {
        let (program, code) = MIX[n as usize % MIX.len()];
        n += 1;
        let key = format!("{:08}", n * 7_919 % (BY_ADAPTERS.1 + 1)).into_bytes();
        let expected = code.map(|code| Fault::Abend(AbendCode::from_field(code.as_bytes())));
        let got = region.link(program, key).await.err();
        let counts_there = program == "UPDATER";
        if got == expected {
            counts.good.fetch_add(1, Relaxed);
            counts.counted.fetch_add(u64::from(counts_there), Relaxed);
            continue;
        }
        counts.unknown.fetch_add(u64::from(counts_there), Relaxed);
        if got == Some(Fault::Abend(AbendCode::from_field(b"ASRB"))) {
            counts.killed.fetch_add(1, Relaxed);
        } else {
            counts.fail(format!("{program} {got:?}"), 1);
        }
    }
}

/// One client of the API, with a connection for each request.
pub(super) async fn request(region: Arc<Region>, state: Arc<State>, first: u64) {
    let counts = &state.http;
    let mut n = first;
    while let Some(busy) = state.next().await {
        n += 1;
        let key = BY_HTTP.0 + n * 7_919 % (BY_HTTP.1 - BY_HTTP.0 + 1);
        let body = r#"{"COMM1KOperation":{"count_out":32}}"#;
        let request = format!(
            "PUT /comm1k/mapping/CABASIC-RS2/{key} HTTP/1.1\r\nHost: localhost\r\n\
             Connection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let port = region.http;
        let fetched = tokio::task::spawn_blocking(move || fetch(port, &request)).await;
        match fetched.map_err(|e| e.to_string()).and_then(|reply| reply) {
            Ok(_) => {
                counts.good.fetch_add(1, Relaxed);
                counts.counted.fetch_add(1, Relaxed);
            }
            Err(text) => {
                counts.unknown.fetch_add(1, Relaxed);
                match text.contains("ASRB") {
                    true => drop(counts.killed.fetch_add(1, Relaxed)),
                    false => counts.fail(text.lines().next().unwrap_or("").to_owned(), 1),
                }
            }
        }
        drop(busy);
        tokio::time::sleep(THINK).await;
    }
}

#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    args: TerminalArgs,
}

/// Terminals that connect, press keys for a time, and leave, again and again.
pub(super) async fn terminals(region: Arc<Region>, state: Arc<State>) {
    let (number, time) = if quick() { ("4", "3s") } else { ("20", "10s") };
    let host = format!("127.0.0.1:{}", region.tn3270);
    let words = [
        "3270",
        &host,
        "--script",
        "bench/soak/count.3270",
        "--quiet",
    ];
    let load = ["--terminals", number, "--think", "20ms", "--duration", time];
    let rest = ["--ramp", "500ms", "--warm-up", "0"];
    let options = Options::parse_from(words.iter().chain(&load).chain(&rest));
    while let Some(_busy) = state.next().await {
        let args = options.args.clone();
        let driven = tokio::task::spawn_blocking(move || drive_terminals_silently(&args)).await;
        let counts = &state.terminals;
        match driven.map(|run| run.map(|mut run| run.steps.pop())) {
            Ok(Ok(Some(step))) => {
                let counted = step.labels.iter().find(|label| label.label == COUNTED);
                let counted = counted.map_or(0, |label| label.screens);
                counts.good.fetch_add(counted, Relaxed);
                counts.counted.fetch_add(counted, Relaxed);
                failures(counts, &step.failures);
            }
            other => counts.fail(format!("driver: {:?}", other.map(|_| ())), 1),
        }
    }
}

/// A killed worker is another screen than the one that was expected.
fn failures(counts: &Counts, of: &TerminalFailures) {
    counts.killed.fetch_add(of.unexpected, Relaxed);
    for (reason, number) in [
        ("connect", of.connect),
        ("rejected", of.rejected),
        ("timeout", of.timeout),
        ("broken", of.broken),
        ("keyboard", of.keyboard),
    ] {
        counts.fail(reason.to_owned(), number);
    }
}

/// Kills workers, and now and then their supervisor.
pub(super) async fn kill_workers(region: u32, state: Arc<State>) {
    let mut supervisor = Instant::now();
    while let Some(busy) = state.next().await {
        let supervisors = children(region);
        let number = state.kills.load(Relaxed);
        let killed = if supervisor.elapsed() > KILL_SUPERVISOR_EVERY {
            supervisor = Instant::now();
            kill(supervisors.first())
        } else {
            let workers: Vec<u32> = supervisors.into_iter().flat_map(children).collect();
            kill(workers.get(number as usize % workers.len().max(1)))
        };
        state.kills.fetch_add(u64::from(killed), Relaxed);
        drop(busy);
        tokio::time::sleep(KILL_EVERY).await;
    }
}
