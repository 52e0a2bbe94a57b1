//! The table on the terminal, the JSON file and the HTML page.

use crate::page::{Page, at_full_load, processes, whole};
use crate::plot::{Series, number, plot};
use crate::{DriveArgs, DriveError, RunResult, StepResult};
use std::io::Write;
use transom_messages::{self as messages, Message};

/// Prints one line per step.
pub(crate) fn print(result: &RunResult) {
    let mut out = std::io::stdout().lock();
    let text = table(result);
    // A closed pipe ends the output, not the run.
    let _printed = out.write_all(text.as_bytes());
}

/// Writes the files named in the options.
pub(crate) fn write_files(args: &DriveArgs, result: &RunResult) -> Result<(), DriveError> {
    let cannot = |path: &std::path::Path, e: std::io::Error| {
        DriveError(messages::dr::not_written(path.display(), &e).to_string())
    };
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(result)
            .map_err(|e| DriveError(messages::dr::not_written("the result", &e).to_string()))?;
        std::fs::write(path, json + "\n").map_err(|e| cannot(path, e))?;
    }
    if let Some(path) = &args.html {
        std::fs::write(path, page(result)).map_err(|e| cannot(path, e))?;
    }
    Ok(())
}

fn table(result: &RunResult) -> String {
    let mut text = format!(
        "{} ({} loop, think time {} ms, {} s measured)\n{:>7} {:>10} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9} {:>7} {:>8}\n",
        result.title,
        result.mode,
        result.think_ms,
        result.duration_ms as f64 / 1000.0,
        "clients",
        "TPS",
        "avg ms",
        "p50",
        "p90",
        "p99",
        "max",
        "CPU ms/tr",
        "CPU %",
        "failed"
    );
    for s in &result.steps {
        text += &format!(
            "{:>7} {:>10.1} {:>9.3} {:>8.3} {:>8.3} {:>8.3} {:>8.2} {:>9.4} {:>7.1} {:>8}\n",
            s.clients,
            s.tps,
            s.average_ms,
            s.p50_ms,
            s.p90_ms,
            s.p99_ms,
            s.max_ms,
            s.cpu_ms_per_transaction,
            s.cpu_percent,
            s.failures.total()
        );
    }
    text
}

const NOTE: &str = "A response time is that from sending a request to the end of its reply; in paced mode from when it should have been \
sent. CPU is user plus system time of the processes that were named with --process, that of a listener with all processes below. Clients that \
wait for a reply, then think, cannot ask for more a second than clients / (think time + response).";

/// One self-contained page.
fn page(result: &RunResult) -> String {
    let last = result.steps.last();
    let mut sections = vec![("All steps".to_owned(), steps(result))];
    if let Some(step) = last.filter(|step| !step.processes.is_empty()) {
        let table = processes("transaction", &step.processes);
        sections.push(("CPU by process".to_owned(), table));
    }
    let page = Page {
        title: &result.title,
        machine: &result.machine,
        verdict: verdict(result),
        facts: facts(result),
        failures: result.steps.iter().map(failures).collect(),
        tiles: last.map(|step| tiles(result, step)).unwrap_or_default(),
        plots: plots(result),
        sections,
        note: NOTE,
    };
    page.html()
}

/// The message about the first step that was not good, if one was not.
pub(crate) fn not_good(result: &RunResult) -> Option<Message> {
    let is_bad = |step: &&StepResult| step.failures.total() > 0 || step.transactions == 0;
    let step = result.steps.iter().find(is_bad)?;
    let reasons: String = step.reasons.iter().map(|r| format!("\n  {r}")).collect();
    let (failed, good) = (step.failures.total(), step.transactions);
    Some(messages::dr::replies_not_good(
        step.clients,
        failed,
        good,
        reasons,
    ))
}

/// Whether nothing failed, and what was done.
fn verdict(result: &RunResult) -> (bool, String) {
    let Some(last) = result.steps.last() else {
        return (false, "Nothing was measured.".to_owned());
    };
    let failed: u64 = result.steps.iter().map(|s| s.failures.total()).sum();
    let done = format!(
        "{} clients had {} good replies, {} a second, in {} ms on average and {} ms at the 99th percentile",
        whole(f64::from(last.clients)),
        whole(last.transactions as f64),
        number(last.tps),
        number(last.average_ms),
        number(last.p99_ms)
    );
    match not_good(result) {
        None => (true, format!("Good: {done}; nothing failed.")),
        _ => {
            let failed = whole(failed as f64);
            (
                false,
                format!("Not good: {failed} requests failed. {done}."),
            )
        }
    }
}

/// Most that clients with this pause and response can do; `None` without a pause.
fn bound(result: &RunResult, step: &StepResult) -> Option<f64> {
    let pause = result.think_ms as f64 + step.average_ms;
    let closed = result.mode == "closed" && result.think_ms > 0;
    closed.then(|| f64::from(step.clients) * 1e3 / pause)
}

fn facts(result: &RunResult) -> Vec<(&'static str, String)> {
    let seconds = |ms: u64| format!("{} s", number(ms as f64 / 1e3));
    vec![
        ("Processors", result.processors.to_string()),
        (
            "Calibration loop",
            format!("{:.1} ms", result.calibration_ns as f64 / 1e6),
        ),
        ("URL", result.url.clone()),
        (
            "Pace",
            format!("{} loop, think time {} ms", result.mode, result.think_ms),
        ),
        ("Ramp-up", seconds(result.ramp_up_ms)),
        (
            "Settle and warm-up",
            seconds(result.settle_ms + result.warm_up_ms),
        ),
        ("Measured", seconds(result.duration_ms)),
    ]
}

