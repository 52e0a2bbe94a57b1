//! Data of users that look like records of the store's log.
//!
//! What: records full of heads such as the log has, with generations, numbers and checksums that
//! fit, are written to a store that is opened again and again, after orderly ends and after kills.
//! Each start must succeed and find every record. Why: the log's files are used again without being
//! erased, so such bytes lie behind its last record. Not here: real damage (`damage`).

use crate::plan::Plan;
use crate::rng::Rng;
use std::path::Path;
use transom_datasets::{LocalOptions, LocalStore, open_local};
use transom_recovery::{
    Change, Lock, Match, Records, Settings, StoreError, Units, Upkeep, Wait, Write, wait,
};

const TABLE: &str = "file/FORGED";
const FILES: [&str; 5] = ["data.mdb", "log.0", "log.1", "checkpoint", "sums"];
/// Starts of one store.
const STARTS: u32 = 12;

/// One store: fills it with forged bytes, ends, starts, and reads everything back.
pub(crate) fn one(plan: &Plan, rng: &mut Rng) -> Result<(), String> {
    let folder = plan.folder("forged")?;
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for start in 0..STARTS {
        let shown = |e: StoreError| format!("start {start}: {e}");
        let store = open(&folder).map_err(shown)?;
        if start == 0 {
            wait(store.define(TABLE)).map_err(shown)?;
        }
        for (n, expected) in kept.iter().enumerate() {
            let key = (n as u32).to_be_bytes();
            let row = wait(store.read(None, TABLE, &key, Match::Equal, Lock::None));
            if row.map_err(shown)?.map(|row| row.record).as_ref() != Some(expected) {
                return Err(format!(
                    "start {start}: record {n} is missing or another one"
                ));
            }
        }
        for _ in 0..1 + rng.below(4) {
            let record = heads(rng);
            let key = (kept.len() as u32).to_be_bytes();
            let write = Write::new(TABLE, key, Change::Put(record.clone()));
            wait(store.write_now(None, vec![write], Wait::No)).map_err(shown)?;
            kept.push(record);
        }
        if rng.coin() {
            kill(plan, &folder, store)?;
        }
    }
    Ok(())
}

fn open(folder: &Path) -> Result<LocalStore, StoreError> {
    let options = LocalOptions {
        log_bytes: 48 << 10,
        ..LocalOptions::default()
    };
    open_local(folder, options, Settings::default())
}

/// Puts the files back as they were before the orderly end of the store.
fn kill(plan: &Plan, folder: &Path, store: LocalStore) -> Result<(), String> {
    let copy = plan.folder("forged-copy")?;
    let all = |from: &Path, to: &Path| {
        FILES
            .iter()
            .try_for_each(|name| std::fs::copy(from.join(name), to.join(name)).map(drop))
            .map_err(|e| e.to_string())
    };
    all(folder, &copy)?;
    drop(store);
    all(&copy, folder)
}

/// Some hundred heads at every alignment: both formats of the log, small generations, plausible
/// numbers, right checksums.
fn heads(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..400 {
        let mut head = [0; 33];
        head[..4].copy_from_slice([b"TXML", b"TXM2"][rng.below(2) as usize]);
        head[8..16].copy_from_slice(&rng.below(60).to_le_bytes());
        head[16..24].copy_from_slice(&rng.below(200).to_le_bytes());
        let crc = crc32fast::hash(&head[4..24]).to_le_bytes();
        head[24..28].copy_from_slice(&crc);
        bytes.extend(head);
    }
    bytes
}
