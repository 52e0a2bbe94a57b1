//! What all serving threads share.

use crate::catalog::Catalog;
use crate::config::GatewayConfig;
use crate::config::{Interceptor, Scope};
use crate::cors::Cors;
use crate::deploy::sources::Deployments;
use crate::errors::Failure;
use crate::interceptors::{Records, RecordsError, WhenFull};
use crate::regions::Regions;
use crate::security::Groups;
use crate::security::{Logons, Policy, RegistryError, Users};
use hyper::header::HeaderValue;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use transom_messages::{Operator, Source};
use transom_tcpip::Listener;

/// The gateway as its serving threads see it.
pub(crate) struct Door {
    pub(crate) config: GatewayConfig,
    pub(crate) catalog: Catalog,
    pub(crate) deployments: Deployments,
    pub(crate) cors: Cors,
    pub(crate) logons: Logons,
    pub(crate) policies: Policies,
    pub(crate) http: Option<Listener>,
    pub(crate) https: Option<Listener>,
    /// Where a serving gateway tells what happens.
    pub(crate) operator: Operator,
    /// Content type of converted replies.
    pub(crate) json: HeaderValue,
    /// Numbers requests for interceptors.
    pub(crate) requests: AtomicU64,
}

/// Why a gateway does not start with its configuration.
#[derive(Debug)]
pub(crate) enum CannotStart {
    Users(RegistryError),
    Interceptor(RecordsError),
}

impl fmt::Display for CannotStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Users(error) => error.fmt(f),
            Self::Interceptor(RecordsError { file, reason }) => {
                let file = file.display();
                write!(f, "interceptor file {file} cannot be opened: {reason}")
            }
        }
    }
}

impl Door {
    pub(crate) fn new(
        config: GatewayConfig,
        regions: Regions,
        http: Option<Listener>,
        https: Option<Listener>,
    ) -> Result<Self, CannotStart> {
        let users = Users::load(&config.registry).map_err(CannotStart::Users)?;
        let policies = Policies::new(&config).map_err(CannotStart::Interceptor)?;
        let json = if config.manager.utf8_response {
            HeaderValue::from_static("application/json;charset=UTF-8")
        } else {
            HeaderValue::from_static("application/json")
        };
        Ok(Self {
            catalog: Catalog::new(regions, config.manager.request_timeout),
            deployments: Deployments::new(&config),
            cors: Cors::new(config.cors.clone()),
            logons: Logons::new(users),
            policies,
            http,
            https,
            operator: config.operator.of(Source::Door),
            json,
            requests: AtomicU64::new(1),
            config,
        })
    }

    pub(crate) fn listener(&self, secure: bool) -> Option<&Listener> {
        if secure {
            self.https.as_ref()
        } else {
            self.http.as_ref()
        }
    }

    /// The same URL over TLS, for a 302.
    pub(crate) fn secure_location(&self, host: &str, path_and_query: &str) -> Option<String> {
        let port = self.https.as_ref()?.address().port();
        let name = match host.rfind(':') {
            // Not the colons inside an IPv6 address.
            Some(at) if !host[at..].contains(']') => &host[..at],
            _ => host,
        };
        Some(format!("https://{name}:{port}{path_and_query}"))
    }
}

/// Result of anything that may end in an error reply.
pub(crate) type Outcome<T> = Result<T, Failure>;

/// Builds the policy of each scope and owns the record files.
pub(crate) struct Policies {
    records: BTreeMap<String, Records>,
    authorization: Vec<String>,
    /// The rules of the administration interface.
    pub(crate) admin: Policy,
}

enum Kind {
    Api,
    Service,
}

impl Policies {
    fn new(config: &GatewayConfig) -> Result<Self, RecordsError> {
        let mut records = BTreeMap::new();
        let mut authorization = Vec::new();
        for (id, interceptor) in &config.interceptors {
            match interceptor {
                Interceptor::Authorization => authorization.push(id.clone()),
                Interceptor::Audit(file, options) => {
                    let (when_full, options) = (config.audit_when_full, options.clone());
                    let opened = Records::open(file, options, when_full, &config.operator)?;
                    records.insert(id.clone(), opened);
                }
                Interceptor::FileLogger(file) => {
                    let options = crate::interceptors::AuditOptions::default();
                    let opened = Records::open(file, options, WhenFull::Drop, &config.operator)?;
                    records.insert(id.clone(), opened);
                }
            }
        }
        let mut policies = Self {
            records,
            authorization,
            admin: Policy::default(),
        };
        policies.admin = policies.of(config, &Scope::default());
        Ok(policies)
    }

    pub(crate) fn api(&self, config: &GatewayConfig, name: &str) -> Arc<Policy> {
        self.named(config, name, Kind::Api)
    }

    pub(crate) fn service(&self, config: &GatewayConfig, name: &str) -> Arc<Policy> {
        self.named(config, name, Kind::Service)
    }

    fn named(&self, config: &GatewayConfig, name: &str, kind: Kind) -> Arc<Policy> {
        let scopes = match kind {
            Kind::Api => &config.apis,
            Kind::Service => &config.services,
        };
        let default = Scope::default();
        Arc::new(self.of(config, scopes.get(name).unwrap_or(&default)))
    }

    fn of(&self, config: &GatewayConfig, scope: &Scope) -> Policy {
        let manager = &config.manager;
        let mut ids: Vec<&String> = scope.interceptors.iter().collect();
        if scope.run_global_interceptors {
            ids.extend(&manager.interceptors);
        }
        let authorizes = ids.iter().any(|id| self.authorization.contains(id));
        let groups = |of: &Groups| Arc::new(of.clone());
        let find = |audit: bool| {
            let wanted = |id: &&&String| match config.interceptors.get(**id) {
                Some(Interceptor::Audit(..)) => audit,
                Some(Interceptor::FileLogger(_)) => !audit,
                _ => false,
            };
            ids.iter()
                .find(wanted)
                .and_then(|id| self.records.get(*id))
                .cloned()
        };
        Policy {
            require_auth: scope.require_auth.unwrap_or(manager.require_auth),
            require_secure: scope.require_secure.unwrap_or(manager.require_secure),
            authorization: authorizes.then(|| (groups(&manager.groups), groups(&scope.groups))),
            audit: find(true),
            logger: find(false),
        }
    }

    /// Lines lost by all writers.
    pub(crate) fn dropped(&self) -> u64 {
        self.records.values().map(Records::dropped).sum()
    }

    /// Writes what is queued.
    pub(crate) fn close(&self) {
        self.records.values().for_each(Records::close);
    }
}
