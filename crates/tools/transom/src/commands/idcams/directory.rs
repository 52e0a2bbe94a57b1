//! The data of a system directory: its own statements and jobs, run for what does not exist yet.
//!
//! Why apart: `transom run` does it at each start, and a start may be the one after a power
//! failure.

use super::options::{Attributes, FileOptions, Folder};
use super::places::{Generations, Temporary};
use super::report::Report;
use super::run_text;
use super::runner::{Runner, today};
use crate::system::{files as files_below, read_text};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use transom_datasets::{Condition, DatasetName, Datasets};
use transom_recovery::{UowId, Wait, wait};
use transom_types::Applid;

/// Folder of a system directory with statements that `transom run` executes, and their data.
const DATA_FOLDER: &str = "data";
/// Folder of a system directory for what jobs of [`DATA_FOLDER`] write.
const OUTPUT_FOLDER: &str = ".transom/data";
/// How long a run waits for another one that loads into the same store.
const APPLY_WAIT: Duration = Duration::from_secs(600);
/// From this condition code on a load is not complete.
const FAILED: u8 = 8;

/// Executes the statements and jobs of `DIR/data/` for entries that do not exist yet: DEFINE of
/// others, loads into others and every DELETE of them are left out. Files with the names of data
/// sets are looked for in that folder too; what steps write goes to `DIR/.transom/data`. What a
/// file defined is deleted again when a command of it failed, so that the next start does not take
/// it for loaded. The report holds only files that had something to do. What a file defines is
/// marked until its run has ended: a run that was killed in between is done again.
pub(crate) fn apply(dir: &Path, datasets: &Datasets) -> Report {
    let folder = dir.join(DATA_FOLDER);
    let mut report = Report::keeping();
    let owner = UowId::new(Applid::from_field(b"IDCAMS"), 2);
    if let Err(condition) = begin_apply(datasets, owner, &mut report) {
        report.line(format!("TXMID0059E the store answered: {condition}"));
        report.max = 16;
        return report;
    }
    let files = FileOptions {
        folders: vec![Folder {
            path: folder.clone(),
            attributes: Attributes::default(),
        }],
        libraries: vec![folder.clone()],
        output: output_folder(dir),
        ..FileOptions::default()
    };
    for path in files_below(&folder, &["idcams", "jcl"]) {
        let name = path
            .strip_prefix(dir)
            .unwrap_or(&path)
            .display()
            .to_string();
        match read_text(&path) {
            Ok(text) => report.append(apply_text(datasets, &files, &name, &text)),
            Err(text) => {
                report.line(text);
                report.max = 16;
            }
        }
    }
    datasets.store().release(owner);
    report
}

/// One process at a time loads into a store that several share; then what an earlier run left half
/// loaded is deleted, so that it is made again.
fn begin_apply(datasets: &Datasets, owner: UowId, report: &mut Report) -> Result<(), Condition> {
    let until = Wait::Until(Instant::now() + APPLY_WAIT);
    wait(
        datasets
            .store()
            .lock(owner, "catalog/loads", b"apply", until),
    )?;
    let done = wait(datasets.reload()).and_then(|()| delete_unfinished(datasets, report));
    if done.is_err() {
        datasets.store().release(owner);
    }
    done
}

fn delete_unfinished(datasets: &Datasets, report: &mut Report) -> Result<(), Condition> {
    for entry in datasets.entries() {
        // It may have gone with its base.
        if entry.extra().loading && datasets.entry(entry.name()).is_some() {
            wait(datasets.delete(entry.name()))?;
            let name = entry.name();
            report.line(format!(
                "TXMID0073I {name} was left half loaded by a run that did not end; it is made again"
            ));
        }
    }
    Ok(())
}

/// Where steps of a directory's own jobs write.
fn output_folder(dir: &Path) -> Option<Folder> {
    let path = dir.join(OUTPUT_FOLDER);
    std::fs::create_dir_all(&path).ok()?;
    Some(Folder {
        path,
        attributes: Attributes::default(),
    })
}

fn apply_text(datasets: &Datasets, files: &FileOptions, name: &str, text: &str) -> Report {
    let names = || {
        datasets
            .entries()
            .iter()
            .map(|e| e.name().to_string())
            .collect::<BTreeSet<_>>()
    };
    let mut report = Report::keeping();
    let before = names();
    let mut runner = Runner {
        datasets,
        files,
        report: &mut report,
        existing: Some(before.clone()),
        generations: Generations::default(),
        temporary: Temporary::default(),
        today: today(),
    };
    let code = run_text(&mut runner, name, text, &[]);
    report.max = code;
    let made: Vec<String> = names().difference(&before).cloned().collect();
    if made.is_empty() && code == 0 {
        return Report::keeping();
    }
    let made: Vec<DatasetName> = made
        .iter()
        .filter_map(|n| DatasetName::new(n).ok())
        .collect();
    if code < FAILED
        && let Err(condition) = wait(datasets.loaded(&made))
    {
        report.line(format!("TXMID0059E the store answered: {condition}"));
        report.max = 16;
    }
    if code >= FAILED {
        for entry in &made {
            if datasets.entry(entry).is_some() && wait(datasets.delete(entry)).is_ok() {
                report.line(format!("TXMID0023I {entry} is deleted again"));
            }
        }
    }
    report
}
