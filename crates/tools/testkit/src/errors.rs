//! Errors of the device: no room, failed flushes, failed and short writes.
//!
//! What: a child works until the store is full or the device fails, and goes on or stops as the
//! store says; then the books are checked, and work goes on in a store that has room. Why: a flush
//! that failed may say "done" the next time without having written anything, so nothing may be
//! acknowledged after it. Not here: damage that is found later (`damage`).

use crate::bank::{Bank, Target};
use crate::child::{self, Life, MAP_BYTES, WorkArgs, believe};
use crate::plan::{Plan, TIME_OVER};
use crate::report::Part;
use crate::rng::Rng;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Source of the library that lets calls fail.
const SHIM: &str = include_str!("shim.c");
/// Calls of the store that can fail, with the error: EIO, ENOSPC, 0 for half a write.
const FAILING: &[(&str, i32)] = &[
    ("fdatasync", 5),
    ("fdatasync", 28),
    ("pwrite", 5),
    ("pwrite", 28),
    ("pwrite", 0),
    ("writev", 5),
    ("writev", 28),
    ("writev", 0),
];
/// How long a child works.
const LIFE: Duration = Duration::from_millis(600);
/// How long it may take to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the part.
pub(crate) fn run(plan: &Plan) -> Part {
    let mut part = Part::default();
    let each = plan.pick(50, 4);
    let bar = plan.bar("errors", 4 * each as usize);
    let shim = build_shim(plan);
    if let Err(reason) = &shim {
        part.skipped.push(format!("errors of calls: {reason}"));
    }
    let mut full = Figures::default();
    let mut failed = Figures::default();
    for number in 0..each {
        if plan.is_late() {
            part.skipped.push(format!("the rest: {TIME_OVER}"));
            break;
        }
        let mut rng = Rng::of_case(plan.seed, 4, number);
        let result = full_map(plan, &mut rng, &mut full);
        part.case(&format!("map is full, {number}"), result);
        bar.inc(1);
        let result = full_limit(plan, &mut rng, &mut full);
        part.case(&format!("file size limit, {number}"), result);
        bar.inc(1);
        match full_disk(plan, &mut rng, &mut full) {
            Some(result) => part.case(&format!("disk is full, {number}"), result),
            None if number == 0 => part.skipped.push("full disk: mount needs root".to_owned()),
            None => {}
        }
        bar.inc(1);
        if let Ok(shim) = &shim {
            let (call, errno) = FAILING[number as usize % FAILING.len()];
            let result = failing_call(plan, shim, (call, errno), &mut rng, &mut failed);
            part.case(&format!("{call} fails with {errno}, {number}"), result);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    for (name, figures) in [("no room", full), ("failing calls", failed)] {
        part.notes.push(format!(
            "{name}: struck {} times, {} stores stopped, {} went on, {} did not open",
            figures.struck, figures.stopped, figures.went_on, figures.refused
        ));
    }
    part
}

/// What children did.
#[derive(Default)]
struct Figures {
    struck: u64,
    stopped: u64,
    went_on: u64,
    refused: u64,
}

impl Figures {
    fn count(&mut self, life: &Life) {
        self.struck += u64::from(life.said.iter().any(|l| l.starts_with("error")));
        self.stopped += u64::from(life.stopped());
        self.refused += u64::from(life.was_refused());
        self.went_on += u64::from(life.status.success());
    }
}

/// The store's own limit.
fn full_map(plan: &Plan, rng: &mut Rng, figures: &mut Figures) -> Result<(), String> {
    let folder = plan.folder("full-map")?;
    let bytes = (1 << 20) + (rng.below(16) << 16) as usize;
    let work = WorkArgs::new(Target::Queue, &folder, "", LIFE)
        .with_map(bytes)
        .greedy();
    let life = child::run(work.command(), PATIENCE)?;
    figures.count(&life);
    afterwards(&folder, life)
}

/// The process may not write longer files. SIGXFSZ is ignored, as it is by servers that handle
/// EFBIG.
fn full_limit(plan: &Plan, rng: &mut Rng, figures: &mut Figures) -> Result<(), String> {
    let folder = plan.folder("full-limit")?;
    let blocks = 120 + rng.below(2_000);
    let ignored = if rng.coin() { "trap '' XFSZ; " } else { "" };
    let work = WorkArgs::new(Target::Queue, &folder, "", LIFE)
        .greedy()
        .command();
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!("{ignored}ulimit -f {blocks}; exec \"$0\" \"$@\""),
    ]);
    command.arg(work.get_program()).args(work.get_args());
    let life = child::run(command, PATIENCE)?;
    figures.count(&life);
    if ignored.is_empty() {
        // The signal may end it, and that is all.
        return check(&folder, &life.said);
    }
    afterwards(&folder, life)
}

