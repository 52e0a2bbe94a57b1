//! What is installed at one moment: an immutable picture that requests look at.
//!
//! A change makes a new picture of the old one, with which it shares what is the same, and swaps it
//! in; requests under way keep the operation they began with. Not here: which changes are made
//! together (`state`).

mod prefixes;

use crate::definition::OperationDefinition;
use crate::installed::{Api, Installed, Service};
use crate::operation::{Backend, Operation};
use crate::regions::Regions;
use crate::router::{NoRoute, PathValues, RouteRefused, Router};
use crate::statistics::OperationCounters;
use bytes::Bytes;
use hyper::Method;
use prefixes::Prefixes;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Path prefix of the administration interface; no API may be based on it.
pub(crate) const ADMIN_PATH: &str = "/zosConnect";

/// What a path leads to.
#[derive(Clone)]
pub(crate) enum Target {
    /// A compiled operation.
    Operation(Arc<Operation>),
    /// An operation of an API whose service is not installed.
    NoService(Arc<Installed>, String),
    /// An API's description.
    Document(Arc<Installed>, Bytes),
}

/// Everything of one kind by name, shared between pictures.
pub(crate) type ByName<T> = Arc<BTreeMap<String, Arc<T>>>;

/// The picture.
#[derive(Default, Clone)]
pub(crate) struct Live {
    router: Router<Target>,
    /// `invokeURI` paths that ended in `*`.
    prefixes: Prefixes,
    pub(crate) apis: ByName<Api>,
    pub(crate) services: ByName<Service>,
    /// Each service invoked by itself.
    pub(crate) invocations: ByName<Operation>,
}

/// What a path was found to be.
pub(crate) enum Found<'l, 'p> {
    /// By route.
    Target(&'l Target, PathValues<'p>),
    /// By an `invokeURI` prefix.
    Service(&'l Arc<Operation>),
}

/// Why APIs and services cannot be installed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Collision {
    /// A route cannot be had.
    Route(RouteRefused),
    /// No API may have this base path.
    BasePath(String),
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Route(refused) => refused.fmt(f),
            Self::BasePath(base) => write!(f, "base path {base:?} cannot be used by an API"),
        }
    }
}

impl From<RouteRefused> for Collision {
    fn from(refused: RouteRefused) -> Self {
        Self::Route(refused)
    }
}

/// What operations need of the gateway.
pub(crate) struct Backends {
    pub(crate) regions: Regions,
    pub(crate) timeout: Option<Duration>,
}

impl Live {
    /// Looks a request up.
    pub(crate) fn find<'l, 'p>(
        &'l self,
        method: &Method,
        path: &'p str,
    ) -> Result<Found<'l, 'p>, NoRoute> {
        match self.router.find(method, path) {
            Ok((target, values)) => Ok(Found::Target(target, values)),
            Err(NoRoute::Path) => self
                .prefixes
                .find(path)
                .map(Found::Service)
                .ok_or(NoRoute::Path),
            Err(other) => Err(other),
        }
    }

