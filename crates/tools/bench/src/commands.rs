//! Bench `commands`: EXEC CICS commands in a COBOL loop.

use crate::figure::{self, Goal};
use crate::region::{Bench, link, start};
use crate::runs::{median, quick, repetitions};
use std::time::Instant;

const SYSTEM: &str = "bench/commands/system";

/// Program, figure, goal in microseconds.
const LOOPS: &[(&str, &str, f64)] = &[
    ("LPASK", "asktime", 0.3),
    ("LPPUT", "put_container", 0.3),
    ("LPGET", "get_container", 0.3),
    ("LPREAD", "read_200", 2.0),
    ("LPNEXT", "readnext_200", 2.0),
    ("LPLINK", "link_fresh_4k", 1.5),
];
/// The peer: a COBOL CALL of a subprogram that does nothing.
const PEER: &str = "LPCALL";

/// The loop without a command in it.
const EMPTY: &str = "LPNONE";

/// Prints one figure per command: the slope between a short and a long loop, less that of the loop
/// itself.
pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let bench = start(SYSTEM, true).await?;
        let empty = cost(&bench, EMPTY).await?;
        figure::value("commands_loop", empty, "us", Goal::None);
        let peer = cost(&bench, PEER).await? - empty;
        figure::value("commands_call_peer", peer, "us", Goal::None);
        for (program, name, goal) in LOOPS {
            let us = cost(&bench, program).await? - empty;
            figure::ratio(
                &format!("commands_{name}_call"),
                us,
                "us",
                ("cobol-call", peer),
                Goal::None,
            );
            figure::value(&format!("commands_{name}"), us, "us", Goal::Most(*goal));
        }
        Ok(())
    })
}

async fn cost(bench: &Bench, program: &str) -> Result<f64, String> {
    let long: u32 = if quick() { 100_000 } else { 400_000 };
    let short = long / 10;
    let mut values = Vec::new();
    for _ in 0..repetitions().max(3) {
        let few = time(bench, program, short).await?;
        let many = time(bench, program, long).await?;
        values.push((many - few) * 1e6 / f64::from(long - short));
    }
    Ok(median(values))
}

/// Seconds of one task that loops so often. The program answers the count to show that it did.
async fn time(bench: &Bench, program: &str, count: u32) -> Result<f64, String> {
    let mut commarea = count.to_be_bytes().to_vec();
    commarea.extend_from_slice(&[0; 4]);
    let begin = Instant::now();
    let reply = link(&bench.region, program, commarea).await?;
    let seconds = begin.elapsed().as_secs_f64();
    if reply.get(4..8) == Some(&count.to_be_bytes()[..]) {
        Ok(seconds)
    } else {
        Err(format!("{program} did not loop {count} times: {reply:?}"))
    }
}
