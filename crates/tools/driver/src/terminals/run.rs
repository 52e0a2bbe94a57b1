//! The course of a run: steps, threads, CPU, progress.
//!
//! What: each thread has a runtime and its share of the terminals; a terminal is a task, not a
//! thread. Not here: what a terminal does (`play`).

use super::counts::{Counts, times};
use super::plan::Plan;
use super::play::{Stage, Window, terminal};
use super::result::{LabelStatistics, TerminalRun, TerminalStep};
use crate::DriveError;
use crate::cpu;
use crate::machine::Machine;
use crate::moments::spread;
use crate::run::{calibration_ns, ms};
use crate::timer::Timer;
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;
use transom_messages as messages;

/// How often the progress bar moves.
const PROGRESS: Duration = Duration::from_millis(200);

/// All steps, one after the other.
pub(crate) fn run(plan: &Arc<Plan>) -> Result<TerminalRun, DriveError> {
    let (bar, machine) = (progress(plan), Machine::here());
    let mut steps = Vec::new();
    let interrupted = Arc::new(AtomicBool::new(false));
    for terminals in &plan.steps {
        bar.set_message(format!("{terminals} terminals"));
        steps.push(step(plan, *terminals, &bar, &interrupted)?);
        if interrupted.load(Relaxed) {
            break;
        }
    }
    bar.finish_and_clear();
    let mode = if plan.paced.is_some() {
        "paced"
    } else {
        "closed"
    };
    let tls = match (plan.tls_at_once, plan.start_tls) {
        (true, _) => "immediate",
        (_, true) => "negotiated",
        _ => "none",
    };
    Ok(TerminalRun {
        title: plan.title.clone(),
        machine,
        host: plan.host.clone(),
        script: plan.script_name.clone(),
        mode: mode.to_owned(),
        think_ms: ms(plan.think),
        paced_rate: plan.paced.unwrap_or(0.0),
        model: plan.model.clone(),
        tls: tls.to_owned(),
        ramp_ms: plan.steps.last().map_or(0, |n| ms(plan.ramp(*n))),
        warm_up_ms: ms(plan.warm_up),
        duration_ms: ms(plan.duration),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        calibration_ns: calibration_ns(),
        interrupted: interrupted.load(Relaxed),
        steps,
    })
}

/// One terminal, the script once.
pub(crate) fn once(plan: &Arc<Plan>) -> Result<Counts, DriveError> {
    let now = Instant::now();
    let window = Window {
        from: now,
        until: now + Duration::from_secs(86_400),
    };
    share(plan, window, now, (0, 1), 1, &AtomicBool::new(false))
}

fn step(
    plan: &Arc<Plan>,
    terminals: u32,
    bar: &ProgressBar,
    interrupted: &Arc<AtomicBool>,
) -> Result<TerminalStep, DriveError> {
    let begin = Instant::now();
    let from = begin + plan.ramp(terminals) + plan.warm_up;
    let window = Window {
        from,
        until: from + plan.duration,
    };
    let count = plan.threads.min(terminals as usize).max(1);
    let threads: Vec<_> = (0..count)
        .map(|nth| {
            let (plan, stop) = (plan.clone(), interrupted.clone());
            std::thread::spawn(move || share(&plan, window, begin, (nth, count), terminals, &stop))
        })
        .collect();
    let at_begin = bar.position();
    let cpu = || Cpu::now(&plan.processes);
    let sleep = |until| sleep_until(until, begin, at_begin, bar, interrupted);
    sleep(from);
    let before = cpu();
    sleep(window.until);
    let after = cpu();
    let measured = Instant::now()
        .min(window.until)
        .saturating_duration_since(from);
    let mut all = Counts::new(plan.script.labels.len(), (window.from, window.until))?;
    for thread in threads {
        // Terminals end by themselves at their next screen or time-out.
        let counts = thread.join();
        all.add(counts.map_err(|_| lost())??);
    }
    Ok(summary(plan, terminals, measured, all, (&before, &after)))
}

/// CPU seconds so far.
struct Cpu {
    all: f64,
    each: Vec<f64>,
    driver: f64,
}

