//! Damaged files: changed bytes, broken headers, cut files.
//!
//! What: bytes of a store's data file are changed; a child opens it and reads every record. What is changed in a record is
//! named with table and key, a broken header is a clear refusal, and nothing ends the process. Why a child: a map of a
//! damaged file can end a process in ways no program can catch. Not here: how a store is repaired; it is not, its
//! backup is used.

use crate::child::{self, Life, MAP_BYTES};
use crate::plan::{Plan, myself};
use crate::report::Part;
use crate::rng::Rng;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use transom_datasets::{LocalOptions, check_structure, open_local};
use transom_recovery::{Change, Settings, StoreError, UowStore as _, Wait, Write, wait};

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
}

/// The child: 0 without damage, 8 with, 16 when the store cannot be opened or read.
pub(crate) fn read(args: &ReadArgs) -> ExitCode {
    let options = LocalOptions {
        map_bytes: MAP_BYTES,
    };
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
            let result = one(plan, &spoiled, &mut figures);
            part.case(&format!("{name}, {number}: {}", spoiled.what), result);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    part.notes.push(format!(
        "{} named, {} refused with a message, {} without effect on any record",
        figures.named, figures.refused, figures.nothing
    ));
    part
}

#[derive(Default)]
struct Figures {
    named: u64,
    refused: u64,
    nothing: u64,
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
    let life = read_in_child(&folder)?;
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

fn read_in_child(folder: &Path) -> Result<Life, String> {
    let mut command = Command::new(myself());
    command.arg("read").arg("--folder").arg(folder);
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
