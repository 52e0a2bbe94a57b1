//! Power loss: stores are opened as a disk would have them if the machine had died at any moment.
//!
//! What: a child works under strace, which records what it writes to the files of its store and
//! when it flushes. For a random moment the files are put together again: what was flushed is
//! there; of the rest nothing, everything, or any part of it in blocks of 4 KiB or torn at 512
//! bytes. A child opens each state and compares it with what was acknowledged by then. So does the
//! embedded SQL engine, alone and as last agent. Why not kill -9: the page cache survives that. Not
//! here: metadata of the file system, which is kept in order.

mod disk;
mod trace;

use crate::bank::{Bank, Target};
use crate::child::{self, MAP_BYTES, WorkArgs, believe};
use crate::plan::{Plan, myself};
use crate::report::Part;
use crate::rng::Rng;
use disk::{Disk, Loss};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use trace::{Event, Trace};

/// The files of a store, and the database of the embedded engine with its log. The index of that
/// log is made again when the database is opened.
const FILES: [&str; 8] = [
    "data.mdb",
    "log.0",
    "log.1",
    "checkpoint",
    "sums",
    "sql.db",
    "sql.db-wal",
    "sql.db-journal",
];
/// Files a store has; those behind them only with an SQL engine.
const OF_STORE: usize = 5;
/// Transfers of a recording.
const TRANSFERS: u64 = 150;
/// Longest life of a child that is recorded; it ends after its transfers.
const LIFE: Duration = Duration::from_secs(120);

/// What is recorded: the name, where the money lies, and threads.
const RECORDINGS: [(&str, Target, u64); 4] = [
    ("one at a time", Target::Queue, 1),
    ("group commits", Target::Queue, 4),
    ("SQL, one at a time", Target::Sql, 1),
    ("SQL, flushed together", Target::Sql, 6),
];

/// What a replaying child does.
#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// Recording of strace
    #[arg(long)]
    trace: PathBuf,
    /// Folder for the states
    #[arg(long)]
    folder: PathBuf,
    /// States
    #[arg(long)]
    count: u64,
    #[arg(long)]
    seed: u64,
    /// One transfer at a time was recorded: what is there must be the first ones, without a gap
    #[arg(long)]
    in_order: bool,
    /// Where the money lies
    #[arg(long)]
    target: Target,
}

/// Runs the part.
pub(crate) fn run(plan: &Plan) -> Part {
    let strace = Command::new("strace").arg("-V").output();
    if strace.is_err() {
        return Part::skipped("strace is not installed");
    }
    let mut part = Part::default();
    let bar = plan.bar("power", 2 * RECORDINGS.len());
    let states = plan.pick(1_000, 60);
    for (name, target, threads) in RECORDINGS {
        bar.set_message(format!("{name}: records"));
        let result = record(plan, target, threads).and_then(|trace| {
            bar.inc(1);
            bar.set_message(format!("{name}: {states} states"));
            replays(plan, (&trace, target), threads == 1, states)
        });
        bar.inc(1);
        match result {
            Ok(lines) => take(&mut part, name, &lines),
            Err(text) => part.case(name, Err(text)),
        }
    }
    bar.finish_and_clear();
    part
}

/// Runs a child under strace; the file of the recording.
fn record(plan: &Plan, target: Target, threads: u64) -> Result<PathBuf, String> {
    let store = plan.folder(&format!("power{threads}{target:?}"))?;
    let trace = store.with_extension("strace");
    let work = WorkArgs::new(target, &store, "", LIFE).limited(threads, TRANSFERS);
    let worker = work.command();
    let mut command = Command::new("strace");
    command.args(["-f", "-y", "-xx", "-qq", "-s", "100000000"]);
    let calls = "trace=openat,dup,lseek,write,writev,pwrite64,pwritev,pwritev2,fdatasync,fsync,msync,ftruncate,fallocate,\
                 unlink,unlinkat,rename,renameat,renameat2,sync_file_range";
    command.args(["-e", calls, "-e", "signal=none", "-o"]);
    command.arg(&trace).arg(worker.get_program());
    command.args(worker.get_args());
    let recorded = child::run(command, LIFE + Duration::from_secs(60))?;
    match recorded.ended_well() {
        true => Ok(trace),
        false => Err(format!(
            "recording: {} {}",
            recorded.status, recorded.complaints
        )),
    }
}