impl Cpu {
    fn now(names: &[String]) -> Self {
        Self {
            all: cpu::seconds(names),
            each: cpu::each(names),
            driver: cpu::own_seconds(),
        }
    }
}

fn lost() -> DriveError {
    DriveError(messages::dr::cannot_start("a thread ended early").into())
}

/// The terminals of one thread: every `of`th, beginning with number `nth` + 1.
fn share(
    plan: &Arc<Plan>,
    window: Window,
    begin: Instant,
    (nth, of): (usize, usize),
    terminals: u32,
    interrupted: &AtomicBool,
) -> Result<Counts, DriveError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| DriveError(messages::dr::cannot_start(&e).to_string()))?;
    let counts = Counts::new(plan.script.labels.len(), (window.from, window.until))?;
    let counts = Rc::new(RefCell::new(counts));
    let period = plan
        .paced
        .map(|rate| Duration::from_secs_f64(f64::from(terminals) / rate));
    let stage = Stage {
        plan: plan.clone(),
        window,
        counts: counts.clone(),
        timer: Timer::start(),
        period,
        once: plan.once,
    };
    let local = LocalSet::new();
    for number in (0..terminals).skip(nth).step_by(of) {
        // Spread over the ramp and, when paced, evenly over the period.
        let spread = plan.ramp(terminals) + period.unwrap_or_default();
        let start = begin + spread.mul_f64(f64::from(number) / f64::from(terminals));
        local.spawn_local(terminal(stage.clone(), number + 1, start));
    }
    drop(stage);
    runtime.block_on(async {
        // Heard from before the first terminal on.
        let heard = || signal(SignalKind::interrupt()).ok();
        let Some(mut interrupt) = plan.interruptible.then(heard).flatten() else {
            return local.await;
        };
        tokio::select! {
            () = local => {}
            // Terminals end where they are; what they have counted stays.
            _ = interrupt.recv() => interrupted.store(true, Relaxed),
        }
    });
    let counts = Rc::try_unwrap(counts).map_err(|_| lost())?;
    Ok(counts.into_inner())
}

fn summary(
    plan: &Plan,
    terminals: u32,
    measured: Duration,
    counts: Counts,
    (before, after): (&Cpu, &Cpu),
) -> TerminalStep {
    // A step that was ended while terminals connected has measured nothing.
    let seconds = measured.as_secs_f64().max(0.001);
    let screens = counts.times.len();
    let spent = (after.all - before.all).max(0.0);
    let labels = plan.script.labels.iter().zip(&counts.labels);
    TerminalStep {
        terminals,
        connected: counts.connected_peak.unsigned_abs(),
        screens,
        screens_per_s: screens as f64 / seconds,
        times: times(&counts.times),
        logons: times(&counts.logons),
        logon_count: counts.logons.len(),
        bytes_in: counts.bytes_in,
        cpu_ms_per_screen: spent * 1000.0 / (screens.max(1) as f64),
        cpu_percent: spent / seconds * 100.0,
        driver_cpu_percent: (after.driver - before.driver).max(0.0) / seconds * 100.0,
        processes: cpu::used(
            &plan.processes,
            (&before.each, &after.each),
            seconds,
            screens,
        ),
        moments: counts.moments.whole(measured),
        spread: spread(&counts.times),
        labels: labels
            .map(|(name, label)| LabelStatistics {
                label: name.clone(),
                screens: label.times.len(),
                failures: label.failures,
                times: times(&label.times),
            })
            .collect(),
        failures: counts.failures,
        samples: counts.samples,
    }
}

fn sleep_until(
    until: Instant,
    begin: Instant,
    at_begin: u64,
    bar: &ProgressBar,
    interrupted: &AtomicBool,
) {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || interrupted.load(Relaxed) {
            return;
        }
        std::thread::sleep(left.min(PROGRESS));
        bar.set_position(at_begin + ms(begin.elapsed()));
    }
}

fn progress(plan: &Plan) -> ProgressBar {
    if plan.quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(ms(plan.time()));
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}") {
        bar.set_style(style);
    }
    bar
}
