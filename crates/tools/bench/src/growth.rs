//! Bench `growth`: what the store costs when its data grow, a gateway when its APIs do
//! (`gateway`), a region with many queues (`queues`) and tasks (`tasks`), the compiler with many
//! programs (`builds`).
//!
//! What: the same work at three sizes, its cost per record and how that grows; the file beside its
//! data, and bytes written beside bytes changed, with LMDB and SQLite for comparison. Work is done
//! by processes of its own, so that what they write can be told and they can be killed. Not here:
//! how fast units of work are (`vsam`).

use crate::figure::{self, Goal};
use crate::runs::quick;
use crate::servers::{run_to_end, transom_exe};
use data::{PER_UNIT, RECORD, mixed, record, written};
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;
use transom_datasets::{Access, DatasetName, Datasets, Find, LocalOptions, open_local};
use transom_recovery::{Settings, Space, UowId, UowStore, wait};
use transom_types::Applid;

mod builds;
mod data;
mod flat;
mod gateway;
mod peers;
mod queues;
mod system;
mod tasks;

/// Folder of the store in a system directory.
const STORE: &str = "data/store";
/// Changed in a process that is killed.
const KILLED_AFTER: u64 = 100_000;

/// Numbers of records.
fn sizes() -> [u64; 3] {
    match quick() {
        true => [1_000, 10_000, 100_000],
        false => [10_000, 100_000, 1_000_000],
    }
}

/// What is done at each size.
const WORK: [&str; 4] = ["repro_sorted", "repro_random", "bldindex", "update"];

