//! `transom verify`: reads every record of a system directory's store and names the damaged ones.

use super::store::open_datasets;
use crate::commands::output::print;
use crate::system::SystemDirectory;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use transom_datasets::{Datasets, Entry, check_structure};
use transom_idcams::listing;
use transom_recovery::{Damage, StoreError, wait};

#[derive(Debug, Args)]
#[command(
    after_help = "The exit code is 0 without damage, 8 with, 16 when the store cannot be opened.

Example:
  transom verify my-system"
)]
pub(crate) struct VerifyArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
}

pub(crate) fn run(args: &VerifyArgs) -> ExitCode {
    match execute(&args.dir) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(8),
        Err(text) => {
            eprintln!("{text}");
            ExitCode::from(16)
        }
    }
}

fn execute(dir: &Path) -> Result<bool, String> {
    check_pages(dir)?;
    let datasets = open_datasets(dir)?;
    let store = datasets.store();
    let failed = |e| format!("TXMID0059E the store answered: {e}");
    let damaged = wait(store.verify("")).map_err(failed)?;
    for damage in &damaged {
        print(&format!("{}\n", shown(&datasets, damage)));
    }
    if !damaged.is_empty() {
        return Ok(false);
    }
    for doubt in wait(store.in_doubt()).map_err(failed)? {
        let (uow, waits) = (doubt.uow, doubt.untold);
        let why = waits.map_or_else(
            || "its coordinator".to_owned(),
            |waits| format!("store {}", waits.partner),
        );
        print(&format!("TXMID0079W unit of work {uow} waits for {why}\n"));
    }
    let mut records = 0;
    let clusters = datasets
        .entries()
        .into_iter()
        .filter_map(|entry| match entry {
            Entry::Cluster(cluster) => Some(cluster),
            _ => None,
        });
    let mut count = 0;
    for cluster in clusters {
        let there = datasets.dataset(&cluster.name);
        let there = there.map_err(|e| format!("TXMID0059E the store answered: {e}"))?;
        records += wait(store.count(there.table())).map_err(failed)?;
        count += 1;
    }
    print(&format!(
        "TXMID0065I {records} records of {count} data sets, no damage\n"
    ));
    Ok(true)
}

/// Pages that do not belong together could end this process once they are mapped.
fn check_pages(dir: &Path) -> Result<(), String> {
    let Ok((system, _)) = SystemDirectory::open(dir) else {
        // Opening the data sets says why.
        return Ok(());
    };
    match check_structure(&system.config.data.folder(&system.root)) {
        // A running region is told of when the data sets are opened.
        Ok(()) | Err(StoreError::InUse(_)) => Ok(()),
        Err(error) => Err(format!("TXMID0059E the store answered: {error}")),
    }
}

/// A damaged record in the user's words.
pub(super) fn shown(datasets: &Datasets, damage: &Damage) -> String {
    let known = datasets.name_of_table(&damage.table);
    let name = match known.map(|name| (damage.table.starts_with("aix/"), name)) {
        Some((false, name)) => name.to_string(),
        Some((true, name)) => format!("alternate index {name}"),
        None => damage.table.clone(),
    };
    format!(
        "TXMID0064E a damaged record: {name}, key {}",
        listing::key(&damage.key)
    )
}
