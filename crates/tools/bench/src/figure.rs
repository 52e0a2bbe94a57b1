//! The lines a bench prints: `figure=... value=... unit=... goal=... met=...`.

use std::io::Write;

/// A goal for a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal {
    /// At most.
    Most(f64),
    /// At least.
    Least(f64),
    /// Printed for comparison.
    None,
}

impl Goal {
    fn text(self, value: f64) -> String {
        match self {
            Goal::Most(goal) => format!("goal=<={goal} met={}", word(value <= goal)),
            Goal::Least(goal) => format!("goal=>={goal} met={}", word(value >= goal)),
            Goal::None => "goal=none met=yes".to_owned(),
        }
    }
}

/// Prints a figure with a goal for its value.
pub(crate) fn value(name: &str, value: f64, unit: &str, goal: Goal) {
    line(&format!(
        "figure={name} value={} unit={unit} {}",
        number(value),
        goal.text(value)
    ));
}

/// Prints a figure with a peer of the same run and a goal for the ratio.
pub(crate) fn ratio(name: &str, value: f64, unit: &str, peer: (&str, f64), goal: Goal) {
    let ratio = if peer.1 > 0.0 { value / peer.1 } else { 0.0 };
    line(&format!(
        "figure={name} value={} unit={unit} peer={} peer_value={} ratio={} {}",
        number(value),
        peer.0,
        number(peer.1),
        number(ratio),
        goal.text(ratio)
    ));
}

/// Says that something could not be measured.
pub(crate) fn skipped(name: &str, why: &str) {
    line(&format!("skipped figure={name}: {why}"));
}

/// A line of a table.
pub(crate) fn row(text: &str) {
    line(text);
}

/// Processors and a fixed integer loop, so that figures of machines can be put in proportion.
pub(crate) fn machine() {
    let begin = std::time::Instant::now();
    let mut x = 0x9E37_79B9_7F4A_7C15_u64;
    for i in 0..20_000_000_u64 {
        x = (x ^ i).wrapping_mul(0x2545_F491_4F6C_DD1D).rotate_left(17);
    }
    std::hint::black_box(x);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    line(&format!(
        "machine processors={processors} calibration_ms={}",
        number(begin.elapsed().as_secs_f64() * 1e3)
    ));
}

fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    // A closed pipe ends the output, not the measurement.
    let _printed = writeln!(out, "{text}");
}

fn word(met: bool) -> &'static str {
    if met { "yes" } else { "no" }
}

fn number(value: f64) -> String {
    if value >= 1000.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}
