//! Opens the record store of a system directory while no region runs on it.

use super::super::output::findings;
use crate::system::SystemDirectory;
use std::path::Path;
use std::sync::Arc;
use transom_datasets::{Datasets, LocalOptions, open_local};
use transom_recovery::{Settings, StoreError, wait};

/// Bytes of a gigabyte of `max_gigabytes`.
const GIGABYTE: usize = 1 << 30;

/// The catalog in the store of a system directory.
pub(super) fn open_datasets(dir: &Path) -> Result<Datasets, String> {
    let (system, found) = SystemDirectory::open(dir)?;
    if findings(&found) > 0 {
        return Err(format!(
            "{}: transom.toml has errors; nothing was run",
            dir.display()
        ));
    }
    let data = &system.config.data;
    if data.postgresql.is_some() {
        let text = "[data] postgresql: only the store of the directory itself can be opened";
        return Err(format!("TXMID0062E {}: {text}", dir.display()));
    }
    let folder = data.folder(&system.root);
    let map_bytes = GIGABYTE.saturating_mul(data.max_gigabytes as usize);
    let store = open_local(&folder, LocalOptions { map_bytes }, Settings::default());
    let store = store.map_err(|error| match error {
        StoreError::InUse(who) => format!(
            "TXMID0058E the store of {} is in use by a running region ({who})",
            dir.display()
        ),
        other => format!("TXMID0059E the store answered: {other}"),
    })?;
    wait(Datasets::open(Arc::new(store))).map_err(|e| format!("TXMID0059E the store answered: {e}"))
}
