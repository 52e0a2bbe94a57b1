//! Damaged files: changed bytes, broken headers, cut files.
//!
//! What: bytes of a store's data file are changed; a child opens it and reads every record. What is
//! changed in a record is named with table and key, a broken header is a clear refusal, and nothing
//! ends the process. Why a child: a map of a damaged file can end a process in ways no program can
//! catch. Not here: how a store is repaired; it is not, its backup is used.

use crate::child::{self, Life, MAP_BYTES};
use crate::forged;
use crate::plan::{Plan, myself};
use crate::report::Part;
use crate::rng::Rng;
use std::fs::File;
use std::ops::Bound;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use transom_datasets::{LocalOptions, check_structure, open_local};
use transom_messages as messages;
use transom_recovery::{
    Change, Direction, Lock, Match, Settings, StoreError, Units, UowStore, Upkeep, Wait, Write,
    wait,
};

const TABLE: &str = "file/TEXTS";
/// Records of the store that is damaged.
const RECORDS: u32 = 2_000;
/// Bytes of the two pages with the roots of the store.
const HEADER: usize = 8_192;
/// Exit codes of the reader, as of `transom verify`.
const DAMAGED: u8 = 8;
const REFUSED: u8 = 16;

/// What a reading child does.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadArgs {
    /// Folder of the store
    #[arg(long)]
    folder: PathBuf,
    /// Bytes the data file gets while the store is open; then its records are read as by a running
    /// region
    #[arg(long)]
    then: Option<PathBuf>,
}

/// The child: 0 without damage, 8 with, 16 when the store cannot be opened or read.
pub(crate) fn read(args: &ReadArgs) -> ExitCode {
    let options = LocalOptions {
        map_bytes: MAP_BYTES,
        ..LocalOptions::default()
    };
    if let Some(bytes) = &args.then {
        return match open_local(&args.folder, options, Settings::default()) {
            Ok(store) => read_damaged(&store, &args.folder, bytes),
            Err(error) => {
                println!("{error}");
                ExitCode::from(REFUSED)
            }
        };
    }
    let damage = check_structure(&args.folder)
        .and_then(|()| open_local(&args.folder, options, Settings::default()))
        .and_then(|store| wait(store.verify("")));
    match damage {
        Ok(damage) if damage.is_empty() => ExitCode::SUCCESS,
        Ok(damage) => {
            for place in damage {
                println!("{} {}", place.table, String::from_utf8_lossy(&place.key));
            }
            ExitCode::from(DAMAGED)
        }
        Err(error) => {
            println!("{error}");
            ExitCode::from(REFUSED)
        }
    }
}

/// Damages an open store, then reads each record by its key, then all of them in both directions,
/// as far as it goes.
fn read_damaged(store: &impl UowStore, folder: &Path, bytes: &Path) -> ExitCode {
    let written = std::fs::read(bytes).and_then(|bytes| {
        let file = File::options().write(true).open(folder.join("data.mdb"))?;
        file.write_all_at(&bytes, 0)
    });
    if let Err(error) = written {
        println!("{error}");
        return ExitCode::FAILURE;
    }
    let mut wrong = 0;
    for n in 0..RECORDS {
        let key = format!("KEY{n:05}");
        match wait(store.read(None, TABLE, key.as_bytes(), Match::Equal, Lock::None)) {
            Ok(Some(row)) if row.record == text(n) => {}
            Ok(Some(row)) => {
                println!("{TABLE} {key} is another record: {:?}", row.record);
                return ExitCode::FAILURE;
            }
            Ok(None) | Err(_) => wrong += 1,
        }
    }
    for direction in [Direction::Forward, Direction::Backward] {
        let rows = store.scan(
            None,
            TABLE,
            Bound::Unbounded,
            &[],
            direction,
            RECORDS as usize,
        );
        wrong += u32::from(wait(rows).is_err());
    }
    ExitCode::from(if wrong > 0 { DAMAGED } else { 0 })
}