/// Lines of the child that opens the states.
fn replays(
    plan: &Plan,
    (trace, target): (&Path, Target),
    in_order: bool,
    states: u64,
) -> Result<Vec<String>, String> {
    let folder = match Path::new("/dev/shm").is_dir() {
        // Its flushes cost nothing, and what is tested has happened already.
        true => tempfile::tempdir_in("/dev/shm"),
        false => tempfile::tempdir(),
    };
    let folder = folder.map_err(|e| e.to_string())?;
    let mut command = Command::new(myself());
    command.arg("replay").arg("--trace").arg(trace);
    command.arg("--folder").arg(folder.path());
    command.args(["--target", &target.word()]);
    command.args([
        "--count",
        &states.to_string(),
        "--seed",
        &plan.seed.to_string(),
    ]);
    if in_order {
        command.arg("--in-order");
    }
    let life = child::run(command, Duration::from_secs(600))?;
    if life.status.success() {
        return Ok(life.said);
    }
    let last = life.said.last().cloned().unwrap_or_default();
    Err(format!(
        "a state ended the process: {}, after {last}; {}",
        life.status, life.complaints
    ))
}

fn take(part: &mut Part, name: &str, lines: &[String]) {
    for line in lines {
        match line.split_once(' ') {
            Some(("good", _)) => part.cases += 1,
            Some(("bad", text)) => part.case(name, Err(text.to_owned())),
            Some(("note", text)) => part.notes.push(format!("{name}: {text}")),
            _ => {}
        }
    }
}

/// The child that opens the states.
pub(crate) fn replay(args: &ReplayArgs) -> ExitCode {
    match replayed(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn replayed(args: &ReplayArgs) -> Result<(), String> {
    let text = std::fs::read(&args.trace).map_err(|e| e.to_string())?;
    let (store, database) = FILES.split_at(OF_STORE);
    let trace = match args.target.is_sql() {
        true => Trace::read(&text, &FILES, database)?,
        false => Trace::read(&text, store, &[])?,
    };
    drop(text);
    let count = |wanted: fn(&Event) -> bool| trace.events.iter().filter(|e| wanted(e)).count();
    println!(
        "note {} writes, {} flushes, {} acknowledgements recorded",
        count(|e| matches!(e, Event::Write { .. })),
        count(|e| matches!(e, Event::Flushed { .. })),
        count(|e| matches!(e, Event::Said(_)))
    );
    let mut rng = Rng::of_case(args.seed, 2, u64::from(args.in_order));
    let length = trace.events.len() as u64;
    let mut moments: Vec<u64> = (0..args.count).map(|_| rng.below(length + 1)).collect();
    moments.sort_unstable();
    let mut disks: [Disk; FILES.len()] = Default::default();
    let mut said = Vec::new();
    let mut done = 0;
    for (i, moment) in moments.into_iter().enumerate() {
        for event in trace.events.iter().take(moment as usize).skip(done) {
            for (file, disk) in disks.iter_mut().enumerate() {
                disk.take(event, file);
            }
            if let Event::Said(line) = event {
                said.push(line.clone());
            }
        }
        done = moment as usize;
        let loss = Loss::ALL[i % Loss::ALL.len()];
        let images = disks.each_ref().map(|disk| disk.after(loss, &mut rng));
        let state = format!("after event {moment} of {length}, {loss:?}");
        // Shown before: it is the last line if the process dies.
        println!("state {state}");
        match open(args, &images, &said, &mut rng) {
            Ok(()) => println!("good {state}"),
            Err(text) => println!("bad {state}: {text}"),
        }
    }
    Ok(())
}

/// Opens one state and compares.
fn open(
    args: &ReplayArgs,
    images: &[Option<Vec<u8>>],
    said: &[String],
    rng: &mut Rng,
) -> Result<(), String> {
    let store = args.folder.join("power");
    let _ = std::fs::remove_dir_all(&store);
    std::fs::create_dir_all(&store).map_err(|e| e.to_string())?;
    for (name, image) in FILES.iter().zip(images) {
        if let Some(image) = image {
            std::fs::write(store.join(name), image).map_err(|e| e.to_string())?;
        }
    }
    let bank = Bank::open(args.target, &store, "", MAP_BYTES);
    let bank = bank.map_err(|e| format!("the store does not open: {e}"))?;
    if args.in_order {
        // What is in doubt is the last; it may stay or go.
        bank.resolve(|| rng.coin()).map_err(|e| e.to_string())?;
    } else {
        bank.resolve(|| true).map_err(|e| e.to_string())?;
    }
    let found = bank.check()?;
    believe(said, &found.transfers)?;
    let last = found.transfers.last().copied().unwrap_or(0);
    let first = found.transfers.first().copied().unwrap_or(0);
    // Each sixth was backed out, unless it was in doubt.
    let counts = |n: &u64| !n.is_multiple_of(6);
    let there = found.transfers.iter().copied().filter(counts).count();
    let whole = (first..=last).filter(counts).count() == there;
    match args.in_order && last > 0 && !whole {
        true => Err(format!(
            "transfers are missing between others: {:?}",
            found.transfers
        )),
        false => Ok(()),
    }
}
