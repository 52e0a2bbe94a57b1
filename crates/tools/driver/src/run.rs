//! The course of a run: steps, phases, progress.

use crate::DriveError;
use crate::client::{Counts, Window, client};
use crate::cpu;
use crate::machine::Machine;
use crate::moments::{Moments, spread};
use crate::options::Mode;
use crate::plan::Plan;
use crate::result::{Failures, RunResult, StepResult};
use crate::timer::Timer;
use hdrhistogram::Histogram;
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep_until};
use transom_messages as messages;

/// Longest response time that is told apart, microseconds.
const TIME_US_MAX: u64 = 600_000_000;

/// All steps, one after the other.
pub(crate) async fn run(plan: &Plan) -> Result<RunResult, DriveError> {
    let plan = Rc::new(plan.clone());
    let (bar, machine) = (progress(&plan), Machine::here());
    let mut steps = Vec::new();
    for clients in &plan.steps {
        bar.set_message(format!("{clients} clients"));
        steps.push(step(&plan, *clients, &bar).await?);
    }
    bar.finish_and_clear();
    Ok(RunResult {
        title: plan.title.clone(),
        machine,
        url: plan.url.clone(),
        mode: if plan.mode == Mode::Closed {
            "closed"
        } else {
            "paced"
        }
        .to_owned(),
        think_ms: ms(plan.think),
        ramp_up_ms: ms(plan.ramp_up),
        settle_ms: ms(plan.settle),
        warm_up_ms: ms(plan.warm_up),
        duration_ms: ms(plan.duration),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        calibration_ns: calibration_ns(),
        steps,
    })
}

async fn step(plan: &Rc<Plan>, clients: u32, bar: &ProgressBar) -> Result<StepResult, DriveError> {
    let times = Histogram::new_with_bounds(1, TIME_US_MAX, 3)
        .map_err(|e| DriveError(messages::dr::cannot_start(e).to_string()))?;
    let begin = Instant::now();
    let from = begin + plan.ramp_up + plan.settle + plan.warm_up;
    let counts = Rc::new(RefCell::new(Counts {
        times,
        failures: Failures::default(),
        reply_bytes: 0,
        moments: Moments::new(from.into(), (from + plan.duration).into()),
        reasons: Vec::new(),
    }));
    let window = Window {
        from,
        until: from + plan.duration,
    };
    let local = LocalSet::new();
    let timer = Timer::start();
    for i in 0..clients {
        let start = begin + plan.starts_after(i, clients);
        local.spawn_local(client(
            plan.clone(),
            start,
            window,
            counts.clone(),
            timer.clone(),
        ));
    }
    local.spawn_local(show_progress(bar.clone(), begin, window.until));
    let cpu = local
        .run_until(async {
            sleep_until(window.from).await;
            let before = Cpu::now(plan);
            sleep_until(window.until).await;
            (before, Cpu::now(plan))
        })
        .await;
    // Clients end by themselves at their next reply or time-out.
    local.await;
    let counts = counts.borrow();
    Ok(summary(plan, clients, &counts, &cpu))
}

fn summary(plan: &Plan, clients: u32, counts: &Counts, cpu: &(Cpu, Cpu)) -> StepResult {
    let (times, names) = (&counts.times, plan.names());
    let by_name = (cpu.0.each.as_slice(), cpu.1.each.as_slice());
    let cpu = cpu.1.since(&cpu.0);
    let seconds = plan.duration.as_secs_f64();
    let transactions = times.len();
    let at = |q: f64| times.value_at_quantile(q) as f64 / 1000.0;
    let all_cpu = cpu.work + cpu.offload;
    StepResult {
        clients,
        transactions,
        tps: transactions as f64 / seconds,
        tps_bound: if plan.think.is_zero() {
            0.0
        } else {
            f64::from(clients) / plan.think.as_secs_f64()
        },
        average_ms: times.mean() / 1000.0,
        p50_ms: at(0.5),
        p90_ms: at(0.9),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
        max_ms: if transactions == 0 {
            0.0
        } else {
            times.max() as f64 / 1000.0
        },
        reply_bytes: counts.reply_bytes,
        failures: counts.failures.clone(),
        reasons: counts.reasons.clone(),
        cpu_ms_per_transaction: all_cpu * 1000.0 / (transactions.max(1) as f64),
        cpu_percent: all_cpu / seconds * 100.0,
        offload_percent: if all_cpu > 0.0 {
            cpu.offload / all_cpu * 100.0
        } else {
            0.0
        },
        driver_cpu_percent: cpu.driver / seconds * 100.0,
        processes: cpu::used(&names, by_name, seconds, transactions),
        moments: counts.moments.whole(plan.duration),
        spread: spread(times),
    }
}

/// CPU seconds of the named processes and of the driver.
#[derive(Debug, Clone)]
struct Cpu {
    each: Vec<f64>,
    work: f64,
    offload: f64,
    driver: f64,
}

impl Cpu {
    fn now(plan: &Plan) -> Self {
        Self {
            each: cpu::each(&plan.names()),
            work: cpu::seconds(&plan.processes),
            offload: cpu::seconds(&plan.offload),
            driver: cpu::own_seconds(),
        }
    }

    fn since(&self, before: &Self) -> Self {
        Self {
            each: Vec::new(),
            work: (self.work - before.work).max(0.0),
            offload: (self.offload - before.offload).max(0.0),
            driver: (self.driver - before.driver).max(0.0),
        }
    }
}

fn progress(plan: &Plan) -> ProgressBar {
    if plan.quiet {
        return ProgressBar::hidden();
    }
    let total = plan.step_time() * u32::try_from(plan.steps.len()).unwrap_or(1);
    let bar = ProgressBar::new(ms(total));
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}") {
        bar.set_style(style);
    }
    bar
}

async fn show_progress(bar: ProgressBar, begin: Instant, until: Instant) {
    let at_begin = bar.position();
    while Instant::now() < until {
        bar.set_position(at_begin + ms(begin.elapsed()));
        sleep_until((Instant::now() + Duration::from_millis(200)).min(until)).await;
    }
    bar.set_position(at_begin + ms(until - begin));
}

/// A dependent chain of integer multiplications: the same work on every machine.
pub(crate) fn calibration_ns() -> u64 {
    let begin = std::time::Instant::now();
    let mut x = 0x9E37_79B9_7F4A_7C15_u64;
    for i in 0..20_000_000_u64 {
        x = (x ^ i).wrapping_mul(0x2545_F491_4F6C_DD1D).rotate_left(17);
    }
    std::hint::black_box(x);
    u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

pub(crate) fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
