//! Datasets and stores.
mod backup;
mod compact;
mod conformance;
mod crash;
mod full;
mod local;
mod log;
mod postgres;
mod postgres_faults;
mod readers;
mod stale;
mod tables;

use std::os::fd::AsRawFd;
use std::path::Path;
use transom_datasets::{LocalStore, ReadOnlyStore};
use transom_recovery::Upkeep;

/// In the environment of a process that reads like a worker: where its memory is.
const PLACES: &str = "TRANSOM_TEST_READER_PLACES";

/// For a process that is to read like a worker.
fn places(store: &LocalStore) -> String {
    let memory = store.reader_places().unwrap();
    format!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd())
}

/// The store in such a process; in others that of a utility.
fn read_only(folder: &Path) -> ReadOnlyStore {
    match std::env::var_os(PLACES) {
        Some(places) => ReadOnlyStore::open_in_worker(folder, places.as_ref()).unwrap(),
        None => ReadOnlyStore::open(folder).unwrap(),
    }
}
