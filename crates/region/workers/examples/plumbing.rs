//! Figures of the plumbing alone: attach, LINK, commands, replacement of a worker, memory.
//!
//! `cargo run --release -p transom-workers --example plumbing` prints one line per figure. It uses
//! the test programs and the test commands, so what a real command does is not in it.

#[path = "../tests/it/cobol.rs"]
mod cobol;
#[path = "../tests/it/commands.rs"]
mod commands;
#[path = "../tests/it/support.rs"]
#[allow(dead_code)]
mod support;

use std::time::{Duration, Instant};
use support::Region;

fn main() {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    if args.first().is_some_and(|a| a == "cobol-zygote") {
        #[expect(
            clippy::disallowed_methods,
            reason = "the zygote is a process of its own"
        )]
        std::process::exit(transom_workers::zygote_main(&args[1..], commands::make));
    }
    if !cobol::available() {
        println!("skipped: cobc is not installed");
        return;
    }
    support::modules();
    let start = Instant::now();
    let region = Region::start(|c| c.preload = vec![preload("EMPTY"), preload("LOOPER")]);
    figure("pool start", start.elapsed().as_secs_f64() * 1e3, "ms");
    attach(&region);
    pipelined(&region);
    inside(&region);
    replacement(&region);
    memory();
}

fn preload(name: &str) -> transom_wire::Module {
    let mut module = commands::module(name);
    module.path = support::modules()
        .join(format!("{name}.so"))
        .to_string_lossy()
        .into_owned();
    module
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("figure={name} value={value:.3} unit={unit}");
}

/// CPU time of this process and all workers.
fn cpu(region: &Region) -> Duration {
    let own = std::iter::once("self".to_owned());
    let all = own.chain(region.pool.worker_pids().into_iter().map(|p| p.to_string()));
    let tasks = all.flat_map(|p| {
        std::fs::read_dir(format!("/proc/{p}/task"))
            .into_iter()
            .flatten()
    });
    let stats = tasks
        .flatten()
        .filter_map(|t| std::fs::read_to_string(t.path().join("schedstat")).ok());
    let ns = stats.filter_map(|s| s.split(' ').next().and_then(|n| n.parse::<u64>().ok()));
    Duration::from_nanos(ns.sum())
}

fn attach(region: &Region) {
    const ROUNDS: usize = 20_000;
    for _ in 0..1000 {
        region.run("EMPTY", b"x");
    }
    let mut times = Vec::with_capacity(ROUNDS);
    let before = cpu(region);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        region.run("EMPTY", b"x");
        times.push(start.elapsed());
    }
    let used = cpu(region) - before;
    times.sort_unstable();
    figure(
        "attach p50, one client",
        times[ROUNDS / 2].as_secs_f64() * 1e6,
        "us",
    );
    figure(
        "attach p99, one client",
        times[ROUNDS * 99 / 100].as_secs_f64() * 1e6,
        "us",
    );
    figure(
        "attach CPU, one client",
        used.as_secs_f64() * 1e6 / ROUNDS as f64,
        "us",
    );
}

/// 100 tasks in flight, as with 100 clients.
fn pipelined(region: &Region) {
    for program in ["EMPTY", "TEMPTY"] {
        if program == "TEMPTY" && !support::modules().join("TEMPTY.so").exists() {
            continue;
        }
        let mut flight = std::collections::VecDeque::new();
        let (before, start) = (cpu(region), Instant::now());
        const ROUNDS: usize = 100_000;
        for _ in 0..ROUNDS {
            if flight.len() == 100 {
                let told = flight.pop_front().expect("in flight");
                region.reply(&told);
            }
            flight.push_back(region.attach(program, b"x").1);
        }
        flight.iter().for_each(|told| drop(region.reply(told)));
        let (used, wall) = (cpu(region) - before, start.elapsed());
        let each = |d: Duration| d.as_secs_f64() * 1e6 / ROUNDS as f64;
        figure(
            &format!("attach CPU, 100 in flight, {program}"),
            each(used),
            "us",
        );
        figure(
            &format!("attach wall, 100 in flight, {program}"),
            each(wall),
            "us",
        );
    }
}

/// CPU time, since a command waits for nothing; one million of each.
fn inside(region: &Region) {
    for (letter, name) in [
        ("N", "command that does nothing"),
        ("I", "shared item read and replaced"),
        ("L", "LINK + fresh 4 K WORKING-STORAGE"),
    ] {
        let before = cpu(region);
        region.run("LOOPER", format!("{letter}001000000").as_bytes());
        figure(name, (cpu(region) - before).as_secs_f64(), "us");
    }
}

/// From the attach of a task that ends its worker to the reply of the next one.
fn replacement(region: &Region) {
    let mut times = Vec::new();
    for _ in 0..300 {
        region.run("CHECKER", b"S ");
        let start = Instant::now();
        region.run("EMPTY", b"x");
        times.push(start.elapsed());
    }
    times.sort_unstable();
    figure(
        "task after a program check p50",
        times[150].as_secs_f64() * 1e6,
        "us",
    );
    figure(
        "task after a program check max",
        times[299].as_secs_f64() * 1e6,
        "us",
    );
}

fn memory() {
    let region = Region::start(|c| c.min_idle = 20);
    let tasks: Vec<_> = (0..20)
        .map(|_| region.attach("WAITER", b"W000200000000").1)
        .collect();
    tasks.iter().for_each(|told| drop(region.reply(told)));
    let pss = |pid: &str| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
        let kb = text
            .lines()
            .find_map(|l| l.strip_prefix("Pss:"))
            .unwrap_or("0");
        kb.trim()
            .trim_end_matches(" kB")
            .parse::<f64>()
            .unwrap_or(0.0)
            / 1024.0
    };
    let pids = region.pool.worker_pids();
    let workers: f64 = pids.iter().map(|p| pss(&p.to_string())).sum();
    figure(&format!("PSS of {} workers", pids.len()), workers, "MB");
    figure("PSS of the region", pss("self"), "MB");
}
