//! Bench `3270`: pseudo-conversational screens, and terminals that are connected and idle.

use crate::figure::{self, Goal};
use crate::runs::{median, quick, repetitions};
use crate::servers::{self, Server};
use crate::{cpu, floor};
use clap::Parser;
use std::path::Path;
use std::time::Duration;
use transom_driver::{TerminalArgs, TerminalRun, TerminalStep, drive_terminals_silently};

#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    args: TerminalArgs,
}

pub(crate) const SAMPLE: &str = "samples/terminal";
const TERMINALS: &str = "500";
/// Screens per second of the paced run.
const RATE: u32 = 1_000;

/// All figures.
pub(crate) fn run() -> Result<(), String> {
    let server = servers::terminals(Path::new(SAMPLE))?;
    figure::value(
        "3270_ready",
        server.ready.as_secs_f64(),
        "s",
        Goal::Most(1.0),
    );
    let mut failed = 0;
    let (mut full, mut rate, mut inquiry) = (vec![], vec![], vec![]);
    let (mut paced, mut floor, mut p99) = (vec![], vec![], vec![]);
    for _ in 0..repetitions() {
        let (cpu_ms, step) = screens(&server, "menu", &[])?;
        full.push(cpu_ms);
        rate.push(step.screens_per_s);
        failed += step.failures.total();
        let (cpu_ms, step) = screens(&server, "menu", &["--paced", &RATE.to_string()])?;
        paced.push(cpu_ms);
        floor.push(floor::per_byte(RATE, Duration::from_secs(4))?);
        p99.push(step.times.p99_ms);
        failed += step.failures.total();
        let (cpu_ms, step) = screens(&server, "inquiry", &[])?;
        inquiry.push(cpu_ms);
        failed += step.failures.total();
    }
    figure::value("3270_menu_cpu_full", median(full), "ms", Goal::Most(0.02));
    figure::value("3270_menu_rate_full", median(rate), "1/s", Goal::None);
    let (name, two) = ("3270_menu_cpu_paced", "two-bare-processes");
    figure::ratio(
        name,
        median(paced),
        "ms",
        (two, median(floor)),
        Goal::Most(1.5),
    );
    figure::value("3270_menu_p99_paced", median(p99), "ms", Goal::Most(2.0));
    figure::value("3270_inquiry_cpu_full", median(inquiry), "ms", Goal::None);
    drop(server);
    failed += idle()?;
    figure::value("3270_failures", failed as f64, "1", Goal::Most(0.0));
    Ok(())
}

/// CPU microseconds of a menu screen at full speed.
pub(crate) fn menu(server: &Server) -> Result<f64, String> {
    screens(server, "menu", &[]).map(|(ms, _)| ms * 1_000.0)
}

/// CPU milliseconds of the region per screen, and the step.
fn screens(server: &Server, script: &str, more: &[&str]) -> Result<(f64, TerminalStep), String> {
    let (ramp, warm_up, duration) = if quick() {
        (500, 1_500, 4_000)
    } else {
        (1_000, 4_000, 10_000)
    };
    let ms = |n: u64| n.to_string();
    let times = [ms(ramp), ms(warm_up), ms(duration)];
    let mut words = vec![
        "--terminals",
        TERMINALS,
        "--ramp",
        &times[0],
        "--warm-up",
        &times[1],
    ];
    words.extend(["--duration", &times[2]]);
    words.extend(more);
    let args = options(server, script, &words);
    let driver = std::thread::spawn(move || drive_terminals_silently(&args));
    std::thread::sleep(Duration::from_millis(ramp + warm_up));
    let before = cpu::tree_seconds(server.pid());
    std::thread::sleep(Duration::from_millis(duration));
    let cpu_s = cpu::tree_seconds(server.pid()) - before;
    let step = joined(driver)?;
    if step.screens == 0 {
        return Err(format!("{script}: no screen was good: {:?}", step.samples));
    }
    Ok((cpu_s * 1e3 / step.screens as f64, step))
}

/// Memory per idle terminal, in a region of its own. Answers the number of failures.
fn idle() -> Result<u64, String> {
    let server = servers::terminals(Path::new(SAMPLE))?;
    // One session first: what the first logon loads is not a terminal's.
    let first = [
        "--terminals",
        "1",
        "--ramp",
        "0",
        "--warm-up",
        "0",
        "--duration",
        "500",
    ];
    let args = options(&server, "idle", &first);
    drive_terminals_silently(&args).map_err(|e| e.to_string())?;
    let before = (cpu::rss_mb(server.pid()), cpu::tree_pss_mb(server.pid()));
    let terminals: u32 = if quick() { 2_000 } else { 10_000 };
    let ramp = u64::from(terminals) * 2;
    let (number, ramp_ms) = (terminals.to_string(), ramp.to_string());
    let words = [
        "--terminals",
        &number,
        "--ramp",
        &ramp_ms,
        "--warm-up",
        "3s",
        "--duration",
        "4s",
    ];
    let args = options(&server, "idle", &words);
    let driver = std::thread::spawn(move || drive_terminals_silently(&args));
    std::thread::sleep(Duration::from_millis(ramp + 4_000));
    let after = (cpu::rss_mb(server.pid()), cpu::tree_pss_mb(server.pid()));
    let step = joined(driver)?;
    if step.connected < u64::from(terminals) {
        figure::skipped(
            "3270_idle_memory",
            &format!(
                "{} of {terminals} connected: {:?}",
                step.connected, step.samples
            ),
        );
        return Ok(step.failures.total());
    }
    let each_kb = |grown_mb: f64| grown_mb * 1024.0 / f64::from(terminals);
    figure::value("3270_idle_terminals", f64::from(terminals), "1", Goal::None);
    let region = each_kb(after.0 - before.0);
    figure::value("3270_idle_memory", region, "KB", Goal::Most(5.0));
    let with_workers = each_kb(after.1 - before.1);
    figure::value(
        "3270_idle_memory_and_workers",
        with_workers,
        "KB",
        Goal::None,
    );
    figure::value("3270_logon_p99", step.logons.p99_ms, "ms", Goal::None);
    Ok(step.failures.total())
}

type Driver = std::thread::JoinHandle<Result<TerminalRun, transom_driver::DriveError>>;

fn joined(driver: Driver) -> Result<TerminalStep, String> {
    let run = driver.join().map_err(|_| "the driver ended early")?;
    let mut run = run.map_err(|e| e.to_string())?;
    run.steps
        .pop()
        .ok_or_else(|| "the driver made no step".into())
}

fn options(server: &Server, script: &str, words: &[&str]) -> TerminalArgs {
    let host = format!("127.0.0.1:{}", server.port);
    let script = format!("bench/3270/{script}.3270");
    let fixed = ["3270", &host, "--script", &script, "--quiet"];
    Options::parse_from(fixed.iter().chain(words)).args
}
