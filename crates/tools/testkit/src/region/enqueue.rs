//! Tasks that hold a resource die, and others wait for it.
//!
//! What: clients link to a program that takes one of a few resources by ENQ, says in a queue that
//! it has it, lets others run, and looks whether somebody else has said so meanwhile. It gives the
//! resource back by DEQ, SYNCPOINT, its end or an abend; between, workers get SIGKILL. Two tasks
//! never have it at a time, nobody waits for one who is dead, and the region lives. Why apart: what
//! a lock of a record does is seen in the books; an ENQ leaves nothing behind. Not here: programs
//! that store over the table of enqueues (`scribble`).

use super::process::Process;
use super::system::{Bank, System};
use super::{START_MAX, request};
use crate::plan::{Plan, TIME_OVER};
use crate::report::Part;
use crate::rng::Rng;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_region_api::{Fault, LinkFailure, LinkOutput, LinkRequest, Payload, Programs};
use transom_types::ProgramName;

const PROGRAM: &str = include_str!("enqueue.cbl");
const CLIENTS: u64 = 8;
const RESOURCES: u64 = 3;
/// Ways of the program to give a resource back: DEQ, SYNCPOINT, its end, an abend.
const WAYS: [char; 4] = ['D', 'S', 'E', 'A'];
/// How soon each resource must be free when nobody is killed any more.
const FREE_WITHIN: Duration = Duration::from_secs(20);

/// What clients saw.
#[derive(Debug, Default)]
struct Seen {
    had: u64,
    abends: u64,
    /// Two had it.
    wrong: Option<String>,
}

/// What a round and its clients tell each other.
#[derive(Debug, Default)]
struct Work {
    stop: AtomicBool,
    /// Somebody had a resource.
    had: AtomicBool,
}

/// Runs the part.
pub(crate) fn run(plan: &Plan) -> Part {
    let Some(exe) = &plan.exe else {
        return Part::skipped("no executable `transom` beside this program, and no --exe");
    };
    let mut part = Part::default();
    if let Err(text) = rounds(plan, exe, &mut part) {
        part.case("enqueue", Err(text));
    }
    part
}

fn rounds(plan: &Plan, exe: &Path, part: &mut Part) -> Result<(), String> {
    let cases = plan.pick(60, 5);
    let bar = plan.bar("enqueue", cases);
    let folder = plan.folder("enqueue")?;
    fs::create_dir_all(folder.join("cobol")).map_err(|e| e.to_string())?;
    fs::write(folder.join("cobol/ENQUEUE.cbl"), PROGRAM).map_err(|e| e.to_string())?;
    let system = System::make(folder, exe, Bank::Own)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let mut process = system.start(None)?;
    let config = AdaptersConfig::new(&system.meeting_place(), "TORTURE");
    let region = Arc::new(LocalAdapters::new(config));
    all_are_free(&runtime, &region, &mut process, START_MAX)?;
    let (mut seen, mut killed, mut slowest) = (Seen::default(), 0, Duration::ZERO);
    for number in 0..cases {
        if plan.is_late() {
            let left = cases - number;
            part.skipped.push(format!("{left} rounds: {TIME_OVER}"));
            break;
        }
        let mut rng = Rng::of_case(plan.seed, 9, number as u64);
        let result = round(&runtime, &region, &process, &mut rng, &mut seen);
        killed += result.as_ref().copied().unwrap_or(0);
        let result = result.and_then(|_| {
            let begin = Instant::now();
            all_are_free(&runtime, &region, &mut process, FREE_WITHIN)?;
            slowest = slowest.max(begin.elapsed());
            Ok(())
        });
        let failed = result.is_err();
        part.case(&format!("round {number}"), result);
        if failed {
            break;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    part.notes.push(format!(
        "resources were had {} times, {} tasks abended, {killed} workers killed; all were free again \
         within {} ms",
        seen.had,
        seen.abends,
        slowest.as_millis()
    ));
    part.must_have(seen.had > 0, "nobody had a resource");
    process.kill()
}

/// Clients at work while workers die, until one at least had a resource; the number that died.
fn round(
    runtime: &Runtime,
    region: &Arc<LocalAdapters>,
    process: &Process,
    rng: &mut Rng,
    seen: &mut Seen,
) -> Result<u64, String> {
    let work = Arc::new(Work::default());
    let mut clients = JoinSet::new();
    for n in 0..CLIENTS {
        let rng = Rng::of_case(rng.next(), 0, n);
        clients.spawn_on(client(region.clone(), work.clone(), rng), runtime.handle());
    }
    let (end, mut killed) = (Instant::now() + Duration::from_millis(900), 0);
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10 + rng.below(90)));
        killed += u64::from(process.kill_a_worker(rng.next()));
    }
    // A busy machine starts workers more slowly than they were killed.
    while !work.had.load(Ordering::Relaxed) && end.elapsed() < START_MAX {
        std::thread::sleep(Duration::from_millis(10));
    }
    work.stop.store(true, Ordering::Relaxed);
    for one in runtime.block_on(clients.join_all()) {
        seen.had += one.had;
        seen.abends += one.abends;
        if let Some(wrong) = one.wrong {
            return Err(wrong);
        }
    }
    Ok(killed)
}

async fn client(region: Arc<LocalAdapters>, work: Arc<Work>, mut rng: Rng) -> Seen {
    let mut seen = Seen::default();
    while !work.stop.load(Ordering::Relaxed) && seen.wrong.is_none() {
        let how = WAYS[rng.below(WAYS.len() as u64) as usize];
        let reply = region.link(take(how, rng.below(RESOURCES))).await;
        match verdict(&reply) {
            Ok(true) => {
                work.had.store(true, Ordering::Relaxed);
                seen.had += 1;
            }
            Ok(false) => seen.abends += 1,
            Err(wrong) => seen.wrong = Some(wrong),
        }
    }
    seen
}

/// True: it had the resource; false: it abended, or its worker did. An error: two had it, or one
/// waited until its time was over.
fn verdict(reply: &Result<LinkOutput, LinkFailure>) -> Result<bool, String> {
    match reply {
        Ok(output) => match &output.payload {
            Payload::Commarea(bytes) if bytes.starts_with(b"OK") => Ok(true),
            other => Err(format!("two tasks had a resource: {other:?}")),
        },
        Err(failure) if failure.fault == Fault::TimedOut => {
            Err(format!("somebody waited in vain: {}", failure.text))
        }
        Err(_) => Ok(false),
    }
}

fn take(how: char, resource: u64) -> LinkRequest {
    let mut asked = request(format!("??{how}ENQRES{resource:02}").into_bytes());
    asked.program = ProgramName::from_field(b"ENQUEUE");
    asked
}

/// Waits until each resource can be had.
fn all_are_free(
    runtime: &Runtime,
    region: &LocalAdapters,
    process: &mut Process,
    within: Duration,
) -> Result<(), String> {
    let begin = Instant::now();
    for resource in 0..RESOURCES {
        while !verdict(&runtime.block_on(region.link(take('D', resource))))? {
            if process.has_ended() || begin.elapsed() > within {
                return Err(format!("the region does not serve: {}", process.said()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    Ok(())
}
