//! Bench `attach`: task attach, empty program, task end; readiness; replacement of a worker.

use crate::cpu;
use crate::figure::{self, Goal};
use crate::region::{Bench, SHARED_MB, link, start};
use crate::runs::{median, quick, repetitions};
use std::process::Command;
use std::time::Instant;

const SYSTEM: &str = "bench/attach/system";

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
    let begin = Instant::now();
    link(&bench.region, "EMPTY", Vec::new()).await?;
    let ready = bench.ready + begin.elapsed();
    figure::value(
        "attach_region_ready",
        ready.as_secs_f64(),
        "s",
        Goal::Most(1.0),
    );
    let (mut one, mut many, mut times) = (vec![], vec![], vec![]);
    for _ in 0..repetitions() {
        let (cpu_us, p50_us) = serial(&bench).await?;
        one.push(cpu_us);
        times.push(p50_us);
        many.push(concurrent(&bench).await?);
    }
    figure::value("attach_latency_p50", median(times), "us", Goal::Most(50.0));
    figure::value("attach_cpu_one_caller", median(one), "us", Goal::None);
    let peer = fork_and_exec()?;
    figure::ratio(
        "attach_against_fork_exec",
        median(many.clone()),
        "us",
        ("fork+exec", peer),
        Goal::None,
    );
    figure::value("attach_cpu", median(many), "us", Goal::Most(10.0));
    figure::value(
        "attach_after_program_check_p50",
        replacement(&bench).await?,
        "us",
        Goal::Most(1000.0),
    );
    Ok(())
}

fn count() -> usize {
    if quick() { 20_000 } else { 100_000 }
}

/// One caller: CPU and median response time in microseconds.
async fn serial(bench: &Bench) -> Result<(f64, f64), String> {
    let n = count() / 2;
    let before = cpu::tree_seconds(std::process::id());
    let mut times = Vec::with_capacity(n);
    for _ in 0..n {
        let begin = Instant::now();
        link(&bench.region, "EMPTY", Vec::new()).await?;
        times.push(begin.elapsed().as_secs_f64() * 1e6);
    }
    let cpu = cpu::tree_seconds(std::process::id()) - before;
    Ok((cpu * 1e6 / n as f64, median(times)))
}

/// A hundred callers: CPU per task in microseconds.
async fn concurrent(bench: &Bench) -> Result<f64, String> {
    const CALLERS: usize = 100;
    let each = count() / CALLERS;
    let before = cpu::tree_seconds(std::process::id());
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let region = bench.region.clone();
            tokio::spawn(async move {
                for _ in 0..each {
                    link(&region, "EMPTY", Vec::new()).await?;
                }
                Ok::<(), String>(())
            })
        })
        .collect();
    for caller in callers {
        caller.await.map_err(|e| e.to_string())??;
    }
    let cpu = cpu::tree_seconds(std::process::id()) - before;
    Ok(cpu * 1e6 / (each * CALLERS) as f64)
}

/// Median time of the first task after a program check took its worker away.
async fn replacement(bench: &Bench) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..if quick() { 50 } else { 300 } {
        if link(&bench.region, "PGMCHECK", Vec::new()).await.is_ok() {
            return Err("PGMCHECK ended normally; it should end with ASRA".to_owned());
        }
        let begin = Instant::now();
        link(&bench.region, "EMPTY", Vec::new()).await?;
        times.push(begin.elapsed().as_secs_f64() * 1e6);
    }
    Ok(median(times))
}

/// What starting a process for each task would cost, without any COBOL, in CPU microseconds.
fn fork_and_exec() -> Result<f64, String> {
    let n = 200;
    let before = cpu::tree_seconds(std::process::id());
    for _ in 0..n {
        Command::new("/bin/true")
            .status()
            .map_err(|e| e.to_string())?;
    }
    Ok((cpu::tree_seconds(std::process::id()) - before) * 1e6 / f64::from(n))
}
