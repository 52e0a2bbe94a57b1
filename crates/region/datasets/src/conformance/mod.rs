//! One suite for every store.
//!
//! What: scripted cases of the `UowStore` contract, scans compared with a model, datasets over the
//! store. Why: LMDB, memory and PostgreSQL must not differ in what programs see. Not here:
//! durability and crashes (tests of each store), speed. [`Cluster`] is the server the PostgreSQL
//! store is tested with.

mod alter;
mod cluster;
mod customers;
mod datasets;
mod indexes;
mod order;
mod report;
mod scans;
mod script;
mod waiting;

pub use cluster::{Cluster, ClusterError};
pub use report::Report;

use std::sync::Arc;
use transom_recovery::UowStore;

/// Runs all cases on an empty store; they use tables of their own.
#[must_use]
pub fn run(store: &Arc<dyn UowStore>) -> Report {
    let mut report = Report::default();
    script::run(store, &mut report);
    scans::run(store, &mut report);
    datasets::run(store, &mut report);
    waiting::run(store, &mut report);
    // The same again with keys in the order of z/OS.
    if let Err(condition) = order::settle(store) {
        report.check("order: settled", Some(condition), None);
        return report;
    }
    datasets::run(store, &mut report);
    order::run(store, &mut report);
    report
}
