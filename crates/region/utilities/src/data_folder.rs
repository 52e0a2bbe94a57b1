//! The data of a system directory: its own statements and jobs, run for what does not exist yet.
//!
//! Why apart: `transom run` does it at each start, and a start may be the one after a power
//! failure.

use crate::job::run_text;
use crate::loads;
use crate::options::{Attributes, FileOptions, Folder};
use crate::print::{KEPT_MAX, Kept, SysPrint};
use crate::records::read_text;
use crate::runner::{Runner, today};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use transom_copybook::CodePage;
use transom_copybook::codepage::SourceText;
use transom_datasets::{Condition, DatasetName, Datasets};
use transom_messages::{id, si};
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

/// What was done for a system directory.
#[derive(Debug, Default, Clone)]
pub struct Applied {
    /// What was printed; empty when there was nothing to do.
    pub listing: String,
    /// Highest condition code: 0, 4, 8, 12 or 16.
    pub code: u8,
}

impl Applied {
    fn failed(text: &dyn std::fmt::Display) -> Self {
        let listing = format!("{text}\n");
        Self { listing, code: 16 }
    }

    fn append(&mut self, other: &Self) {
        self.code = self.code.max(other.code);
        if self.listing.len() + other.listing.len() < KEPT_MAX {
            self.listing.push_str(&other.listing);
        }
    }
}

/// Executes `texts`, the statements and jobs of `DIR/data/`, for entries that do not exist yet:
/// DEFINE of others and every DELETE of them are left out, and loads into others but for clusters
/// that are empty and never were loaded. Files with the names
/// of data sets are looked for in that folder too; what steps write goes to `DIR/.transom/data`.
///
/// What a text defined is deleted again when a command of it failed, so that the next start does
/// not take it for loaded. The listing holds only texts that had something to do. What a text
/// defines is marked until its run has ended: a run that was killed in between is done again.
pub fn apply(
    dir: &Path,
    texts: &[PathBuf],
    page: &'static CodePage,
    datasets: &Datasets,
) -> Applied {
    let folder = dir.join(DATA_FOLDER);
    let mut applied = Applied::default();
    let owner = UowId::new(Applid::from_field(b"IDCAMS"), 2);
    if let Err(condition) = begin_apply(datasets, owner, &mut applied) {
        let text = id::store_answered(condition);
        applied.append(&Applied::failed(&text));
        return applied;
    }
    let files = FileOptions {
        folders: vec![Folder {
            path: folder.clone(),
            attributes: Attributes::default(),
        }],
        libraries: vec![folder],
        output: output_folder(dir),
        source_page: Some(page),
        ..FileOptions::default()
    };
    for path in texts {
        let name = path.strip_prefix(dir).unwrap_or(path).display().to_string();
        match read_text(path, page) {
            Ok(text) => applied.append(&apply_text(datasets, &files, &name, &text)),
            Err(failure) => applied.append(&Applied::failed(&failure.text)),
        }
    }
    datasets.store().release(owner);
    applied
}

/// One process at a time loads into a store that several share; then what an earlier run left half
/// loaded is deleted, so that it is made again.
fn begin_apply(datasets: &Datasets, owner: UowId, applied: &mut Applied) -> Result<(), Condition> {
    let until = Wait::Until(Instant::now() + APPLY_WAIT);
    wait(
        datasets
            .store()
            .lock(owner, "catalog/loads", b"apply", until),
    )?;
    let done = wait(datasets.reload())
        .and_then(|()| delete_unfinished(datasets, applied))
        .and_then(|()| loads::empty_unfinished(datasets));
    let done = done.map(|told| {
        for message in told {
            applied.listing.push_str(message.line());
            applied.listing.push('\n');
        }
    });
    if done.is_err() {
        datasets.store().release(owner);
    }
    done
}

fn delete_unfinished(datasets: &Datasets, applied: &mut Applied) -> Result<(), Condition> {
    for entry in datasets.entries() {
        // It may have gone with its base.
        if entry.extra().loading && datasets.entry(entry.name()).is_some() {
            wait(datasets.delete(entry.name()))?;
            let name = entry.name();
            applied.listing.push_str(id::made_again(name).line());
            applied.listing.push('\n');
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

fn apply_text(datasets: &Datasets, files: &FileOptions, name: &str, text: &SourceText) -> Applied {
    let names = || {
        let entries = datasets.entries();
        let names = entries.iter().map(|e| e.name().to_string());
        names.collect::<BTreeSet<_>>()
    };
    let before = names();
    let mut kept = Kept::default();
    if text.ebcdic {
        kept.line(si::ebcdic_source(name, files.page().name).line());
    }
    let mut runner = Runner::new(datasets, files, today(), &mut kept);
    runner.existing = Some(before.clone());
    let mut code = run_text(&mut runner, name, &text.text, &[]);
    let (filling, filled, told) = (runner.filling, runner.filled, runner.told);
    let made: Vec<String> = names().difference(&before).cloned().collect();
    if made.is_empty() && filling.is_empty() && !told && code == 0 {
        return Applied::default();
    }
    let made: Vec<DatasetName> = made
        .iter()
        .filter_map(|n| DatasetName::new(n).ok())
        .collect();
    let failed = code >= FAILED;
    // What is filled but was not marked when it was defined: REPRO of nothing counts too.
    let filled: Vec<DatasetName> = filled.union(&filling).cloned().collect();
    if !failed && let Err(condition) = wait(datasets.loaded(&made, &filled)) {
        kept.line(id::store_answered(condition).line());
        code = 16;
    }
    for cluster in filling.iter().filter(|_| failed) {
        match loads::empty(datasets, cluster) {
            Ok(()) => kept.line(id::done(cluster, "is emptied again").line()),
            Err(condition) => kept.line(id::store_answered(condition).line()),
        }
    }
    for entry in made.iter().filter(|_| failed) {
        if datasets.entry(entry).is_some() && wait(datasets.delete(entry)).is_ok() {
            kept.line(id::done(entry, "is deleted again").line());
        }
    }
    let mut listing = kept.text().trim_end().to_owned();
    if !listing.is_empty() {
        listing.push('\n');
    }
    Applied { listing, code }
}