    /// Makes a service callable by its own paths.
    ///
    /// # Errors
    /// Another route is in the way; what was added stays until [`Live::unroute_service`].
    pub(crate) fn route_service(
        &mut self,
        service: &Arc<Service>,
        backends: &Backends,
    ) -> Result<(), Collision> {
        let definition = &service.definition;
        let operation = Arc::new(Operation {
            api: None,
            service: service.installed.clone(),
            backend: backends.of(service),
            conversion: definition.conversion.clone(),
            counters: service.counters.clone(),
        });
        let name = &definition.name;
        Arc::make_mut(&mut self.invocations).insert(name.clone(), operation.clone());
        for uri in &definition.invoke_uris {
            if let Some(prefix) = uri.strip_suffix('*') {
                self.prefixes.add(prefix, name, operation.clone());
                continue;
            }
            for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
                self.router
                    .add(method, uri, Target::Operation(operation.clone()))?;
            }
        }
        Ok(())
    }

    /// Takes away what a service is called by.
    pub(crate) fn unroute_service(&mut self, service: &Service) {
        let definition = &service.definition;
        Arc::make_mut(&mut self.invocations).remove(&definition.name);
        for uri in &definition.invoke_uris {
            match uri.strip_suffix('*') {
                Some(prefix) => self.prefixes.remove(prefix, &definition.name),
                None => self.router.remove(uri, |target| match target {
                    Target::Operation(o) => {
                        o.api.is_none() && Arc::ptr_eq(&o.service, &service.installed)
                    }
                    _ => false,
                }),
            }
        }
    }

    /// Makes the operations of an API callable, with the services of this picture.
    ///
    /// # Errors
    /// Another route is in the way, or a path of the gateway itself is wanted; what was added stays
    /// until [`Live::unroute_api`].
    pub(crate) fn route_api(
        &mut self,
        api: &Arc<Api>,
        backends: &Backends,
    ) -> Result<(), Collision> {
        let definition = &api.definition;
        let base = api.base_path();
        if base.is_empty() || base == ADMIN_PATH || base.starts_with("/zosConnect/") {
            return Err(Collision::BasePath(base.to_owned()));
        }
        for (operation, counters) in definition.operations.iter().zip(&api.counters) {
            let target = self.target(api, operation, counters, backends);
            let template = join(base, &operation.path);
            self.router
                .add(operation.method.clone(), &template, target)?;
        }
        for (path, document) in documents(api) {
            let target = Target::Document(api.installed.clone(), document.clone());
            self.router.add_document(&join(base, path), target);
        }
        Ok(())
    }

    /// Takes away the routes of an API.
    pub(crate) fn unroute_api(&mut self, api: &Api) {
        let mine = |target: &Target| match target {
            Target::Operation(o) => o
                .api
                .as_ref()
                .is_some_and(|of| Arc::ptr_eq(of, &api.installed)),
            Target::NoService(of, _) | Target::Document(of, _) => Arc::ptr_eq(of, &api.installed),
        };
        let operations = api.definition.operations.iter().map(|o| o.path.as_str());
        for path in operations.chain(documents(api).into_iter().map(|(path, _)| path)) {
            self.router.remove(&join(api.base_path(), path), mine);
        }
    }

    fn target(
        &self,
        api: &Arc<Api>,
        operation: &OperationDefinition,
        counters: &Arc<OperationCounters>,
        backends: &Backends,
    ) -> Target {
        let service = self.services.get(&operation.service);
        match (service, &operation.conversion) {
            (Some(service), Some(conversion)) => Target::Operation(Arc::new(Operation {
                api: Some(api.installed.clone()),
                service: service.installed.clone(),
                backend: backends.of(service),
                conversion: conversion.clone(),
                counters: counters.clone(),
            })),
            _ => Target::NoService(api.installed.clone(), operation.service.clone()),
        }
    }
}

impl Backends {
    fn of(&self, service: &Service) -> Backend {
        let definition = &service.definition;
        Backend {
            region: self.regions.find(&definition.connection),
            program: definition.program,
            rest: definition.rest.clone(),
            transid: definition.transid,
            reply_bytes_max: definition.reply_bytes_max,
            timeout: self.timeout,
            connection: definition.connection.as_str().into(),
        }
    }
}

/// Where the descriptions of an API are read.
fn documents(api: &Api) -> [(&'static str, &Bytes); 3] {
    let definition = &api.definition;
    [
        ("/api-docs", &definition.swagger),
        ("/api-docs/openapi.json", &definition.openapi),
        ("/openapi", &definition.openapi),
    ]
}

fn join(base: &str, path: &str) -> String {
    if path.starts_with('/') {
        format!("{base}{path}")
    } else {
        format!("{base}/{path}")
    }
}
