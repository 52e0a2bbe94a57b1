//! A run beside an earlier one.
//!
//! What: steps with the same number of terminals, figure by figure, with the change in percent. Not
//! here: a verdict; machines differ, so the loop that calibrates both stands above.

use super::result::{TerminalRun, TerminalStep};
use crate::DriveError;
use std::fmt::Write as _;
use std::path::Path;
use transom_messages as messages;

type Figure = (&'static str, fn(&TerminalStep) -> f64);

const FIGURES: &[Figure] = &[
    ("screens/s", |s| s.screens_per_s),
    ("average ms", |s| s.times.average_ms),
    ("p50 ms", |s| s.times.p50_ms),
    ("p90 ms", |s| s.times.p90_ms),
    ("p99 ms", |s| s.times.p99_ms),
    ("CPU ms/screen", |s| s.cpu_ms_per_screen),
    ("failures", |s| s.failures.total() as f64),
];

/// Reads an earlier result.
///
/// # Errors
/// TXMDR0008E: it cannot be read, or is none.
pub(crate) fn read(file: &Path) -> Result<TerminalRun, DriveError> {
    let refused = |why: &dyn std::fmt::Display| {
        DriveError(messages::dr::not_compared(file.display(), why).to_string())
    };
    let text = std::fs::read_to_string(file).map_err(|e| refused(&e))?;
    serde_json::from_str(&text).map_err(|e| refused(&e))
}

/// The table of both.
pub(crate) fn table(old: &TerminalRun, new: &TerminalRun) -> String {
    let ms = |run: &TerminalRun| run.calibration_ns as f64 / 1e6;
    let mut text = format!(
        "\ncompared with {:?}: calibration loop {:.1} ms then, {:.1} ms now\n",
        old.title,
        ms(old),
        ms(new)
    );
    if (&old.script, &old.tls, &old.mode, old.think_ms)
        != (&new.script, &new.tls, &new.mode, new.think_ms)
    {
        text += "the runs differ in script, TLS or pace\n";
    }
    let _ = writeln!(
        text,
        "{:>9} {:<14} {:>12} {:>12} {:>9}",
        "terminals", "", "then", "now", "change"
    );
    for step in &new.steps {
        let Some(before) = old.steps.iter().find(|s| s.terminals == step.terminals) else {
            let _ = writeln!(text, "{:>9} was not run then", step.terminals);
            continue;
        };
        for (name, value) in FIGURES {
            let (then, now) = (value(before), value(step));
            let change = match then > 0.0 {
                true => format!("{:+.1} %", (now / then - 1.0) * 100.0),
                false => "-".to_owned(),
            };
            let terminals = step.terminals;
            let _ = writeln!(
                text,
                "{terminals:>9} {name:<14} {then:>12.3} {now:>12.3} {change:>9}"
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn run(title: &str, tls: &str, steps: &[(u32, f64)]) -> TerminalRun {
        let times =
            json!({"average_ms": 1.0, "p50_ms": 1.0, "p90_ms": 1.0, "p99_ms": 1.0, "max_ms": 1.0});
        let kinds = [
            "connect",
            "rejected",
            "timeout",
            "broken",
            "unexpected",
            "keyboard",
            "stream",
        ];
        let failures: Value = kinds
            .iter()
            .map(|kind| ((*kind).to_owned(), json!(0)))
            .collect();
        let steps: Vec<Value> = steps
            .iter()
            .map(|(terminals, rate)| {
                json!({
                    "terminals": terminals, "connected": terminals, "screens": 1,
                    "screens_per_s": rate, "times": times, "logons": times, "logon_count": 1,
                    "bytes_in": 1, "failures": failures, "samples": [], "labels": [],
                    "cpu_ms_per_screen": 0.0, "cpu_percent": 0.0, "driver_cpu_percent": 0.0,
                })
            })
            .collect();
        serde_json::from_value(json!({
            "title": title, "host": "h", "script": "s", "mode": "closed", "think_ms": 0,
            "paced_rate": 0.0, "model": "3278-2", "tls": tls, "ramp_ms": 0, "warm_up_ms": 0,
            "duration_ms": 1, "processors": 2, "calibration_ns": 5_000_000, "steps": steps,
        }))
        .unwrap()
    }

    #[test]
    fn steps_are_compared_by_their_terminals() {
        let old = run("before", "none", &[(10, 200.0)]);
        let text = table(&old, &run("now", "none", &[(10, 250.0), (20, 400.0)]));
        let words: Vec<Vec<&str>> = text
            .lines()
            .map(|l| l.split_whitespace().collect())
            .collect();
        assert!(
            words.contains(&vec!["10", "screens/s", "200.000", "250.000", "+25.0", "%"]),
            "{text}"
        );
        assert!(
            words.contains(&vec!["10", "CPU", "ms/screen", "0.000", "0.000", "-"]),
            "{text}"
        );
        assert!(
            text.contains("20 was not run then") && !text.contains("differ"),
            "{text}"
        );
        let other = table(&old, &run("now", "immediate", &[(10, 250.0)]));
        assert!(
            other.contains("the runs differ in script, TLS or pace"),
            "{other}"
        );
    }
}
