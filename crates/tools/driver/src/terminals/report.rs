//! The table on the terminal and the files of a run with terminals.

use super::compare;
use super::options::TerminalArgs;
use super::page::{mode, page};
use super::result::{TerminalRun, TerminalStep};
use crate::DriveError;
use std::io::Write;
use std::path::Path;
use transom_messages as messages;

/// Prints one line per step, then the screens of the last step and its first failures, and an
/// earlier run beside this one.
pub(crate) fn print(result: &TerminalRun, before: Option<&TerminalRun>) {
    let mut out = std::io::stdout().lock();
    let compared = before.map(|before| compare::table(before, result));
    let text = table(result) + &compared.unwrap_or_default();
    // A closed pipe ends the output, not the run.
    let _printed = out.write_all(text.as_bytes());
}

/// Writes the files named in the options.
pub(crate) fn write_files(
    args: &TerminalArgs,
    result: &TerminalRun,
    before: Option<&TerminalRun>,
) -> Result<(), DriveError> {
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).map_err(|e| {
            let path = path.display();
            DriveError(messages::dr::not_written(&path, &e).to_string())
        })
    };
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(result)
            .map_err(|e| DriveError(messages::dr::not_written("the result", &e).to_string()))?;
        write(path, json + "\n")?;
    }
    if let Some(path) = &args.html {
        write(path, page(result, before))?;
    }
    Ok(())
}

fn table(result: &TerminalRun) -> String {
    let mut text = format!(
        "{} ({}, TLS {}, {} s measured{})\n{:>9} {:>9} {:>9} {:>10} {:>7} {:>8} {:>8} {:>8} {:>8} {:>9} {:>8}\n",
        result.title,
        mode(result),
        result.tls,
        result.duration_ms as f64 / 1000.0,
        if result.interrupted {
            ", ended early"
        } else {
            ""
        },
        "terminals",
        "connected",
        "avg ms",
        "screens/s",
        "CPU %",
        "p50",
        "p90",
        "p99",
        "max",
        "CPU ms/sc",
        "failed"
    );
    for step in &result.steps {
        let t = &step.times;
        text += &format!(
            "{:>9} {:>9} {:>9.3} {:>10.2} {:>7.2} {:>8.3} {:>8.3} {:>8.3} {:>8.2} {:>9.4} {:>8}\n",
            step.terminals,
            step.connected,
            t.average_ms,
            step.screens_per_s,
            // Of the machine, as R2 has it.
            step.cpu_percent / result.processors.max(1) as f64,
            t.p50_ms,
            t.p90_ms,
            t.p99_ms,
            t.max_ms,
            step.cpu_ms_per_screen,
            step.failures.total()
        );
    }
    if let Some(step) = result.steps.last() {
        text += &labels(step);
        text += &failures(step);
    }
    text
}

fn labels(step: &TerminalStep) -> String {
    let mut text = format!(
        "\n{:<24} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
        "screen", "number", "avg ms", "p50", "p90", "p99", "max", "failed"
    );
    let logons = (
        "logon",
        step.logon_count,
        step.failures.connect,
        &step.logons,
    );
    let all = step.labels.iter();
    let rows = all.map(|l| (l.label.as_str(), l.screens, l.failures, &l.times));
    for (label, screens, failures, t) in std::iter::once(logons).chain(rows) {
        text += &format!(
            "{label:<24} {screens:>9} {:>9.3} {:>8.3} {:>8.3} {:>8.3} {:>8.2} {failures:>8}\n",
            t.average_ms, t.p50_ms, t.p90_ms, t.p99_ms, t.max_ms
        );
    }
    text
}

fn failures(step: &TerminalStep) -> String {
    let mut text = String::new();
    for (kind, number) in step.failures.rows().iter().filter(|(_, n)| *n > 0) {
        text += &format!("{number} {kind}\n");
    }
    for failed in &step.samples {
        text += &format!(
            "\nterminal {}, script line {}: {}\n{}\n",
            failed.terminal,
            failed.line,
            failed.reason,
            failed.screen.trim_end()
        );
    }
    if text.is_empty() {
        return text;
    }
    format!("\nfailures with {} terminals:\n{text}", step.terminals)
}
