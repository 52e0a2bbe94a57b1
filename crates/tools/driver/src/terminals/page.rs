//! What the report says of a run with terminals.

use super::compare;
use super::result::{LabelStatistics, TerminalRun, TerminalStep, Times};
use super::verdict;
use crate::page::{Page, at_full_load, processes, whole};
use crate::plot::{Series, escape, number, plot};
use std::collections::BTreeSet;

const NOTE: &str = "A response time is that from a key to the unlocked keyboard with the expected screen. CPU is user plus \
system time of the processes that were named with --process, that of a listener with all processes below. Terminals that wait for a \
screen, then think, cannot ask for more screens a second than users / (think time + response). Logon is connect, negotiation and first \
screen, over the whole step.";

/// The page.
pub(crate) fn page(result: &TerminalRun, before: Option<&TerminalRun>) -> String {
    let last = result.steps.last();
    let mut sections = vec![("All steps".to_owned(), steps(result))];
    if let Some(step) = last {
        if !step.processes.is_empty() {
            sections.push((
                "CPU by process".to_owned(),
                processes("screen", &step.processes),
            ));
        }
        let heading = format!(
            "Screens with {} terminals",
            whole(f64::from(step.terminals))
        );
        sections.push((heading, labels(step)));
    }
    if let Some(before) = before {
        let text = escape(compare::table(before, result).trim());
        sections.push((
            "Beside an earlier run".to_owned(),
            format!("<pre>{text}</pre>"),
        ));
    }
    let page = Page {
        title: &result.title,
        machine: &result.machine,
        verdict: verdict::sentence(result),
        facts: facts(result),
        failures: result.steps.iter().map(failures).collect(),
        tiles: last.map(|step| tiles(result, step)).unwrap_or_default(),
        plots: plots(result),
        sections,
        note: NOTE,
    };
    page.html()
}

/// How the terminals were timed, in words.
pub(crate) fn mode(result: &TerminalRun) -> String {
    match result.mode.as_str() {
        "paced" => format!("paced at {} screens/s", result.paced_rate),
        mode => format!("{mode} loop, think time {} ms", result.think_ms),
    }
}

/// Most screens per second that users with a pause can ask for; `None` without a pause.
pub(crate) fn bound(result: &TerminalRun, step: &TerminalStep) -> Option<f64> {
    let pause = result.think_ms as f64 + step.times.average_ms;
    let closed = result.mode == "closed" && result.think_ms > 0;
    closed.then(|| f64::from(step.terminals) * 1e3 / pause)
}

fn facts(result: &TerminalRun) -> Vec<(&'static str, String)> {
    let seconds = |ms: u64| format!("{} s", number(ms as f64 / 1e3));
    vec![
        ("Processors", result.processors.to_string()),
        (
            "Calibration loop",
            format!("{:.1} ms", result.calibration_ns as f64 / 1e6),
        ),
        ("Host", result.host.clone()),
        ("Script", result.script.clone()),
        ("Terminals", format!("{}, TLS {}", result.model, result.tls)),
        ("Pace", mode(result)),
        ("They connect within", seconds(result.ramp_ms)),
        ("Settle", seconds(result.warm_up_ms)),
        ("Measured", seconds(result.duration_ms)),
    ]
}

fn tiles(result: &TerminalRun, step: &TerminalStep) -> Vec<(&'static str, String, String)> {
    let t = &step.times;
    let possible = match bound(result, step) {
        Some(bound) => format!("of {} possible", number(bound)),
        None => mode(result),
    };
    let machine = step.cpu_percent / result.processors.max(1) as f64;
    let mut all = vec![
        (
            "Terminals",
            whole(step.connected as f64),
            format!("connected, of {}", whole(f64::from(step.terminals))),
        ),
        ("Screens per second", number(step.screens_per_s), possible),
        (
            "Average response",
            format!("{} ms", number(t.average_ms)),
            format!("half within {} ms", number(t.p50_ms)),
        ),
        (
            "99 of 100 within",
            format!("{} ms", number(t.p99_ms)),
            format!("slowest {} ms", number(t.max_ms)),
        ),
    ];
    if step.cpu_percent > 0.0 {
        let each = format!("{} ms a screen", number(step.cpu_ms_per_screen));
        all.push(("CPU of the machine", format!("{} %", number(machine)), each));
    }
    let driver = format!("{} % of one processor", number(step.driver_cpu_percent));
    all.push((
        "Failures",
        whole(step.failures.total() as f64),
        format!("driver: {driver}"),
    ));
    all
}

fn plots(result: &TerminalRun) -> Vec<String> {
    let mut all = Vec::new();
    if result.steps.len() > 1 {
        all.extend(by_load(result));
    }
    if let Some(step) = result.steps.last() {
        let (moments, spread) = (&step.moments, &step.spread);
        all.extend(at_full_load("Screens", moments, spread, &step.processes));
    }
    all
}

