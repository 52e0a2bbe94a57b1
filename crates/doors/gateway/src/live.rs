//! What is installed at one moment: an immutable picture that requests look at.
//!
//! A change builds a new picture and swaps it in; requests under way keep the operation they began
//! with.

use crate::definition::OperationDefinition;
use crate::installed::{Api, Installed, Service};
use crate::operation::{Backend, Operation};
use crate::regions::Regions;
use crate::router::{NoRoute, PathValues, RouteTaken, Router};
use crate::statistics::OperationCounters;
use bytes::Bytes;
use hyper::Method;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Path prefix of the administration interface; no API may be based on it.
pub(crate) const ADMIN_PATH: &str = "/zosConnect";

/// What a path leads to.
pub(crate) enum Target {
    /// A compiled operation.
    Operation(Arc<Operation>),
    /// An operation whose service is not installed.
    NoService(String),
    /// An API's description.
    Document(Arc<Installed>, Bytes),
}

/// The picture.
#[derive(Default)]
pub(crate) struct Live {
    router: Router<Target>,
    /// `invokeURI` prefixes that ended in `*`, longest first.
    prefixes: Vec<(String, Arc<Operation>)>,
    pub(crate) apis: BTreeMap<String, Arc<Api>>,
    pub(crate) services: BTreeMap<String, Arc<Service>>,
    /// Each service invoked by itself.
    pub(crate) invocations: BTreeMap<String, Arc<Operation>>,
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
    /// Two want a route.
    Route(RouteTaken),
    /// No API may have this base path.
    BasePath(String),
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Route(taken) => taken.fmt(f),
            Self::BasePath(base) => write!(f, "base path {base:?} cannot be used by an API"),
        }
    }
}

impl From<RouteTaken> for Collision {
    fn from(taken: RouteTaken) -> Self {
        Self::Route(taken)
    }
}

impl Live {
    /// Builds the picture.
    ///
    /// # Errors
    /// Two routes collide, or an API wants a path of the gateway itself.
    pub(crate) fn build(
        apis: &BTreeMap<String, Arc<Api>>,
        services: &BTreeMap<String, Arc<Service>>,
        regions: &Regions,
        timeout: Option<Duration>,
    ) -> Result<Self, Collision> {
        let mut live = Live {
            apis: apis.clone(),
            services: services.clone(),
            ..Live::default()
        };
        for (name, service) in services {
            live.add_service(name, service, regions, timeout)?;
        }
        for api in apis.values() {
            live.add_api(api, regions, timeout)?;
        }
        live.prefixes
            .sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        Ok(live)
    }

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
                .iter()
                .find(|(prefix, _)| path.starts_with(prefix.as_str()))
                .map(|(_, operation)| Found::Service(operation))
                .ok_or(NoRoute::Path),
            Err(other) => Err(other),
        }
    }

    fn add_service(
        &mut self,
        name: &str,
        service: &Arc<Service>,
        regions: &Regions,
        timeout: Option<Duration>,
    ) -> Result<(), Collision> {
        let operation = Arc::new(Operation {
            api: None,
            service: service.installed.clone(),
            backend: backend(service, regions, timeout),
            conversion: service.definition.conversion.clone(),
            counters: service.counters.clone(),
        });
        self.invocations.insert(name.to_owned(), operation.clone());
        for uri in &service.definition.invoke_uris {
            if let Some(prefix) = uri.strip_suffix('*') {
                self.prefixes.push((prefix.to_owned(), operation.clone()));
                continue;
            }
            for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
                self.router
                    .add(method, uri, Target::Operation(operation.clone()))?;
            }
        }
        Ok(())
    }

    fn add_api(
        &mut self,
        api: &Arc<Api>,
        regions: &Regions,
        timeout: Option<Duration>,
    ) -> Result<(), Collision> {
        let definition = &api.definition;
        let base = definition.base_path.trim_end_matches('/');
        if base.is_empty() || base == ADMIN_PATH || base.starts_with("/zosConnect/") {
            return Err(Collision::BasePath(base.to_owned()));
        }
        for (operation, counters) in definition.operations.iter().zip(&api.counters) {
            let template = join(base, &operation.path);
            let target = self.target(api, operation, counters, regions, timeout);
            self.router
                .add(operation.method.clone(), &template, target)?;
        }
        for (path, document) in [
            ("/api-docs", &definition.swagger),
            ("/api-docs/openapi.json", &definition.openapi),
            ("/openapi", &definition.openapi),
        ] {
            let target = Target::Document(api.installed.clone(), document.clone());
            // An API that has such a path itself keeps it.
            let _ = self.router.add(Method::GET, &join(base, path), target);
        }
        Ok(())
    }

    fn target(
        &self,
        api: &Arc<Api>,
        operation: &OperationDefinition,
        counters: &Arc<OperationCounters>,
        regions: &Regions,
        timeout: Option<Duration>,
    ) -> Target {
        let service = self.services.get(&operation.service);
        match (service, &operation.conversion) {
            (Some(service), Some(conversion)) => Target::Operation(Arc::new(Operation {
                api: Some(api.installed.clone()),
                service: service.installed.clone(),
                backend: backend(service, regions, timeout),
                conversion: conversion.clone(),
                counters: counters.clone(),
            })),
            _ => Target::NoService(operation.service.clone()),
        }
    }
}

fn backend(service: &Service, regions: &Regions, timeout: Option<Duration>) -> Backend {
    let definition = &service.definition;
    Backend {
        region: regions.find(&definition.connection),
        program: definition.program,
        transid: definition.transid,
        reply_bytes_max: definition.reply_bytes_max,
        timeout,
        connection: definition.connection.as_str().into(),
    }
}

fn join(base: &str, path: &str) -> String {
    if path.starts_with('/') {
        format!("{base}{path}")
    } else {
        format!("{base}/{path}")
    }
}
