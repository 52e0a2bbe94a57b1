//! The picture that is being changed, with what a change must know to be quick.
//!
//! A change takes away the routes of what it touches and adds the new ones; all else stays as it
//! is, so one API among ten thousand costs what it costs alone. Changes come together or not at
//! all. Not here: compiling (`deploy`), the lock and the swap (`catalog`).

use crate::change::{Change, INSTALLED_MAX, Refusal};
use crate::definition::ApiDefinition;
use crate::installed::{Api, Installed, Service};
use crate::live::{Backends, ByName, Collision, Live};
use crate::statistics::OperationCounters;
use hyper::Method;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Everything installed, and who has and who uses what.
#[derive(Default)]
pub(crate) struct State {
    live: Live,
    /// Base paths, and the APIs that have them.
    base_paths: HashMap<String, String>,
    /// Services, installed or not, and the APIs that call them.
    callers: HashMap<String, BTreeSet<String>>,
}

/// What was there before a change, in the order of its steps.
#[derive(Default)]
pub(crate) struct Before(Vec<Touched>);

/// A name and what was installed under it.
enum Touched {
    Service(String, Option<Arc<Service>>),
    Api(String, Option<Arc<Api>>),
}

impl State {
    pub(crate) fn live(&self) -> &Live {
        &self.live
    }

    /// Makes changes together: all of them or none.
    pub(crate) fn change(
        &mut self,
        changes: Vec<Change>,
        backends: &Backends,
    ) -> Result<Before, Refusal> {
        let mut before = Before::default();
        for change in changes {
            match self.apply(change) {
                Ok(touched) => before.0.push(touched),
                Err(refusal) => {
                    self.undo(before, backends);
                    return Err(refusal);
                }
            }
        }
        self.touch_callers(&mut before);
        match self.route(&before, backends) {
            Ok(()) => Ok(before),
            Err(collision) => {
                self.undo(before, backends);
                Err(Refusal::Conflict(collision.to_string()))
            }
        }
    }

    /// Makes a change undone that nobody has seen yet.
    pub(crate) fn undo(&mut self, before: Before, backends: &Backends) {
        for touched in before.0.iter().rev() {
            match touched {
                Touched::Service(name, old) => drop(self.put_service(name, old.clone())),
                Touched::Api(name, old) => drop(self.put_api(name, old.clone())),
            }
        }
        // What fitted together before fits together again.
        let _fits = self.route(&before, backends);
    }

    /// The APIs that call a service, each with whether it is started.
    pub(crate) fn callers(&self, service: &str) -> Vec<(String, bool)> {
        let names = self.callers.get(service).into_iter().flatten();
        let started = |name: &String| {
            let api = self.live.apis.get(name)?;
            Some((name.clone(), api.installed.started()))
        };
        names.filter_map(started).collect()
    }

    fn apply(&mut self, change: Change) -> Result<Touched, Refusal> {
        match change {
            Change::Service(definition, policy, started) => {
                let name = definition.name.clone();
                let old = self.live.services.get(&name);
                room(&self.live.services, old.is_none())?;
                let service = Service {
                    installed: Arc::new(Installed::new(
                        &name,
                        &definition.version,
                        started,
                        policy,
                    )),
                    counters: old.map(|s| s.counters.clone()).unwrap_or_default(),
                    definition: *definition,
                };
                let old = self.put_service(&name, Some(Arc::new(service)));
                Ok(Touched::Service(name, old))
            }
            Change::Api(definition, policy, started) => {
                let name = definition.name.clone();
                let old = self.live.apis.get(&name);
                room(&self.live.apis, old.is_none())?;
                self.check_base_path(&definition)?;
                let api = Api {
                    counters: counters(&definition, old.map(Arc::as_ref)),
                    installed: Arc::new(Installed::new(
                        &name,
                        &definition.version,
                        started,
                        policy,
                    )),
                    definition: *definition,
                };
                let old = self.put_api(&name, Some(Arc::new(api)));
                Ok(Touched::Api(name, old))
            }
            Change::RemoveService(name) => match self.put_service(&name, None) {
                None => Err(Refusal::Unknown),
                old => Ok(Touched::Service(name, old)),
            },
            Change::RemoveApi(name) => match self.put_api(&name, None) {
                None => Err(Refusal::Unknown),
                old => Ok(Touched::Api(name, old)),
            },
        }
    }