/// Figures of the steps beside each other.
fn by_load(result: &TerminalRun) -> Vec<String> {
    let line = |name: &str, value: &dyn Fn(&TerminalStep) -> f64| Series {
        name: name.to_owned(),
        points: result
            .steps
            .iter()
            .map(|s| (f64::from(s.terminals), value(s)))
            .collect(),
    };
    let mut rate = vec![line("measured", &|s| s.screens_per_s)];
    if result
        .steps
        .iter()
        .all(|step| bound(result, step).is_some())
    {
        let possible = line("users / (think + response)", &|s| {
            bound(result, s).unwrap_or(0.0)
        });
        rate.push(possible);
    }
    let times = [
        line("99 %", &|s| s.times.p99_ms),
        line("90 %", &|s| s.times.p90_ms),
        line("50 %", &|s| s.times.p50_ms),
        line("average", &|s| s.times.average_ms),
    ];
    let mut all = vec![
        plot(
            "Screens per second by load",
            "terminals",
            "screens/s",
            &rate,
        ),
        plot("Response times by load", "terminals", "ms", &times),
    ];
    if result.steps.iter().any(|step| step.cpu_percent > 0.0) {
        let each = [line("CPU", &|s| s.cpu_ms_per_screen)];
        let percent = [line("CPU", &|s| s.cpu_percent)];
        all.push(plot("CPU per screen by load", "terminals", "ms", &each));
        all.push(plot(
            "CPU by load (100 % = one processor)",
            "terminals",
            "%",
            &percent,
        ));
    }
    all
}

fn steps(result: &TerminalRun) -> String {
    let rows = result.steps.iter().flat_map(|s| s.failures.rows());
    // A column of noughts says nothing.
    let failed: BTreeSet<&str> = rows.filter(|(_, n)| *n > 0).map(|(kind, _)| kind).collect();
    let row = |s: &TerminalStep| {
        let bound = bound(result, s).map_or("-".to_owned(), |b| format!("{b:.1}"));
        let kinds: String = s
            .failures
            .rows()
            .iter()
            .filter(|(kind, _)| failed.contains(kind))
            .map(|(_, n)| failed_cell(*n))
            .collect();
        format!(
            "<tr><td>{}<td>{}{}<td>{:.2}<td>{bound}<td>{:.2}<td>{:.4}<td>{:.1}{total}{kinds}</tr>",
            s.terminals,
            s.connected,
            cells(&s.times),
            s.screens_per_s,
            s.cpu_percent / result.processors.max(1) as f64,
            s.cpu_ms_per_screen,
            s.driver_cpu_percent,
            total = failed_cell(s.failures.total())
        )
    };
    let first = result.steps.first().map(|s| s.failures.rows());
    let kinds: String = first
        .into_iter()
        .flatten()
        .filter(|(kind, _)| failed.contains(kind))
        .map(|(kind, _)| format!("<th>{kind}"))
        .collect();
    let rows: String = result.steps.iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table><thead><tr><th>terminals<th>connected<th>average<th>50 %<th>90 %<th>99 %<th>max<th>screens/s\
         <th>possible<th>CPU % of machine<th>CPU ms/screen<th>driver CPU %<th>failed{kinds}</tr></thead>{rows}</table></div>"
    )
}

fn labels(step: &TerminalStep) -> String {
    let row = |name: &str, number: u64, failed: u64, times: &Times| {
        let name = escape(name);
        let failed = failed_cell(failed);
        format!("<tr><td>{name}<td>{number}{}{failed}</tr>", cells(times))
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
        "<div class=\"wide\"><table><thead><tr><th>screen<th>number<th>average<th>50 %<th>90 %<th>99 %<th>max<th>failed</tr></thead>\
         {logons}{rows}</table></div>"
    )
}

fn failures(step: &TerminalStep) -> String {
    let missing = u64::from(step.terminals).saturating_sub(step.connected);
    if step.failures.total() == 0 && missing == 0 {
        return String::new();
    }
    let mut text = format!("<h3>{} terminals</h3><p>", whole(f64::from(step.terminals)));
    for (kind, number) in step.failures.rows().iter().filter(|(_, n)| *n > 0) {
        text += &format!("<b class=\"red\">{number} {kind}</b> &nbsp; ");
    }
    if missing > 0 {
        text += &format!("<b class=\"red\">{missing} not connected</b>");
    }
    text += "</p><div class=\"screens\">";
    for failed in &step.samples {
        text += &format!(
            "<div><p>terminal {}, script line {}: {}</p><pre>{}</pre></div>",
            failed.terminal,
            failed.line,
            escape(&failed.reason),
            escape(failed.screen.trim_end())
        );
    }
    text + "</div>"
}

fn failed_cell(number: u64) -> String {
    match number {
        0 => "<td>0".to_owned(),
        _ => format!("<td class=\"red\">{number}"),
    }
}

fn cells(times: &Times) -> String {
    format!(
        "<td>{:.3}<td>{:.3}<td>{:.3}<td>{:.3}<td>{:.2}",
        times.average_ms, times.p50_ms, times.p90_ms, times.p99_ms, times.max_ms
    )
}