/// Runs the part.
pub(crate) fn run(plan: &Plan) -> Part {
    let mut part = Part::default();
    let whole = match make(plan) {
        Ok(bytes) => bytes,
        Err(text) => {
            part.case("the store", Err(text));
            return part;
        }
    };
    let each = plan.pick(200, 15);
    let bar = plan.bar("damage", 4 * each as usize);
    let mut figures = Figures::default();
    type Spoil = fn(&[u8], &mut Rng) -> Spoiled;
    let kinds: [(&str, Spoil); 4] = [
        ("a record", a_record),
        ("the header", the_header),
        ("any page", any_page),
        ("a cut file", a_cut_file),
    ];
    for number in 0..each {
        for (kind, (name, spoil)) in kinds.iter().enumerate() {
            if plan.is_late() {
                continue;
            }
            let mut rng = Rng::of_case(plan.seed, 5, number * 4 + kind as u64);
            let spoiled = spoil(&whole, &mut rng);
            let mut result = one(plan, &spoiled, &mut figures);
            if result.is_ok() && spoiled.bytes.len() == whole.len() && kind != 1 {
                result = while_open(plan, &whole, &spoiled, &mut figures);
            }
            part.case(&format!("{name}, {number}: {}", spoiled.what), result);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    for number in 0..plan.pick(40, 4) {
        if !plan.is_late() {
            let mut rng = Rng::of_case(plan.seed, 11, number);
            part.case(&format!("forged, {number}"), forged::one(plan, &mut rng));
        }
    }
    part.notes.push(format!(
        "{} named, {} refused with a message, {} without effect on any record",
        figures.named, figures.refused, figures.nothing
    ));
    let [nothing, refused, ended] = figures.open;
    part.notes.push(format!(
        "while the store was open: {nothing} without effect, {refused} with records refused or not found, {ended} ended the process"
    ));
    part
}

#[derive(Default)]
struct Figures {
    named: u64,
    refused: u64,
    nothing: u64,
    /// Of damage to an open store: without effect, refused or not found, end of the process.
    open: [u64; 3],
}

/// A damaged data file.
struct Spoiled {
    bytes: Vec<u8>,
    what: String,
    /// Key of the record that must be named.
    key: Option<String>,
}

fn make(plan: &Plan) -> Result<Vec<u8>, String> {
    let folder = plan.folder("damage-whole")?;
    let make = || -> Result<(), StoreError> {
        let options = LocalOptions {
            map_bytes: MAP_BYTES,
            ..LocalOptions::default()
        };
        let store = open_local(&folder, options, Settings::default())?;
        wait(store.define(TABLE))?;
        let write = |n: u32| Write::new(TABLE, format!("KEY{n:05}"), Change::Put(text(n)));
        wait(store.write_now(None, (0..RECORDS).map(write).collect(), Wait::No))?;
        // Both headers have been written, and there are pages that are free again.
        wait(store.write_now(None, vec![write(1)], Wait::No))?;
        wait(store.write_now(None, vec![write(2)], Wait::No))
    };
    make().map_err(|e| e.to_string())?;
    std::fs::read(folder.join("data.mdb")).map_err(|e| e.to_string())
}

fn text(n: u32) -> Vec<u8> {
    format!("RECORD NUMBER {n:05} WITH A TEXT BEHIND IT").into_bytes()
}

fn one(plan: &Plan, spoiled: &Spoiled, figures: &mut Figures) -> Result<(), String> {
    let folder = plan.folder("damage")?;
    std::fs::write(folder.join("data.mdb"), &spoiled.bytes).map_err(|e| e.to_string())?;
    let life = read_in_child(&folder, None)?;
    let Some(code) = life.status.code() else {
        return Err(format!("the process was ended: {}", life.status));
    };
    match u8::try_from(code) {
        Ok(0) => figures.nothing += 1,
        Ok(DAMAGED) => figures.named += 1,
        Ok(REFUSED) if life.said.iter().any(|l| !l.is_empty()) => figures.refused += 1,
        _ => return Err(format!("exit code {code}: {}", life.complaints)),
    }
    match &spoiled.key {
        Some(key) if !life.said.contains(&format!("{TABLE} {key}")) => {
            Err(format!("{key} was not named: {:?}", life.said))
        }
        _ => Ok(()),
    }
}

/// The same damage while the store is open. No page is looked at then: a process may end, but no
/// record is another one.
fn while_open(
    plan: &Plan,
    whole: &[u8],
    spoiled: &Spoiled,
    figures: &mut Figures,
) -> Result<(), String> {
    let folder = plan.folder("damage")?;
    let then = folder.join("spoiled");
    let written = std::fs::write(folder.join("data.mdb"), whole)
        .and_then(|()| std::fs::write(&then, &spoiled.bytes));
    written.map_err(|e| e.to_string())?;
    let life = read_in_child(&folder, Some(&then))?;
    match life.status.code().map(u8::try_from) {
        Some(Ok(0)) => figures.open[0] += 1,
        Some(Ok(DAMAGED)) => figures.open[1] += 1,
        Some(_) => return Err(format!("while open: {:?} {}", life.said, life.complaints)),
        None if life.complaints.contains(messages::rm::page_damaged().id()) => figures.open[2] += 1,
        None => return Err(format!("while open: {} without a message", life.status)),
    }
    Ok(())
}

fn read_in_child(folder: &Path, then: Option<&Path>) -> Result<Life, String> {
    let mut command = Command::new(myself());
    command.arg("read").arg("--folder").arg(folder);
    if let Some(then) = then {
        command.arg("--then").arg(then);
    }
    child::run(command, Duration::from_secs(20))
}

/// Every copy of a record's text gets a changed byte: older pages may have one, too.
fn a_record(whole: &[u8], rng: &mut Rng) -> Spoiled {
    let n = rng.below(u64::from(RECORDS)) as u32;
    let wanted = text(n);
    let at = rng.below(wanted.len() as u64) as usize;
    let bit = 1 << rng.below(8);
    let mut bytes = whole.to_vec();
    let places: Vec<usize> = bytes
        .windows(wanted.len())
        .enumerate()
        .filter_map(|(i, w)| (w == wanted).then_some(i))
        .collect();
    for place in &places {
        if let Some(byte) = bytes.get_mut(place + at) {
            *byte ^= bit;
        }
    }
    Spoiled {
        bytes,
        what: format!("bit {bit} of byte {at} of record {n}"),
        key: Some(format!("KEY{n:05}")),
    }
}

fn the_header(whole: &[u8], rng: &mut Rng) -> Spoiled {
    let mut bytes = whole.to_vec();
    let from = [0, HEADER / 2][rng.below(2) as usize];
    let (both, kind) = (rng.coin(), rng.below(3));
    let header = match both {
        true => 0..HEADER,
        false => from..from + HEADER / 2,
    };
    let what = format!("kind {kind} in {header:?}");
    for byte in bytes.get_mut(header).into_iter().flatten() {
        match kind {
            0 => *byte = 0,
            1 => *byte = rng.next() as u8,
            _ if rng.below(60) == 0 => *byte ^= 1 << rng.below(8),
            _ => {}
        }
    }
    Spoiled {
        bytes,
        what,
        key: None,
    }
}

fn any_page(whole: &[u8], rng: &mut Rng) -> Spoiled {
    let mut bytes = whole.to_vec();
    let length = (bytes.len() - HEADER) as u64;
    let (at, count) = (HEADER as u64 + rng.below(length), 1 + rng.below(64));
    for i in at..at + count {
        if let Some(byte) = bytes.get_mut(i as usize) {
            *byte = rng.next() as u8;
        }
    }
    Spoiled {
        bytes,
        what: format!("{count} bytes at {at} of {}", whole.len()),
        key: None,
    }
}

fn a_cut_file(whole: &[u8], rng: &mut Rng) -> Spoiled {
    let length = rng.below(whole.len() as u64) as usize;
    Spoiled {
        bytes: whole.get(..length).unwrap_or_default().to_vec(),
        what: format!("{length} of {} bytes", whole.len()),
        key: None,
    }
}
