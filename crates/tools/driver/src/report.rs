//! The table on the terminal, the JSON file and the HTML page.

use crate::plot::{Series, escape, plot};
use crate::{DriveArgs, DriveError, RunResult, StepResult};
use std::io::Write;
use transom_messages as messages;

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

type Figure = (&'static str, &'static str, fn(&StepResult) -> f64);

const FIGURES: &[Figure] = &[
    ("Transactions per second", "TPS", |s| s.tps),
    ("Average response time", "ms", |s| s.average_ms),
    ("CPU cost per transaction", "ms", |s| {
        s.cpu_ms_per_transaction
    }),
    ("CPU usage (100 = one processor)", "%", |s| s.cpu_percent),
];

/// One self-contained page.
fn page(result: &RunResult) -> String {
    let line = |name: &str, value: fn(&StepResult) -> f64| Series {
        name: name.to_owned(),
        points: result
            .steps
            .iter()
            .map(|s| (f64::from(s.clients), value(s)))
            .collect(),
    };
    let mut plots = String::new();
    for (title, unit, value) in FIGURES {
        plots += &format!(
            "<figure>{}</figure>",
            plot(title, "clients", unit, &[line("measured", *value)])
        );
    }
    plots += &format!(
        "<figure>{}</figure><figure>{}</figure>",
        plot(
            "Response time percentiles",
            "clients",
            "ms",
            &[
                line("99 %", |s| s.p99_ms),
                line("90 %", |s| s.p90_ms),
                line("50 %", |s| s.p50_ms),
            ]
        ),
        plot(
            "CPU usage and share that could be offloaded",
            "clients",
            "%",
            &[
                line("offload", |s| s.cpu_percent * s.offload_percent / 100.0),
                line("all", |s| s.cpu_percent),
            ]
        )
    );
    let rows: String = result.steps.iter().map(row).collect();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style>\
         <h1>{title}</h1><p>{url} &middot; <b>{mode} loop</b> &middot; think time {think} ms &middot; \
         ramp-up {ramp} ms, settle {settle} ms, warm-up {warm} ms, measured {dur} ms &middot; {cpus} processors, \
         calibration loop {cal:.1} ms</p>{plots}<table><thead><tr><th>clients<th>TPS<th>bound<th>average<th>50 %<th>90 %\
         <th>99 %<th>max<th>CPU ms/tr<th>CPU %<th>offload %<th>driver CPU %<th>connect<th>timeout<th>broken<th>4xx<th>5xx\
         <th>unexpected</tr></thead>{rows}</table><p>Times in milliseconds. CPU is user plus system time of the named \
         processes. Bound: clients divided by think time.</p></html>\n",
        title = escape(&result.title),
        url = escape(&result.url),
        mode = result.mode,
        think = result.think_ms,
        ramp = result.ramp_up_ms,
        settle = result.settle_ms,
        warm = result.warm_up_ms,
        dur = result.duration_ms,
        cpus = result.processors,
        cal = result.calibration_ns as f64 / 1e6,
    )
}

fn row(s: &StepResult) -> String {
    let f = &s.failures;
    format!(
        "<tr><td>{}<td>{:.1}<td>{:.1}<td>{:.3}<td>{:.3}<td>{:.3}<td>{:.3}<td>{:.2}<td>{:.4}<td>{:.1}<td>{:.1}<td>{:.1}\
         <td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
        s.clients,
        s.tps,
        s.tps_bound,
        s.average_ms,
        s.p50_ms,
        s.p90_ms,
        s.p99_ms,
        s.max_ms,
        s.cpu_ms_per_transaction,
        s.cpu_percent,
        s.offload_percent,
        s.driver_cpu_percent,
        f.connect,
        f.timeout,
        f.broken,
        f.status_4xx,
        f.status_5xx,
        f.unexpected
    )
}

pub(crate) const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:1300px;margin:2em auto;padding:0 1em;color:#222}\
figure{display:inline-block;width:620px;max-width:100%;margin:.5em}svg{width:100%}.title{font-weight:600;font-size:14px}\
.tick{font-size:11px}.grid{stroke:#ddd}table{border-collapse:collapse;font-size:13px}\
td,th{border-bottom:1px solid #ddd;padding:.25em .6em;text-align:right}";
