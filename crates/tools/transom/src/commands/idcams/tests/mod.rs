//! Statements and jobs against a store in memory.

mod alter;
mod carddemo;
mod directory;
mod jobs;
mod records;
mod statements;
mod whole;

use super::options::{DdOption, FileOptions, Folder};
use super::places::{Generations, Temporary};
use super::report::Report;
use super::runner::Runner;
use super::{apply, job, run_text};
use std::path::Path;
use std::sync::Arc;
use transom_copybook::CodePage;
use transom_datasets::{DatasetName, Datasets, Entry, Find, MemoryStore, Organization, Start};
use transom_recovery::{Direction, wait};

fn datasets() -> Datasets {
    wait(Datasets::open(Arc::new(MemoryStore::in_memory(1 << 28)))).unwrap()
}

/// Runs a text; answers what was printed and the condition code.
fn run(datasets: &Datasets, files: &FileOptions, text: &str) -> (String, u8) {
    let mut report = Report::keeping();
    let mut runner = Runner {
        datasets,
        files,
        report: &mut report,
        existing: None,
        generations: Generations::default(),
        temporary: Temporary::default(),
        today: 20_778,
    };
    let code = run_text(&mut runner, "test", text, &[]);
    (report.text().to_owned(), code)
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
