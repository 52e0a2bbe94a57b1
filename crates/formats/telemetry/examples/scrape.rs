//! What the text of many histograms costs: `cargo run --release -p transom-telemetry --example
//! scrape`.
//!
//! 1,000 transactions and 1,000 programs with times of their own, as `[operations]` bounds them.

use std::time::{Duration, Instant};
use transom_telemetry::{Exposition, Kind, Timings};

fn main() {
    let timings: [Timings<u32>; 2] = [Timings::new(1_000), Timings::new(1_000)];
    for name in 0..1_000 {
        for took in 0..50 {
            let took = Duration::from_micros(150 * (name as u64 + 1) * took);
            timings.iter().for_each(|t| t.saw(name, took, false));
        }
    }
    let mut best = (Duration::MAX, 0, 0);
    for _ in 0..50 {
        let begin = Instant::now();
        let mut out = Exposition::with_capacity(4 << 20);
        for (by, timings) in ["transaction", "program"].iter().zip(&timings) {
            out.family(&format!("transom_task_{by}_seconds"), Kind::Histogram, "x");
            for timed in timings.read().by_name {
                let name = format!("NAME{}", timed.name);
                out.histogram(&[(by, &name), ("others", "")], &timed.times);
            }
        }
        let samples = out.samples();
        let bytes = out.into_text().len();
        best = best.min((begin.elapsed(), samples, bytes));
    }
    let (time, samples, bytes) = best;
    println!("{samples} series, {bytes} bytes, best of 50: {time:?}");
}
