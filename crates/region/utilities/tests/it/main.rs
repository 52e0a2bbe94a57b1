//! Statements and jobs against a store in memory.

mod alter;
mod carddemo;
mod directory;
mod forward;
mod jobs;
mod loads;
mod records;
mod statements;
mod unsorted;
mod whole;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_copybook::CodePage;
use transom_datasets::{DatasetName, Datasets, Entry, Find, MemoryStore, Organization, Start};
use transom_recovery::{Direction, wait};
use transom_utilities::{Applied, DdOption, FileOptions, Folder, Kept, Utilities};

/// 2026-11-21.
const TODAY: u64 = 20_778;

fn datasets() -> Datasets {
    wait(Datasets::open(Arc::new(MemoryStore::in_memory(1 << 28)))).unwrap()
}

/// Runs a text; answers what was printed and the condition code.
fn run(datasets: &Datasets, files: &FileOptions, text: &str) -> (String, u8) {
    let utilities = Utilities {
        datasets,
        files,
        today: TODAY,
    };
    let mut printed = Kept::default();
    let code = utilities.run("test", text, &[], &mut printed);
    (printed.text().to_owned(), code)
}

/// What a start does with the statements and jobs of `DIR/data`.
fn apply(dir: &Path, datasets: &Datasets) -> Applied {
    let entries = std::fs::read_dir(dir.join("data")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_text = |path: &PathBuf| {
        let ending = path.extension().and_then(|e| e.to_str());
        matches!(ending, Some("idcams" | "jcl"))
    };
    let mut texts: Vec<PathBuf> = paths.filter(is_text).collect();
    texts.sort();
    transom_utilities::apply(dir, &texts, CodePage::all()[0], datasets)
}

fn count(datasets: &Datasets, name: &str) -> u64 {
    let dataset = datasets.dataset(&DatasetName::new(name).unwrap()).unwrap();
    wait(dataset.count()).unwrap()
}

fn dd(text: String) -> FileOptions {
    FileOptions {
        dds: text
            .split(';')
            .map(|t| DdOption::parse(t).unwrap())
            .collect(),
        ..FileOptions::default()
    }
}
