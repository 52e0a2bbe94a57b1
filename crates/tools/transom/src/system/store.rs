//! Opens the record store of a system directory: LMDB in its folder, or PostgreSQL, or LMDB with
//! databases beside it that keep some data sets.

use super::SystemDirectory;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use transom_datasets::{KeyException, LocalOptions, PgOptions, PgStore, open_local};
use transom_log::operator;
use transom_recovery::{JointStore, Partner, Records, Settings, StoreError, UowStore};
use transom_region_server::{DataConfig, StoreHandle};
use transom_settings::Store;
use transom_types::Applid;

/// Bytes of a gigabyte of `max_gigabytes`.
const GIGABYTE: usize = 1 << 30;

/// Bytes of a megabyte of `log_megabytes` and `uow_megabytes`.
const MEGABYTE: usize = 1 << 20;

/// A store and, when workers can read it themselves, its folder.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn UowStore>,
    pub(crate) folder: Option<PathBuf>,
}

/// Opens what `[data]` names, for the region or for a utility. Only a store that is PostgreSQL
/// alone can be opened by a utility while the region runs.
pub(crate) fn open(system: &SystemDirectory, utility: bool) -> Result<Opened, StoreError> {
    let table = &system.settings.data;
    let stores = &system.settings.stores;
    let applid = Applid::from_field(system.settings.region.applid.as_bytes());
    if let Some(connect) = &table.postgresql {
        if !stores.is_empty() {
            let text = "[data.stores] cannot be used together with [data] postgresql";
            return Err(StoreError::Wrong(text.to_owned()));
        }
        let mut options = PgOptions::new(connect, applid);
        options.utility = utility;
        options.uow_bytes_max = uow_bytes(system);
        let store = PgStore::open(options)?;
        return Ok(Opened {
            store: Arc::new(store),
            folder: None,
        });
    }
    let folder = table.path(&system.root);
    let settings = Settings {
        uow_bytes_max: uow_bytes(system),
        ..Settings::default()
    };
    let local = open_local(&folder, local_options(system), settings)?;
    let store: Arc<dyn UowStore> = match stores.is_empty() {
        true => Arc::new(local),
        false => {
            let partners = stores
                .iter()
                .map(|store| partner(store, applid, uow_bytes(system)));
            Arc::new(JointStore::open(
                Arc::new(local),
                partners.collect(),
                operator(),
            )?)
        }
    };
    Ok(Opened {
        store,
        folder: Some(folder),
    })
}

/// How the store of the directory itself is opened.
pub(crate) fn local_options(system: &SystemDirectory) -> LocalOptions {
    let table = &system.settings.data;
    LocalOptions {
        map_bytes: GIGABYTE.saturating_mul(table.max_gigabytes),
        log_bytes: MEGABYTE.saturating_mul(table.log_megabytes),
        ..LocalOptions::default()
    }
}

/// Folder of user journals and forward recovery logs.
pub(crate) fn journals(system: &SystemDirectory) -> PathBuf {
    system.root.join("journals")
}

/// What the region's files start from.
pub(crate) fn data_config(
    system: &SystemDirectory,
    opened: Opened,
    keys: Vec<KeyException>,
) -> DataConfig {
    DataConfig {
        keys,
        opened: Some(StoreHandle(opened.store)),
        store: opened.folder,
        journal_dir: Some(journals(system)),
        recovery_of_catalog: system.settings.region.recovery_of_catalog(),
        ftimeout: Duration::from_secs(system.settings.region.ftimeout),
        define_missing: system.settings.data.define_missing,
        ..DataConfig::default()
    }
}

fn uow_bytes(system: &SystemDirectory) -> usize {
    MEGABYTE.saturating_mul(system.settings.data.uow_megabytes)
}

fn partner(store: &Store, applid: Applid, uow_bytes_max: usize) -> Partner {
    let (connect, kept) = (store.settings.postgresql.clone(), store.clone());
    Partner {
        name: store.name.clone(),
        connect: Box::new(move |system| {
            let mut options = PgOptions::new(connect.as_str(), applid);
            options.system = system;
            options.uow_bytes_max = uow_bytes_max;
            let store = PgStore::open(options)?;
            if !store.caps().two_phase {
                let text = "max_prepared_transactions of the server is 0; units of work need it";
                return Err(StoreError::Wrong(text.to_owned()));
            }
            Ok(Arc::new(store))
        }),
        owns: Box::new(move |table| {
            let name = table.split_once('/').map_or("", |(_, name)| name);
            kept.keeps(name)
        }),
    }
}
