//! The installed APIs and services and every change to them.
//!
//! Changes are made one after the other under a lock no request ever takes: compile, change the
//! picture, make the file permanent, swap. Whatever fails before the swap leaves nothing behind. A
//! start makes thousands of changes and one swap.

use crate::change::{Change, Refusal, StorageError};
use crate::live::{Backends, Live};
use crate::regions::Regions;
use crate::state::State;
use arc_swap::ArcSwap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Everything installed.
pub(crate) struct Catalog {
    /// The picture requests look at.
    live: ArcSwap<Live>,
    /// The picture with all changes that were made.
    state: Mutex<State>,
    backends: Backends,
}

impl Catalog {
    pub(crate) fn new(regions: Regions, timeout: Option<Duration>) -> Self {
        Self {
            live: ArcSwap::default(),
            state: Mutex::default(),
            backends: Backends { regions, timeout },
        }
    }

    /// The picture requests look at.
    pub(crate) fn live(&self) -> arc_swap::Guard<Arc<Live>> {
        self.live.load()
    }

    /// Makes changes together: all of them or none. `store` is called when nothing but the swap is
    /// left to do; when it fails nothing is changed. Requests see it after [`Catalog::publish`].
    pub(crate) fn change(
        &self,
        changes: Vec<Change>,
        store: impl FnOnce() -> Result<(), StorageError>,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        let before = state.change(changes, &self.backends)?;
        if let Err(error) = store() {
            state.undo(before, &self.backends);
            return Err(error.into());
        }
        Ok(())
    }

    /// Shows requests all changes that were made.
    pub(crate) fn publish(&self) {
        let state = self.lock();
        self.live.store(Arc::new(state.live().clone()));
    }

    /// The APIs that call a service, each with whether it is started.
    pub(crate) fn callers(&self, service: &str) -> Vec<(String, bool)> {
        self.lock().callers(service)
    }

    /// Starts or stops an API.
    pub(crate) fn set_api(&self, name: &str, started: bool) -> Result<(), Refusal> {
        let live = self.live();
        let api = live.apis.get(name).ok_or(Refusal::Unknown)?;
        api.installed.started.store(started, Relaxed);
        Ok(())
    }

    /// Starts or stops a service.
    pub(crate) fn set_service(&self, name: &str, started: bool) -> Result<(), Refusal> {
        let live = self.live();
        let service = live.services.get(name).ok_or(Refusal::Unknown)?;
        service.installed.started.store(started, Relaxed);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
