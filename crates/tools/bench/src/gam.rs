//! Bench `gam`: users of the Global Auto Mall through the redirector, by the method of R2.
//!
//! What: R2's table (users, connections, average response time, screens/s, CPU of the redirector)
//! beside its figures, and what a screen costs in redirector and region. Users pause 3.68 s after
//! each screen, the rate of R2 at 1,000 users. Not here: other proxies (`redirector`).

use crate::cpu;
use crate::figure::{self, Goal};
use crate::redirector::peers::Certificates;
use crate::runs::quick;
use crate::servers::{self, Server};
use clap::Parser;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use transom_driver::{TerminalArgs, TerminalStep, drive_terminals_silently};

const SAMPLE: &str = "samples/gam";
/// R2, section 3: users, average response in ms, screens/s, CPU in percent of four processors.
const R2: [(u32, f64, f64, f64); 4] = [
    (1_000, 4.51, 271.25, 14.86),
    (2_000, 8.41, 489.23, 20.49),
    (3_000, 13.6, 697.05, 22.31),
    (4_000, 33.3, 893.93, 23.4),
];

#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    args: TerminalArgs,
}

/// How long users come, settle, are measured and pause, in milliseconds.
struct Times {
    each: u64,
    settle: u64,
    measured: u64,
    think: u64,
}

impl Times {
    fn now() -> Self {
        let (each, settle, measured, think) = match std::env::var_os("R2") {
            // As R2 did it: hours in all.
            Some(_) => (1_000, 10_000, 600_000, 3_680),
            None if quick() => (10, 2_000, 30_000, 1_000),
            None => (10, 10_000, 120_000, 3_680),
        };
        Self {
            each,
            settle,
            measured,
            think,
        }
    }
}

/// CPU seconds of redirector and region.
struct Used {
    redirector: f64,
    region: f64,
}

/// All figures.
pub(crate) fn run() -> Result<(), String> {
    let (region, certificates) = (servers::terminals(Path::new(SAMPLE))?, Certificates::new()?);
    let redirector = redirector(&region, certificates.ecdsa())?;
    let times = Times::now();
    let loads: Vec<u32> = match quick() {
        true => vec![300],
        false => R2.iter().map(|row| row.0).collect(),
    };
    figure::row(
        "row      users connections average_ms screens/s cpu_%    p50_ms  p90_ms  p99_ms   failed",
    );
    let (mut all, mut failed) = (Vec::new(), 0);
    for users in loads {
        let (step, used) = users_of(users, &redirector, &region, &times)?;
        failed += step.failures.total();
        rows(&step, &used, &times);
        all.push((step, used));
    }
    for (step, used) in &all {
        figures(step, used, &times);
    }
    figure::value("gam_failures", failed as f64, "1", Goal::Most(0.0));
    Ok(())
}

/// The redirector by the file of the sample, on a port of its own.
fn redirector(region: &Server, pem: &Path) -> Result<Server, String> {
    let text = fs::read_to_string(Path::new(SAMPLE).join("redirector.toml"));
    let text = text.map_err(|e| e.to_string())?;
    let (folder, port) = (tempfile::tempdir(), servers::free_port()?);
    let folder = folder.map_err(|e| e.to_string())?;
    let file = folder.path().join("redirector.toml");
    let text = text
        .replace("port = 12173", &format!("port = {port}"))
        .replace("localhost:3272", &format!("127.0.0.1:{}", region.port))
        .replace("gam.pem", &pem.display().to_string());
    fs::write(&file, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(servers::transom_exe()?);
    command.arg("redirector").arg(&file);
    servers::start(command, port, Some(folder))
}

/// So many users, and what the servers used while they were measured.
fn users_of(
    users: u32,
    redirector: &Server,
    region: &Server,
    times: &Times,
) -> Result<(TerminalStep, Used), String> {
    let args = options(users, redirector.port, times);
    let driver = std::thread::spawn(move || drive_terminals_silently(&args));
    std::thread::sleep(Duration::from_millis(
        times.each * u64::from(users) + times.settle,
    ));
    let read = || {
        let pids = (redirector.pid(), region.pid());
        (cpu::ran_seconds(pids.0), cpu::tree_seconds(pids.1))
    };
    let before = read();
    std::thread::sleep(Duration::from_millis(times.measured));
    let after = read();
    let run = driver.join().map_err(|_| "the driver ended early")?;
    let mut run = run.map_err(|e| e.to_string())?;
    let step = run.steps.pop().ok_or("the driver made no step")?;
    if step.screens == 0 {
        return Err(format!("no screen was good: {:?}", step.samples));
    }
    let used = Used {
        redirector: after.0 - before.0,
        region: after.1 - before.1,
    };
    Ok((step, used))
}

/// The driver's words.
fn options(users: u32, port: u16, times: &Times) -> TerminalArgs {
    let words = format!(
        "3270 127.0.0.1:{port} --tls --script samples/gam/mall.3270 --quiet --method r2 --terminals {users} \
         --ramp-each {} --settle {} --duration {} --think {} --html bench/out/gam-{users}.html",
        times.each, times.settle, times.measured, times.think
    );
    Options::parse_from(words.split(' ')).args
}

/// Percent of the processors of this machine.
fn percent(seconds: f64, times: &Times) -> f64 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    seconds * 1e5 / times.measured as f64 / processors as f64
}

fn rows(step: &TerminalStep, used: &Used, times: &Times) {
    let t = &step.times;
    figure::row(&format!(
        "here {:>9} {:>11} {:>10.3} {:>9.2} {:>5.2} {:>9.3} {:>7.3} {:>7.3} {:>8}",
        step.terminals,
        step.connected,
        t.average_ms,
        step.screens_per_s,
        percent(used.redirector, times),
        t.p50_ms,
        t.p90_ms,
        t.p99_ms,
        step.failures.total()
    ));
    for failed in &step.samples {
        figure::row(&format!("failed: line {}: {}", failed.line, failed.reason));
    }
    if let Some((users, average, rate, cpu)) = R2.iter().find(|row| row.0 == step.terminals) {
        figure::row(&format!(
            "R2   {users:>9} {users:>11} {average:>10.3} {rate:>9.2} {cpu:>5.2}"
        ));
    }
}

fn figures(step: &TerminalStep, used: &Used, times: &Times) {
    let users = f64::from(step.terminals);
    let name = |what: &str| format!("gam_{what}_{}", step.terminals);
    let connected = step.connected as f64;
    figure::value(&name("connections"), connected, "1", Goal::Least(users));
    let average = step.times.average_ms;
    figure::value(&name("average"), average, "ms", Goal::Most(4.5));
    let p99 = step.times.p99_ms;
    figure::value(&name("p99"), p99, "ms", Goal::None);
    // A closed loop gives no more than users / (pause + response).
    let bound = users * 1e3 / (times.think as f64 + average);
    let rate = step.screens_per_s;
    let peer = ("users/(pause+response)", bound);
    figure::ratio(&name("screens"), rate, "1/s", peer, Goal::Least(0.98));
    let each = |seconds: f64| seconds * 1e3 / step.screens as f64;
    let cost = each(used.redirector);
    match R2.iter().find(|row| row.0 == step.terminals) {
        Some((_, _, rate, cpu)) => {
            let peer = ("R2", cpu / 100.0 * 4.0 * 1e3 / rate);
            figure::ratio(&name("cpu_redirector"), cost, "ms", peer, Goal::None);
        }
        None => figure::value(&name("cpu_redirector"), cost, "ms", Goal::None),
    }
    figure::value(&name("cpu_region"), each(used.region), "ms", Goal::None);
}
