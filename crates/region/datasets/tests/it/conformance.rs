//! The one suite, on every store.

use std::sync::Arc;
use transom_datasets::conformance::run;
use transom_datasets::{LocalOptions, MemoryStore, open_local};
use transom_recovery::{Settings, UowStore};

/// Fewer would mean that a table was not read.
const CASES_MIN: usize = 300;

pub(crate) fn check(name: &str, store: Arc<dyn UowStore>) {
    let report = run(&store);
    println!(
        "{name}: {} cases, {} failures",
        report.cases,
        report.failures.len()
    );
    assert!(
        report.failures.is_empty(),
        "{name}:\n{}",
        report.failures.join("\n")
    );
    assert!(
        report.cases >= CASES_MIN,
        "{name}: only {} cases",
        report.cases
    );
}

#[test]
fn memory() {
    check("memory", Arc::new(MemoryStore::in_memory(64 << 20)));
}

#[test]
fn local() {
    let folder = tempfile::tempdir().unwrap();
    let store = open_local(folder.path(), LocalOptions::default(), Settings::default());
    check("LMDB", Arc::new(store.unwrap()));
}
