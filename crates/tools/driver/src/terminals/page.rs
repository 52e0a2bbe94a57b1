//! The report of a run with terminals as one self-contained HTML page.

use super::result::{LabelStatistics, TerminalRun, TerminalStep, Times};
use crate::plot::{Series, escape, plot};
use crate::report::STYLE;

type Figure = (&'static str, &'static str, fn(&TerminalStep) -> f64);

const FIGURES: &[Figure] = &[
    ("Screens per second", "screens/s", |s| s.screens_per_s),
    ("Average response time", "ms", |s| s.times.average_ms),
    ("CPU cost per screen", "ms", |s| s.cpu_ms_per_screen),
    ("CPU usage (100 = one processor)", "%", |s| s.cpu_percent),
];

/// The page.
pub(crate) fn page(result: &TerminalRun) -> String {
    let line = |name: &str, value: fn(&TerminalStep) -> f64| Series {
        name: name.to_owned(),
        points: result
            .steps
            .iter()
            .map(|s| (f64::from(s.terminals), value(s)))
            .collect(),
    };
    let mut plots = String::new();
    for (title, unit, value) in FIGURES {
        let svg = plot(title, "terminals", unit, &[line("measured", *value)]);
        plots += &format!("<figure>{svg}</figure>");
    }
    let percentiles = [
        line("99 %", |s| s.times.p99_ms),
        line("90 %", |s| s.times.p90_ms),
        line("50 %", |s| s.times.p50_ms),
    ];
    let svg = plot("Response time percentiles", "terminals", "ms", &percentiles);
    plots += &format!("<figure>{svg}</figure>");
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}\
         pre{{background:#111;color:#9e9;padding:.5em;display:inline-block;font-size:12px;line-height:1.2}}</style>\
         <h1>{title}</h1><p>{host}, script {script} &middot; <b>{mode}</b> &middot; {model}, TLS {tls} &middot; ramp \
         {ramp} ms, warm-up {warm} ms, measured {dur} ms &middot; {cpus} processors, calibration loop {cal:.1} ms</p>\
         {plots}{steps}<h2>Screens with {terminals} terminals</h2>{labels}<p>A response time is that from a key to the \
         unlocked keyboard with the expected screen; CPU is user plus system time of the named processes. Logon is \
         connect, negotiation and first screen, over the whole step.</p>{failures}</html>\n",
        title = escape(&result.title),
        host = escape(&result.host),
        script = escape(&result.script),
        mode = escape(&mode(result)),
        model = escape(&result.model),
        tls = result.tls,
        ramp = result.ramp_ms,
        warm = result.warm_up_ms,
        dur = result.duration_ms,
        cpus = result.processors,
        cal = result.calibration_ns as f64 / 1e6,
        steps = steps(result),
        terminals = result.steps.last().map_or(0, |s| s.terminals),
        labels = result.steps.last().map(labels).unwrap_or_default(),
        failures = result.steps.iter().map(failures).collect::<String>(),
    )
}

/// How the terminals were timed, in words.
pub(crate) fn mode(result: &TerminalRun) -> String {
    match result.mode.as_str() {
        "paced" => format!("paced at {} screens/s", result.paced_rate),
        mode => format!("{mode} loop, think time {} ms", result.think_ms),
    }
}

fn steps(result: &TerminalRun) -> String {
    let row = |s: &TerminalStep| {
        let kinds: String = s
            .failures
            .rows()
            .iter()
            .map(|(_, n)| format!("<td>{n}"))
            .collect();
        format!(
            "<tr><td>{}<td>{}<td>{:.1}{}<td>{:.4}<td>{:.1}<td>{:.1}{kinds}</tr>",
            s.terminals,
            s.connected,
            s.screens_per_s,
            cells(&s.times),
            s.cpu_ms_per_screen,
            s.cpu_percent,
            s.driver_cpu_percent
        )
    };
    let kinds: String = result
        .steps
        .first()
        .map(|s| s.failures.rows().map(|(k, _)| format!("<th>{k}")).concat())
        .unwrap_or_default();
    let rows: String = result.steps.iter().map(row).collect();
    format!(
        "<table><thead><tr><th>terminals<th>connected<th>screens/s<th>average<th>50 %<th>90 %<th>99 %<th>max\
         <th>CPU ms/screen<th>CPU %<th>driver CPU %{kinds}</tr></thead>{rows}</table>"
    )
}

fn labels(step: &TerminalStep) -> String {
    let row = |name: &str, number: u64, failed: u64, times: &Times| {
        let name = escape(name);
        format!(
            "<tr><td>{name}<td>{number}{}<td>{failed}</tr>",
            cells(times)
        )
    };
    let rows: String = step
        .labels
        .iter()
        .map(|l: &LabelStatistics| row(&l.label, l.screens, l.failures, &l.times))
        .collect();
    let logons = row(
        "logon",
        step.logon_count,
        step.failures.connect,
        &step.logons,
    );
    format!(
        "<table><thead><tr><th>screen<th>number<th>average<th>50 %<th>90 %<th>99 %<th>max<th>failed</tr></thead>\
         {logons}{rows}</table>"
    )
}

fn failures(step: &TerminalStep) -> String {
    let mut text = String::new();
    for failed in &step.samples {
        text += &format!(
            "<h3>{} terminals: terminal {}, script line {}</h3><p>{}</p><pre>{}</pre>",
            step.terminals,
            failed.terminal,
            failed.line,
            escape(&failed.reason),
            escape(failed.screen.trim_end())
        );
    }
    text
}

fn cells(times: &Times) -> String {
    format!(
        "<td>{:.3}<td>{:.3}<td>{:.3}<td>{:.3}<td>{:.2}",
        times.average_ms, times.p50_ms, times.p90_ms, times.p99_ms, times.max_ms
    )
}
