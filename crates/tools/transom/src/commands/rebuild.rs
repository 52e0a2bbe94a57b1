//! `transom rebuild`: puts the keys of data sets into the order that transom.toml asks for.

use super::output::{findings, print};
use super::store::opened;
use crate::system::{self, collating};
use clap::Args;
use std::path::PathBuf;
use transom_datasets::{Collating, Datasets};
use transom_recovery::wait;
use transom_utilities::StoreFailure;

#[derive(Debug, Args)]
#[command(
    after_help = "The order is that of `collating` in [region], or the one the store has where \
only tables [data.\"NAME\"] were changed. No region may use the store; make a copy of it first. A \
rebuild that was interrupted goes on when it is run again.

Example:
  transom rebuild my-system"
)]
pub(crate) struct RebuildArgs {
    /// The system directory
    dir: PathBuf,
}

pub(crate) fn run(args: &RebuildArgs) -> Result<(), String> {
    let dir = args.dir.display();
    let (system, found) = system::open(&args.dir)?;
    if findings(&found) > 0 {
        return Err(format!("{dir}: transom.toml has errors; nothing was done"));
    }
    // As a region opens it: another one is refused.
    let store = opened(&system, &args.dir, false)?;
    let failed = |e| StoreFailure::from(e).to_string();
    let mut datasets = wait(Datasets::open(store)).map_err(failed)?;
    let rules = collating::exceptions(&system)?;
    let wanted = collating::wanted(&system);
    let moved = wait(datasets.rebuild(wanted, rules)).map_err(failed)?;
    for name in &moved {
        print(&format!("{name}\n"));
    }
    let order: Collating = datasets.rules().collating;
    print(&format!(
        "{dir}: order {}, {} data sets and indexes were put into it\n",
        order.name(),
        moved.len()
    ));
    Ok(())
}