/// A part of the bench.
type Part = (&'static str, fn() -> Result<(), String>);

/// All of them, in the order in which they run.
const PARTS: [Part; 5] = [
    ("store", store),
    ("gateway", gateway::run),
    ("queues", || in_runtime(queues::run())),
    ("tasks", || in_runtime(tasks::run())),
    ("builds", builds::run),
];

/// Runs the part that is named, or all.
pub(crate) fn run(part: &str) -> Result<(), String> {
    let wanted = PARTS
        .iter()
        .filter(|(name, _)| part.is_empty() || *name == part);
    let mut ran = 0;
    for (_, run) in wanted {
        run()?;
        ran += 1;
    }
    match ran {
        0 => {
            let names = PARTS.map(|(name, _)| name).join(", ");
            Err(format!("no part '{part}'; there are {names}"))
        }
        _ => Ok(()),
    }
}

fn in_runtime(work: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime.map_err(|e| e.to_string())?.block_on(work)
}

/// Prints all of it.
fn store() -> Result<(), String> {
    let mut costs: [Vec<f64>; WORK.len()] = Default::default();
    for records in sizes() {
        let seconds = size(records)?;
        for (costs, seconds) in costs.iter_mut().zip(seconds) {
            costs.push(seconds / records as f64);
        }
    }
    for (what, costs) in WORK.iter().zip(&costs) {
        let [small, middle, large] = costs[..] else {
            continue;
        };
        let name = |by: &str| format!("growth_{what}_per_record_{by}");
        figure::value(&name("10x"), middle / small, "times", Goal::None);
        figure::value(&name("100x"), large / small, "times", Goal::None);
    }
    Ok(())
}

/// All work at one size; seconds of each.
fn size(records: u64) -> Result<[f64; WORK.len()], String> {
    let last = records == sizes()[2];
    let goal = |most| if last { Goal::Most(most) } else { Goal::None };
    let name = |what: &str| format!("growth_{what}_{records}");
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let place = folder.path();
    let sorted = repro(place, records, true)?;
    let random = repro(place, records, false)?;
    let [sorted_store, store] = ["sorted", "random"].map(|system| place.join(system).join(STORE));
    figure::value(&name("repro_sorted"), sorted, "s", Goal::None);
    figure::value(
        &name("repro_sorted_file"),
        times(space(&sorted_store)?),
        "of net",
        goal(1.5),
    );
    figure::value(&name("repro_random"), random, "s", Goal::None);
    figure::value(
        &name("repro_random_to_sorted"),
        random / sorted,
        "times",
        goal(1.5),
    );
    figure::value(
        &name("repro_random_file"),
        times(space(&store)?),
        "of net",
        goal(1.5),
    );
    let built = build(&place.join("sorted"), place)?;
    figure::value(&name("bldindex"), built, "s", goal(3.0));
    figure::value(
        &name("bldindex_file"),
        times(space(&sorted_store)?),
        "of net",
        goal(1.3),
    );
    let updated = changes(&store, records, goal)?;
    Ok([sorted, random, built, updated])
}

/// Changes, and a start after a death among them; seconds of the changes.
fn changes(store: &Path, records: u64, goal: impl Fn(f64) -> Goal) -> Result<f64, String> {
    let name = |what: &str| format!("growth_{what}_{records}");
    let begin = Instant::now();
    let bytes = update(store, records)?;
    let updated = begin.elapsed().as_secs_f64();
    figure::value(&name("update"), updated, "s", Goal::None);
    figure::value(
        &name("update_file"),
        times(space(store)?),
        "of net",
        goal(2.0),
    );
    let per_byte = |written: u64| written as f64 / (records * RECORD as u64) as f64;
    figure::value(
        &name("update_written"),
        per_byte(bytes),
        "bytes per byte",
        Goal::None,
    );
    for (peer, bytes) in peers::update(records)? {
        let name = name(&format!("update_written_{peer}"));
        figure::value(&name, per_byte(bytes), "bytes per byte", Goal::None);
    }
    let seconds = restart(store, records)?;
    figure::value(&name("restart_after_kill"), seconds, "s", goal(1.0));
    Ok(updated)
}

/// Loads a file by IDCAMS in a new system directory; seconds.
fn repro(place: &Path, records: u64, sorted: bool) -> Result<f64, String> {
    let system = place.join(if sorted { "sorted" } else { "random" });
    let failed = |e: std::io::Error| e.to_string();
    fs::create_dir(&system).map_err(failed)?;
    fs::write(system.join("transom.toml"), "").map_err(failed)?;
    let file = place.join("records.bin");
    let mut out = std::io::BufWriter::new(fs::File::create(&file).map_err(failed)?);
    for number in 0..records {
        let number = if sorted {
            number
        } else {
            mixed(number, records)
        };
        out.write_all(&record(number, 0)).map_err(failed)?;
    }
    out.flush().map_err(failed)?;
    drop(out);
    let text = format!(
        " DEFINE CLUSTER (NAME(GROWTH.BASE) INDEXED KEYS(10 0) -\n \
         RECORDSIZE({RECORD} {RECORD}))\n"
    );
    idcams(&system, place, &text, &[])?;
    let begin = Instant::now();
    let dd = format!("IN={},format=fixed:{RECORD},ccsid=819", file.display());
    idcams(
        &system,
        place,
        " REPRO INFILE(IN) OUTDATASET(GROWTH.BASE)\n",
        &["--dd", &dd],
    )?;
    let seconds = begin.elapsed().as_secs_f64();
    fs::remove_file(&file).map_err(failed)?;
    Ok(seconds)
}

fn idcams(system: &Path, place: &Path, text: &str, more: &[&str]) -> Result<(), String> {
    let statements = place.join("statements.idcams");
    fs::write(&statements, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(transom_exe()?);
    command
        .arg("idcams")
        .arg(system)
        .arg("--in")
        .arg(&statements);
    run_to_end(command.args(more))
}

/// Bytes of the data and of the file of a store.
fn space(folder: &Path) -> Result<Space, String> {
    let store = open(folder)?;
    store.stats().space.ok_or_else(|| "no file".to_owned())
}

fn times(space: Space) -> f64 {
    space.file as f64 / space.net.max(1) as f64
}

/// Builds an alternate index in no order over what was loaded; seconds.
fn build(system: &Path, place: &Path) -> Result<f64, String> {
    let text = " DEFINE ALTERNATEINDEX (NAME(GROWTH.AIX) RELATE(GROWTH.BASE) -\n \
         KEYS(12 10) UNIQUEKEY UPGRADE)\n";
    idcams(system, place, text, &[])?;
    let begin = Instant::now();
    let text = " BLDINDEX INDATASET(GROWTH.BASE) OUTDATASET(GROWTH.AIX)\n";
    idcams(system, place, text, &[])?;
    Ok(begin.elapsed().as_secs_f64())
}

/// Changes as many records as there are, in no order; bytes written.
fn update(folder: &Path, records: u64) -> Result<u64, String> {
    let store = open(folder)?;
    let before = written(folder);
    change(&store, records, records)?;
    // With its last checkpoint.
    drop(store);
    Ok(written(folder) - before)
}

fn change(store: &Arc<dyn UowStore>, records: u64, changes: u64) -> Result<(), String> {
    let all = wait(Datasets::open(store.clone())).map_err(|e| e.to_string())?;
    let name = DatasetName::new("GROWTH.BASE").map_err(|e| e.to_string())?;
    let base = all.dataset(&name).map_err(|e| e.to_string())?;
    for unit in 0..changes / PER_UNIT {
        let uow = UowId::new(Applid::from_field(b"GROWTH"), unit + 1);
        let access = Access::patient(uow, true);
        for place in unit * PER_UNIT..(unit + 1) * PER_UNIT {
            let number = mixed(place % records, records);
            let key = format!("{number:010}");
            let one = async {
                let found = base
                    .read_for_update(access, key.as_bytes(), Find::Equal)
                    .await?;
                let new = record(number, (unit % 20) as u8 + 1);
                base.rewrite(access, &found.position, &new).await
            };
            wait(one).map_err(|e| e.to_string())?;
        }
        wait(store.commit(uow)).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Opens a store whose last user was killed while it changed records; seconds.
fn restart(folder: &Path, records: u64) -> Result<f64, String> {
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut child = Command::new(exe);
    child
        .arg("growth-writer")
        .arg(folder)
        .arg(records.to_string());
    let mut child = child
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        let _said = BufReader::new(out).read_line(&mut line);
    }
    let _killed = child.kill();
    let _gone = child.wait();
    if line.trim() != "changed" {
        return Err("the writer ended early".to_owned());
    }
    let begin = Instant::now();
    open(folder)?;
    Ok(begin.elapsed().as_secs_f64())
}

/// The part of the process that is killed.
pub(crate) fn writer(folder: &str, records: &str) -> Result<(), String> {
    let records: u64 = records.parse().map_err(|_| "records are a number")?;
    let store = open(Path::new(folder))?;
    change(&store, records, KILLED_AFTER.min(records))?;
    println!("changed");
    std::io::stdout().flush().map_err(|e| e.to_string())?;
    loop {
        std::thread::park();
    }
}

fn open(folder: &Path) -> Result<Arc<dyn UowStore>, String> {
    let store = open_local(folder, LocalOptions::default(), Settings::default());
    Ok(Arc::new(store.map_err(|e| e.to_string())?))
}
