//! The five transactions at terminals: with keying and think times, and without.
//!
//! Why: a user has screens, and the specification bounds what a warehouse's ten terminals can ask
//! for. Not here: the programs without screens.

use super::input::Scale;
use crate::figure::{self, Goal};
use crate::runs::quick;
use crate::sql::SqlRegion;
use clap::Parser;
use transom_driver::{TerminalArgs, TerminalStep, drive_terminals_silently};

#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    args: TerminalArgs,
}

/// Terminals of a warehouse, and the most new orders a minute they can place.
const EACH: u64 = 10;
const MOST: f64 = 12.86;
/// Screens a second without pauses.
const RATE: &str = "200";
const SCRIPT: &str = "terminals.3270";

/// Its figures, on the embedded engine.
pub(super) fn run(region: &SqlRegion<'_>, scale: Scale) -> Result<(), String> {
    let path = region.dir().join(SCRIPT);
    let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let ours = format!("random W 1 {:02}", scale.warehouses);
    let text = text.replace("random W 1 10", &ours);
    std::fs::write(&path, text).map_err(|e| e.to_string())?;
    let seconds = if quick() { 5 } else { 20 };
    let step = step(
        region,
        scale,
        seconds,
        &["--paced", RATE, "--ramp", "1s", "--warm-up", "2s"],
    )?;
    figure::value(
        "tpcc_terminals_screens",
        step.screens_per_s,
        "1/s",
        Goal::None,
    );
    print("tpcc_terminals_without_pauses", &step);
    if quick() {
        let why = "QUICK=1 has no time for keying and think times";
        figure::skipped("tpcc_terminals_new_orders", why);
        return Ok(());
    }
    let seconds = 180;
    let step = self::step(
        region,
        scale,
        seconds,
        &["--ramp", "60s", "--warm-up", "30s"],
    )?;
    let placed = step.labels.iter().find(|label| label.label == "new order");
    let a_minute = placed.map_or(0.0, |label| label.screens as f64) * 60.0 / seconds as f64;
    let most = MOST * scale.warehouses as f64;
    figure::value(
        "tpcc_terminals_new_orders",
        a_minute,
        "1/min",
        Goal::Most(most),
    );
    print("tpcc_terminals", &step);
    Ok(())
}

fn print(name: &str, step: &TerminalStep) {
    for label in step.labels.iter().filter(|label| label.screens > 0) {
        let name = format!("{name}_{}_p90", label.label.replace(' ', "_"));
        figure::value(&name, label.times.p90_ms, "ms", Goal::None);
    }
    let failed = step.failures.total() as f64;
    figure::value(&format!("{name}_failures"), failed, "1", Goal::Most(0.0));
}

/// All terminals for so many seconds.
fn step(
    region: &SqlRegion<'_>,
    scale: Scale,
    seconds: u64,
    words: &[&str],
) -> Result<TerminalStep, String> {
    let host = format!("127.0.0.1:{}", region.tn3270);
    let script = region.dir().join(SCRIPT).display().to_string();
    let terminals = (scale.warehouses * EACH).to_string();
    let duration = format!("{seconds}s");
    let fixed = [
        "3270",
        &host,
        "--script",
        &script,
        "--quiet",
        "--terminals",
        &terminals,
    ];
    let fixed = fixed
        .into_iter()
        .chain(["--duration", &duration, "--timeout", "60s"]);
    let args = Options::try_parse_from(fixed.chain(words.iter().copied()));
    let args = args.map_err(|e| e.to_string())?.args;
    // On a thread of its own: the driver has its own runtime.
    let driver = std::thread::spawn(move || drive_terminals_silently(&args));
    let run = driver.join().map_err(|_| "the driver ended early")?;
    let mut run = run.map_err(|e| e.to_string())?;
    run.steps
        .pop()
        .ok_or_else(|| "the driver made no step".into())
}