fn tiles(result: &RunResult, step: &StepResult) -> Vec<(&'static str, String, String)> {
    let possible = match bound(result, step) {
        Some(bound) => format!("of {} possible", number(bound)),
        None => format!("{} loop", result.mode),
    };
    let ms = |value: f64| format!("{} ms", number(value));
    let half = format!("half within {}", ms(step.p50_ms));
    let slowest = format!("slowest {}", ms(step.max_ms));
    let mut all = vec![
        ("Clients", whole(f64::from(step.clients)), String::new()),
        ("Transactions per second", number(step.tps), possible),
        ("Average response", ms(step.average_ms), half),
        ("99 of 100 within", ms(step.p99_ms), slowest),
    ];
    if step.cpu_percent > 0.0 {
        let of_machine = step.cpu_percent / result.processors.max(1) as f64;
        let each = format!("{} a transaction", ms(step.cpu_ms_per_transaction));
        all.push((
            "CPU of the machine",
            format!("{} %", number(of_machine)),
            each,
        ));
    }
    let driver = format!(
        "driver: {} % of one processor",
        number(step.driver_cpu_percent)
    );
    all.push(("Failures", whole(step.failures.total() as f64), driver));
    all
}

fn plots(result: &RunResult) -> Vec<String> {
    let mut all = Vec::new();
    if result.steps.len() > 1 {
        all.extend(by_load(result));
    }
    if let Some(step) = result.steps.last() {
        let (moments, spread) = (&step.moments, &step.spread);
        all.extend(at_full_load(
            "Transactions",
            moments,
            spread,
            &step.processes,
        ));
    }
    all
}

/// The figures of R1, step beside step.
fn by_load(result: &RunResult) -> Vec<String> {
    let line = |name: &str, value: &dyn Fn(&StepResult) -> f64| Series {
        name: name.to_owned(),
        points: result
            .steps
            .iter()
            .map(|s| (f64::from(s.clients), value(s)))
            .collect(),
    };
    let mut rate = vec![line("measured", &|s| s.tps)];
    if result.steps.iter().all(|s| bound(result, s).is_some()) {
        let possible = |s: &StepResult| bound(result, s).unwrap_or(0.0);
        rate.push(line("clients / (think + response)", &possible));
    }
    let times = [
        line("99 %", &|s| s.p99_ms),
        line("90 %", &|s| s.p90_ms),
        line("50 %", &|s| s.p50_ms),
        line("average", &|s| s.average_ms),
    ];
    let mut all = vec![
        plot("Transactions per second by load", "clients", "TPS", &rate),
        plot("Response times by load", "clients", "ms", &times),
    ];
    if result.steps.iter().any(|s| s.cpu_percent > 0.0) {
        let each = [line("CPU", &|s| s.cpu_ms_per_transaction)];
        let percent = [
            line("all", &|s| s.cpu_percent),
            line("offload", &|s| s.cpu_percent * s.offload_percent / 100.0),
        ];
        let title = "CPU by load, and the share that could be offloaded";
        all.push(plot("CPU per transaction by load", "clients", "ms", &each));
        all.push(plot(title, "clients", "% of one processor", &percent));
    }
    all
}

fn failures(step: &StepResult) -> String {
    if step.failures.total() == 0 {
        return String::new();
    }
    let kinds: String = kinds(step)
        .iter()
        .filter(|(_, number)| *number > 0)
        .map(|(kind, number)| format!("<b class=\"red\">{number} {kind}</b> &nbsp; "))
        .collect();
    format!("<h3>{} clients</h3><p>{kinds}</p>", step.clients)
}

fn kinds(step: &StepResult) -> [(&'static str, u64); 6] {
    let f = &step.failures;
    [
        ("connect", f.connect),
        ("timeout", f.timeout),
        ("broken", f.broken),
        ("4xx", f.status_4xx),
        ("5xx", f.status_5xx),
        ("unexpected", f.unexpected),
    ]
}

fn steps(result: &RunResult) -> String {
    let rows: String = result.steps.iter().map(|s| row(result, s)).collect();
    format!(
        "<div class=\"wide\"><table><thead><tr><th>clients<th>TPS<th>possible<th>average<th>50 %<th>90 %<th>99 %<th>max\
         <th>CPU ms/tr<th>CPU %<th>offload %<th>driver CPU %<th>connect<th>timeout<th>broken<th>4xx<th>5xx\
         <th>unexpected</tr></thead>{rows}</table></div>"
    )
}

fn row(result: &RunResult, s: &StepResult) -> String {
    let bound = bound(result, s).map_or("-".to_owned(), |b| format!("{b:.1}"));
    let failed: String = kinds(s)
        .iter()
        .map(|(_, number)| match number {
            0 => "<td>0".to_owned(),
            _ => format!("<td class=\"red\">{number}"),
        })
        .collect();
    format!(
        "<tr><td>{}<td>{:.1}<td>{bound}<td>{:.3}<td>{:.3}<td>{:.3}<td>{:.3}<td>{:.2}<td>{:.4}<td>{:.1}<td>{:.1}<td>{:.1}{failed}</tr>",
        s.clients,
        s.tps,
        s.average_ms,
        s.p50_ms,
        s.p90_ms,
        s.p99_ms,
        s.max_ms,
        s.cpu_ms_per_transaction,
        s.cpu_percent,
        s.offload_percent,
        s.driver_cpu_percent
    )
}
