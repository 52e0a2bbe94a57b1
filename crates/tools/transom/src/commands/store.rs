//! The catalog of a system directory while no region runs on its store.

use super::output::findings;
use crate::system;
use std::path::Path;
use transom_datasets::Datasets;
use transom_messages as messages;
use transom_recovery::{StoreError, wait};
use transom_utilities::StoreFailure;

/// The catalog in the store of a system directory.
pub(super) fn open_datasets(dir: &Path) -> Result<Datasets, String> {
    let (system, found) = system::open(dir)?;
    if findings(&found) > 0 {
        return Err(format!(
            "{}: transom.toml has errors; nothing was run",
            dir.display()
        ));
    }
    let opened = crate::system::store::open(&system, true);
    let opened = opened.map_err(|error| match error {
        StoreError::InUse(who) => messages::id::store_in_use(dir.display(), &who).to_string(),
        other => StoreFailure::from(other).to_string(),
    })?;
    wait(Datasets::open(opened.store)).map_err(|e| StoreFailure::from(e).to_string())
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