/// A file system of a few hundred kilobytes; `None` where it cannot be made.
fn full_disk(plan: &Plan, rng: &mut Rng, figures: &mut Figures) -> Option<Result<(), String>> {
    let folder = plan.folder("full-disk").ok()?;
    let size = format!("size={}k", 200 + rng.below(1_200));
    let mut mount = Command::new("mount");
    mount
        .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
        .arg(&folder);
    let mounted = mount.output().is_ok_and(|o| o.status.success());
    if !mounted {
        return None;
    }
    let store = folder.join("store");
    let result = || {
        std::fs::create_dir_all(&store).map_err(|e| e.to_string())?;
        let work = WorkArgs::new(Target::Queue, &store, "", LIFE)
            .greedy()
            .command();
        let life = child::run(work, PATIENCE)?;
        figures.count(&life);
        if life.was_refused() && life.said.iter().any(|l| l.contains("no space")) {
            return Ok(());
        }
        // Recovery has to write, too: there is room again.
        let grown = Command::new("mount")
            .args(["-o", "remount,size=64m"])
            .arg(&folder)
            .status();
        grown.map_err(|e| e.to_string())?;
        afterwards(&store, life)
    };
    let result = { result }();
    let _ = Command::new("umount").arg(&folder).status();
    Some(result)
}

/// A call fails once, or from then on.
fn failing_call(
    plan: &Plan,
    shim: &Path,
    (call, errno): (&str, i32),
    rng: &mut Rng,
    figures: &mut Figures,
) -> Result<(), String> {
    let folder = plan.folder("failing")?;
    let times = if rng.coin() { 1 } else { 1_000_000 };
    let after = 4 + rng.below(40);
    let mut command = WorkArgs::new(Target::Queue, &folder, "", LIFE).command();
    command.env("LD_PRELOAD", shim);
    command.env("TORTURE_SHIM", format!("{call} {after} {errno} {times}"));
    let life = child::run(command, PATIENCE)?;
    figures.count(&life);
    let struck = life.said.iter().position(|l| l.starts_with("error"));
    let acknowledged = |l: &String| l.starts_with('+');
    if let (5, Some(struck)) = (errno, struck) {
        // Threads whose commits were safe before may say so a little later.
        let later = life
            .said
            .iter()
            .skip(struck)
            .filter(|l| acknowledged(l))
            .count();
        if later > 3 {
            return Err(format!(
                "{later} transfers were acknowledged after a device error"
            ));
        }
        if !life.stopped() {
            return Err(format!(
                "the store went on after a device error: {}",
                life.status
            ));
        }
    }
    afterwards(&folder, life)
}

/// The child ended in order; nothing is lost; work goes on where there is room.
fn afterwards(folder: &Path, life: Life) -> Result<(), String> {
    if life.hung {
        return Err("the child hung".to_owned());
    }
    if !life.ended_well() && !life.was_refused() {
        let why = life.complaints.lines().next().unwrap_or_default();
        return Err(format!("the child ended with {}: {why}", life.status));
    }
    check(folder, &life.said)?;
    let more = WorkArgs::new(Target::Queue, folder, "", PATIENCE / 2).limited(2, 20);
    let more = child::run(more.command(), PATIENCE)?;
    if !more.status.success() || !more.said.iter().any(|l| l.starts_with('+')) {
        return Err(format!("no more work is done: {:?}", more.said));
    }
    check(folder, &[life.said, more.said].concat())
}

fn check(folder: &Path, said: &[String]) -> Result<(), String> {
    let bank = Bank::open(Target::Queue, folder, "", MAP_BYTES);
    let bank = bank.map_err(|e| format!("the store does not open: {e}"))?;
    bank.resolve(|| true).map_err(|e| e.to_string())?;
    believe(said, &bank.check()?.transfers)
}

/// Compiles the library.
pub(crate) fn build_shim(plan: &Plan) -> Result<PathBuf, String> {
    let folder = plan.folder("shim")?;
    let (source, library) = (folder.join("shim.c"), folder.join("shim.so"));
    std::fs::write(&source, SHIM).map_err(|e| e.to_string())?;
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"]);
    cc.arg(&library).arg(&source).arg("-ldl");
    let output = cc.output().map_err(|e| format!("cc: {e}"))?;
    match output.status.success() {
        true => Ok(library),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
