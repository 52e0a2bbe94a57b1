//! The catalog of a system directory while no region runs on its store.

use super::super::output::findings;
use crate::system::SystemDirectory;
use std::path::Path;
use transom_datasets::Datasets;
use transom_recovery::{StoreError, wait};

/// The catalog in the store of a system directory.
pub(super) fn open_datasets(dir: &Path) -> Result<Datasets, String> {
    let (system, found) = SystemDirectory::open(dir)?;
    if findings(&found) > 0 {
        return Err(format!(
            "{}: transom.toml has errors; nothing was run",
            dir.display()
        ));
    }
    let opened = crate::system::store::open(&system, true);
    let opened = opened.map_err(|error| match error {
        StoreError::InUse(who) => format!(
            "TXMID0058E the store of {} is in use by a running region ({who})",
            dir.display()
        ),
        other => format!("TXMID0059E the store answered: {other}"),
    })?;
    wait(Datasets::open(opened.store)).map_err(|e| format!("TXMID0059E the store answered: {e}"))
}