    /// Puts a service in its place, without routes. Gives the one before, whose routes are gone.
    fn put_service(&mut self, name: &str, new: Option<Arc<Service>>) -> Option<Arc<Service>> {
        let old = put(&mut self.live.services, name, new);
        if let Some(old) = &old {
            self.live.unroute_service(old);
        }
        old
    }

    /// Puts an API in its place, without routes. Gives the one before, whose routes are gone.
    fn put_api(&mut self, name: &str, new: Option<Arc<Api>>) -> Option<Arc<Api>> {
        let old = put(&mut self.live.apis, name, new.clone());
        if let Some(old) = &old {
            self.live.unroute_api(old);
            self.base_paths.remove(old.base_path());
            for operation in &old.definition.operations {
                if let Some(callers) = self.callers.get_mut(&operation.service) {
                    callers.remove(name);
                    if callers.is_empty() {
                        self.callers.remove(&operation.service);
                    }
                }
            }
        }
        if let Some(new) = new {
            let base = new.base_path().to_owned();
            self.base_paths.insert(base, name.to_owned());
            for operation in &new.definition.operations {
                let callers = self.callers.entry(operation.service.clone()).or_default();
                callers.insert(name.to_owned());
            }
        }
        old
    }

    /// Operations hold the service they call: those of APIs that are not changed themselves follow.
    fn touch_callers(&mut self, before: &mut Before) {
        let mut callers = BTreeSet::new();
        let mut touched = BTreeSet::new();
        for step in &before.0 {
            match step {
                Touched::Service(name, _) => {
                    callers.extend(self.callers.get(name).into_iter().flatten().cloned());
                }
                Touched::Api(name, _) => drop(touched.insert(name.as_str())),
            }
        }
        callers.retain(|name| !touched.contains(name.as_str()));
        for name in callers {
            let api = self.live.apis.get(&name).cloned();
            if let Some(api) = &api {
                self.live.unroute_api(api);
            }
            before.0.push(Touched::Api(name, api));
        }
    }

    /// Adds the routes of everything touched.
    fn route(&mut self, touched: &Before, backends: &Backends) -> Result<(), Collision> {
        let (mut services, mut apis) = (BTreeSet::new(), BTreeSet::new());
        for touched in &touched.0 {
            match touched {
                Touched::Service(name, _) => services.insert(name),
                Touched::Api(name, _) => apis.insert(name),
            };
        }
        for name in services {
            if let Some(service) = self.live.services.get(name).cloned() {
                self.live.route_service(&service, backends)?;
            }
        }
        for name in apis {
            if let Some(api) = self.live.apis.get(name).cloned() {
                self.live.route_api(&api, backends)?;
            }
        }
        Ok(())
    }

    fn check_base_path(&self, new: &ApiDefinition) -> Result<(), Refusal> {
        match self.base_paths.get(new.base_path.trim_end_matches('/')) {
            Some(api) if *api != new.name => Err(Refusal::Conflict(format!(
                "base path {} belongs to API {api}",
                new.base_path
            ))),
            _ => Ok(()),
        }
    }
}

fn put<T>(all: &mut ByName<T>, name: &str, new: Option<Arc<T>>) -> Option<Arc<T>> {
    let all = Arc::make_mut(all);
    match new {
        Some(new) => all.insert(name.to_owned(), new),
        None => all.remove(name),
    }
}

fn room<T>(all: &ByName<T>, is_new: bool) -> Result<(), Refusal> {
    if !is_new || all.len() < INSTALLED_MAX {
        return Ok(());
    }
    Err(Refusal::Conflict(format!(
        "{INSTALLED_MAX} are installed already, the most there may be"
    )))
}

/// An operation that was there before keeps its counters.
fn counters(new: &ApiDefinition, old: Option<&Api>) -> Vec<Arc<OperationCounters>> {
    let before = |method: &Method, path: &str| {
        let old = old?;
        let operations = &old.definition.operations;
        let index = operations
            .iter()
            .position(|o| o.method == *method && o.path == path)?;
        old.counters.get(index).cloned()
    };
    let operations = new.operations.iter();
    let counters = operations.map(|o| before(&o.method, &o.path).unwrap_or_default());
    counters.collect()
}

#[cfg(test)]
mod tests;
