//! One suite for every store.
//!
//! What: scripted cases of the `UowStore` contract, scans compared with a model, datasets over the
//! store. Why: LMDB, memory and PostgreSQL must not differ in what programs see. Not here:
//! durability and crashes (tests of each store), speed. [`Cluster`] is the server the PostgreSQL
//! store is tested with.

mod alter;
mod cluster;
mod datasets;
mod indexes;
mod scans;
mod script;
mod waiting;

pub use cluster::Cluster;

use std::sync::Arc;
use transom_recovery::UowStore;

/// What a run found.
#[derive(Debug, Default)]
pub struct Report {
    /// Checks made.
    pub cases: usize,
    /// What went wrong, one line each.
    pub failures: Vec<String>,
}

impl Report {
    /// One check.
    pub(crate) fn check<T: PartialEq + std::fmt::Debug>(
        &mut self,
        case: &str,
        got: T,
        expected: T,
    ) {
        self.cases += 1;
        if got != expected {
            self.failures
                .push(format!("{case}: expected {expected:?}, got {got:?}"));
        }
    }
}

/// Runs all cases on an empty store; they use tables of their own.
#[must_use]
pub fn run(store: &Arc<dyn UowStore>) -> Report {
    let mut report = Report::default();
    script::run(store, &mut report);
    scans::run(store, &mut report);
    datasets::run(store, &mut report);
    waiting::run(store, &mut report);
    report
}
