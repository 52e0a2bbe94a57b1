//! Bench `commands`: EXEC CICS commands in a COBOL loop; those that ask the region at two sizes of
//! its shared memory (EDSALIM).

use crate::cpu;
use crate::figure::{self, Goal};
use crate::region::{Bench, SHARED_MB, link, start};
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
/// Commands that take a block of shared memory or ask the region: program, figure, goal in
/// microseconds of CPU of both sides, turns for one of the others. CPU is told in hundredths of a
/// second: what asks nobody needs many turns.
const QUESTIONS: &[(&str, &str, Option<f64>, u32)] = &[
    ("LPUPD", "read_update_rewrite", Some(12.0), 1),
    ("LPWDL", "write_delete", None, 1),
    ("LPTSQ", "writeq_ts_deleteq", None, 50),
    ("LPENQ", "enq_deq", None, 50),
    ("LPSTC", "start_cancel", None, 1),
];
/// Sizes of shared memory in MB that must make no difference.
const SIZES_MB: [usize; 2] = [16, 1_024];
/// Most that the larger one may cost of the smaller one.
const GROWTH_MAX: f64 = 1.05;
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
        let bench = start(SYSTEM, true, SHARED_MB).await?;
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
        drop(bench);
        questions().await
    })
}

/// CPU of region and worker at each size, and what the larger one costs of the smaller one.
async fn questions() -> Result<(), String> {
    let mut costs = Vec::new();
    for mb in SIZES_MB {
        let bench = start(SYSTEM, true, mb).await?;
        for (program, name, goal, turns) in QUESTIONS {
            let us = cpu_cost(&bench, program, *turns).await?;
            let goal = goal.map_or(Goal::None, Goal::Most);
            figure::value(&format!("commands_{name}_cpu_{mb}mb"), us, "us", goal);
            costs.push(us);
        }
    }
    let (small, large) = costs.split_at(QUESTIONS.len());
    for ((_, name, _, _), (small, large)) in QUESTIONS.iter().zip(small.iter().zip(large)) {
        let (name, growth) = (format!("commands_{name}_growth"), large / small.max(0.001));
        figure::value(&name, growth, "1", Goal::Most(GROWTH_MAX));
    }
    Ok(())
}

/// Microseconds of CPU, of this process (the region) and its workers, for one turn of a loop.
async fn cpu_cost(bench: &Bench, program: &str, turns: u32) -> Result<f64, String> {
    let count = turns * if quick() { 20_000 } else { 100_000 };
    let own = std::process::id();
    time(bench, program, count / 10).await?;
    let mut values = Vec::new();
    for _ in 0..repetitions().max(3) {
        let before = cpu::tree_seconds(own);
        time(bench, program, count).await?;
        values.push((cpu::tree_seconds(own) - before) * 1e6 / f64::from(count));
    }
    Ok(median(values))
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
