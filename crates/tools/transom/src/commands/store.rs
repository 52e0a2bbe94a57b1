//! The catalog of a system directory while no region runs on its store.

use super::output::findings;
use crate::system::{self, SystemDirectory, collating};
use std::path::Path;
use std::sync::Arc;
use transom_datasets::Datasets;
use transom_messages as messages;
use transom_recovery::{StoreError, UowStore, wait};
use transom_utilities::StoreFailure;

/// The catalog in the store of a system directory, to define and change data sets.
pub(super) fn open_datasets(dir: &Path) -> Result<Datasets, String> {
    let (system, mut datasets) = catalog(dir)?;
    collating::settle(&system, &mut datasets)?;
    Ok(datasets)
}

/// The same to look at it, whatever order it is in.
pub(super) fn seen_datasets(dir: &Path) -> Result<Datasets, String> {
    let (system, mut datasets) = catalog(dir)?;
    // A store that is new becomes one; another order is no reason not to look.
    let _settled = collating::settle(&system, &mut datasets);
    Ok(datasets)
}

fn catalog(dir: &Path) -> Result<(SystemDirectory, Datasets), String> {
    let system = sound(dir)?;
    let store = opened(&system, dir, true)?;
    let datasets = wait(Datasets::open(store)).map_err(|e| StoreFailure::from(e).to_string())?;
    Ok((system, datasets))
}

/// A system directory whose settings have no errors.
pub(super) fn sound(dir: &Path) -> Result<SystemDirectory, String> {
    let (system, found) = system::open(dir)?;
    let dir = dir.display();
    match findings(&found) {
        0 => Ok(system),
        _ => Err(format!("{dir}: transom.toml has errors; nothing was run")),
    }
}

/// The store.
pub(super) fn opened(
    system: &SystemDirectory,
    dir: &Path,
    utility: bool,
) -> Result<Arc<dyn UowStore>, String> {
    let opened = system::store::open(system, utility);
    let opened = opened.map_err(|error| match error {
        StoreError::InUse(who) => messages::id::store_in_use(dir.display(), &who).to_string(),
        other => StoreFailure::from(other).to_string(),
    })?;
    Ok(opened.store)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_in_use_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("transom.toml"), "").unwrap();
        let open = open_datasets(folder.path()).unwrap();
        let error = open_datasets(folder.path()).map(drop).unwrap_err();
        assert!(error.starts_with("TXMID0058E"), "{error}");
        drop(open);
        assert!(open_datasets(folder.path()).is_ok());
    }
}
