//! The installed APIs and services and every change to them.
//!
//! Changes are made one after the other under a lock no request ever takes: compile, build the new
//! picture, make the file permanent, swap. Whatever fails before the swap leaves nothing behind.

use crate::definition::{ApiDefinition, ServiceDefinition};
use crate::installed::{Api, Installed, Service};
use crate::live::Live;
use crate::regions::Regions;
use crate::security::Policy;
use crate::statistics::OperationCounters;
use arc_swap::ArcSwap;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, io};

/// Installed APIs or services at most: a bound for memory and for the time of a swap.
pub(crate) const INSTALLED_MAX: usize = 10_000;

/// Why a change was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// What is offered is wrong in itself.
    Invalid(String),
    /// It contradicts what is installed.
    Conflict(String),
    /// There is nothing of that name.
    Unknown,
    /// The file system refused.
    Storage(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(text) | Self::Conflict(text) | Self::Storage(text) => f.write_str(text),
            Self::Unknown => f.write_str("not installed"),
        }
    }
}

/// What the file system did not do with an archive.
#[derive(Debug)]
pub(crate) enum StorageError {
    Write(PathBuf, io::Error),
    Remove(PathBuf, io::Error),
    /// The folder it was in.
    Folder(io::Error),
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(file, e) => write!(f, "{} cannot be written: {e}", file.display()),
            Self::Remove(file, e) => write!(f, "{} cannot be removed: {e}", file.display()),
            Self::Folder(e) => e.fmt(f),
        }
    }
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        Self::Storage(error.to_string())
    }
}

/// Everything installed.
pub(crate) struct Catalog {
    live: ArcSwap<Live>,
    state: Mutex<State>,
    regions: Regions,
    timeout: Option<Duration>,
}

#[derive(Default, Clone)]
struct State {
    apis: BTreeMap<String, Arc<Api>>,
    services: BTreeMap<String, Arc<Service>>,
}

/// One step of a change.
pub(crate) enum Change {
    /// Install or replace a service.
    Service(Box<ServiceDefinition>, Arc<Policy>, bool),
    /// Install or replace an API.
    Api(Box<ApiDefinition>, Arc<Policy>, bool),
    /// Take a service away.
    RemoveService(String),
    /// Take an API away.
    RemoveApi(String),
}

impl Catalog {
    pub(crate) fn new(regions: Regions, timeout: Option<Duration>) -> Self {
        Self {
            live: ArcSwap::default(),
            state: Mutex::default(),
            regions,
            timeout,
        }
    }

    /// The picture requests look at.
    pub(crate) fn live(&self) -> arc_swap::Guard<Arc<Live>> {
        self.live.load()
    }

    /// Makes changes together: all of them or none. `store` is called when nothing but the swap is
    /// left to do; when it fails nothing is changed.
    pub(crate) fn change(
        &self,
        changes: Vec<Change>,
        store: impl FnOnce() -> Result<(), StorageError>,
    ) -> Result<(), Refusal> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = state.clone();
        for change in changes {
            next.apply(change)?;
        }
        let live = Live::build(&next.apis, &next.services, &self.regions, self.timeout)
            .map_err(|e| Refusal::Conflict(e.to_string()))?;
        store()?;
        *state = next;
        self.live.store(Arc::new(live));
        Ok(())
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
}

impl State {
    fn apply(&mut self, change: Change) -> Result<(), Refusal> {
        match change {
            Change::Service(definition, policy, started) => {
                self.room(self.services.len())?;
                let old = self.services.get(&definition.name);
                let service = Service {
                    installed: Arc::new(Installed::new(
                        &definition.name,
                        &definition.version,
                        started,
                        policy,
                    )),
                    counters: old.map(|s| s.counters.clone()).unwrap_or_default(),
                    definition: *definition,
                };
                self.services
                    .insert(service.definition.name.clone(), Arc::new(service));
            }
            Change::Api(definition, policy, started) => {
                self.room(self.apis.len())?;
                self.check_base_path(&definition)?;
                let api = Api {
                    counters: self.counters_of(&definition),
                    installed: Arc::new(Installed::new(
                        &definition.name,
                        &definition.version,
                        started,
                        policy,
                    )),
                    definition: *definition,
                };
                self.apis.insert(api.definition.name.clone(), Arc::new(api));
            }
            Change::RemoveService(name) => {
                self.services.remove(&name).ok_or(Refusal::Unknown)?;
            }
            Change::RemoveApi(name) => {
                self.apis.remove(&name).ok_or(Refusal::Unknown)?;
            }
        }
        Ok(())
    }

    fn room(&self, count: usize) -> Result<(), Refusal> {
        if count < INSTALLED_MAX {
            return Ok(());
        }
        Err(Refusal::Conflict(format!(
            "{INSTALLED_MAX} are installed already, the most there may be"
        )))
    }

    fn check_base_path(&self, new: &ApiDefinition) -> Result<(), Refusal> {
        let same = |api: &&Arc<Api>| {
            api.definition.name != new.name
                && api.definition.base_path.trim_end_matches('/')
                    == new.base_path.trim_end_matches('/')
        };
        match self.apis.values().find(same) {
            Some(api) => Err(Refusal::Conflict(format!(
                "base path {} belongs to API {}",
                new.base_path, api.definition.name
            ))),
            None => Ok(()),
        }
    }

    /// An operation that was there before keeps its counters.
    fn counters_of(&self, new: &ApiDefinition) -> Vec<Arc<OperationCounters>> {
        let old = self.apis.get(&new.name);
        let before = |method: &hyper::Method, path: &str| {
            let old = old?;
            let index = old
                .definition
                .operations
                .iter()
                .position(|o| o.method == *method && o.path == path)?;
            old.counters.get(index).cloned()
        };
        new.operations
            .iter()
            .map(|o| before(&o.method, &o.path).unwrap_or_default())
            .collect()
    }
}
