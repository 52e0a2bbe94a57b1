//! Opens the record store of a system directory: LMDB in its folder, or PostgreSQL.

use super::SystemDirectory;
use std::path::PathBuf;
use std::sync::Arc;
use transom_datasets::{LocalOptions, PgOptions, PgStore, open_local};
use transom_recovery::{Settings, StoreError, UowStore};
use transom_types::Applid;

/// Bytes of a gigabyte of `max_gigabytes`.
const GIGABYTE: usize = 1 << 30;

/// A store and, when workers can read it themselves, its folder.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn UowStore>,
    pub(crate) folder: Option<PathBuf>,
}

/// Opens what `[data]` names.
pub(crate) fn open(system: &SystemDirectory) -> Result<Opened, StoreError> {
    let table = &system.config.data;
    if let Some(connect) = &table.postgresql {
        let applid = Applid::from_field(system.config.sit.text("APPLID").as_bytes());
        let store = PgStore::open(PgOptions::new(connect, applid))?;
        return Ok(Opened {
            store: Arc::new(store),
            folder: None,
        });
    }
    let folder = table.folder(&system.root);
    let map_bytes = GIGABYTE.saturating_mul(table.max_gigabytes as usize);
    let store = open_local(&folder, LocalOptions { map_bytes }, Settings::default())?;
    Ok(Opened {
        store: Arc::new(store),
        folder: Some(folder),
    })
}
