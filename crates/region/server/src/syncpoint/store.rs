//! The record store a region starts with, as its configuration says it.
//!
//! What: opened before anything runs: without its data a region must not start. Not here: units of
//! work in it.

use crate::config::{DataConfig, StoreHandle};
use std::sync::Arc;
use transom_datasets::LocalOptions;
use transom_messages::{self as messages, Message, Operator};
use transom_recovery::{InDoubt, Managed, MemoryStore, Settings, StoreError, UowStore, wait};

/// A store with who ends units of work in it.
pub(crate) struct Opened {
    pub(super) managed: Managed,
    /// Of units of work that an earlier run left in doubt.
    pub(super) highest_in_doubt: u64,
}

impl Opened {
    /// The store.
    pub(crate) fn store(&self) -> Arc<dyn UowStore> {
        self.managed.store.clone()
    }
}

/// Opens the store. In-doubt units of earlier runs keep their locks. The error is a message.
pub(crate) fn open(config: &DataConfig, operator: &Operator) -> Result<Opened, Message> {
    let store = open_store(config)?;
    let managed = Managed::new(store, operator.clone()).map_err(|e| not_opened(&e))?;
    let doubtful = wait(managed.manager.in_doubt()).map_err(|e| not_opened(&e))?;
    for InDoubt { uow, .. } in &doubtful {
        managed.manager.retain(*uow);
    }
    let highest = doubtful.iter().map(|unit| unit.uow.number).max();
    Ok(Opened {
        managed,
        highest_in_doubt: highest.unwrap_or(0),
    })
}

/// Folder of a store that workers can map for reading; empty: they have to ask.
pub(crate) fn readable_dir(config: &DataConfig) -> String {
    let folder = config.store.as_ref().and_then(|folder| folder.to_str());
    folder.unwrap_or_default().to_owned()
}

fn open_store(config: &DataConfig) -> Result<Arc<dyn UowStore>, Message> {
    if let Some(StoreHandle(store)) = &config.opened {
        return Ok(store.clone());
    }
    let Some(folder) = &config.store else {
        return Ok(Arc::new(MemoryStore::in_memory(config.memory_bytes_max)));
    };
    let options = LocalOptions {
        map_bytes: config.map_bytes,
        ..LocalOptions::default()
    };
    match transom_datasets::open_local(folder, options, Settings::default()) {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(not_opened(&error)),
    }
}

fn not_opened(error: &StoreError) -> Message {
    messages::rm::store_not_opened(error)
}
