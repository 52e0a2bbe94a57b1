//! A gateway's configuration from a `server.xml` and the folder it lies in.
//!
//! Relative locations count from that folder. Defaults are Liberty's: ports 9080 and 9443 on
//! localhost, `resources/zosconnect/{services,apis}`, `resources/security/key.pem` (there
//! `key.p12`) for the default key store, made self-signed when it does not exist. Interceptors
//! write below `logs`.

use crate::bind_services;
use crate::config::{GatewayConfig, Interceptor, Manager, Scope};
use crate::cors::CorsRule;
use crate::gateway::GatewayError;
use crate::interceptors::{AuditOptions, WhenFull};
use crate::rest_xml;
use crate::security::{ACCESS_ROLE, Groups, RegistryConfig, UserConfig};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;
use transom_apidef::sar::ServiceArchive;
use transom_apidef::server::{
    ArchiveFolder, AuthorizationGroups, InterceptorKind, Overrides, ServerConfig, Ssl,
    UpdateTrigger,
};
use transom_messages::{self as messages, Line, Operator, Source};
use transom_tcpip::{ClientTrust, Limits, Tls, create_self_signed};

/// Liberty's ports when no `httpEndpoint` says otherwise.
const DEFAULT_PORTS: (u16, u16) = (9080, 9443);
/// `pollingRate` when none is given.
const POLLING_RATE: Duration = Duration::from_secs(5);
/// `asyncRequestTimeout` when none is given.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Names a self-signed certificate is good for.
const LOCAL_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// A configuration and what should be said about it.
pub struct FromServerXml {
    /// The configuration.
    pub config: GatewayConfig,
    /// Messages for the operator, each with its identifier.
    pub notices: Vec<Line>,
}

impl GatewayConfig {
    /// Takes over what a `server.xml` says. `folder` is the folder it lies in; the operator is told
    /// of clients whose certificates are refused.
    ///
    /// # Errors
    /// A host name that does not resolve, a key store that cannot be used.
    pub fn from_server_xml(
        server: &ServerConfig,
        folder: &Path,
        operator: &Operator,
    ) -> Result<FromServerXml, GatewayError> {
        let mut reader = Reader {
            server,
            folder,
            operator,
            notices: Vec::new(),
        };
        let config = reader.config()?;
        Ok(FromServerXml {
            config,
            notices: reader.notices,
        })
    }
}

/// HTTP address; HTTPS address with its certificate.
type Endpoints = (Option<SocketAddr>, Option<(SocketAddr, Tls)>);

struct Reader<'a> {
    server: &'a ServerConfig,
    folder: &'a Path,
    operator: &'a Operator,
    notices: Vec<Line>,
}

impl Reader<'_> {
    fn config(&mut self) -> Result<GatewayConfig, GatewayError> {
        let server = self.server;
        let (http, https) = self.endpoints()?;
        let mut services = self.scopes(&server.services);
        for service in &server.connect_services {
            let mut scope = self.scope(&service.overrides);
            scope.invoke_uris.clone_from(&service.invoke_uris);
            services.insert(service.service_name.clone(), scope);
        }
        Ok(GatewayConfig {
            http,
            https,
            limits: Limits::default(),
            threads: 0,
            services_dir: Some(self.archives(&server.services, "services")),
            apis_dir: Some(self.archives(&server.apis, "apis")),
            services_poll: poll(&server.services),
            apis_poll: poll(&server.apis),
            manager: Manager {
                require_auth: server.manager.require_auth,
                require_secure: server.manager.require_secure,
                request_timeout: match server.manager.request_timeout {
                    Some(Duration::ZERO) => None,
                    other => Some(other.unwrap_or(REQUEST_TIMEOUT)),
                },
                utf8_response: server.manager.utf8_response,
                groups: groups(&server.manager.groups),
                interceptors: self.interceptor_ids(server.manager.interceptors_ref.as_deref()),
            },
            apis: self.scopes(&server.apis),
            services,
            registry: self.registry(),
            configured_services: self.configured(),
            rest_connections: rest_xml::connections(server, self.folder, &mut self.notices)?,
            nearby: Vec::new(),
            strict: false,
            cors: self.cors(),
            interceptors: self.interceptors(),
            audit_when_full: WhenFull::Drop,
            operator: Operator::nobody(),
            timed: false,
            access: None,
        })
    }

    fn endpoints(&mut self) -> Result<Endpoints, GatewayError> {
        let (host, http, https) = match self.server.endpoints.split_first() {
            None => ("localhost", Some(DEFAULT_PORTS.0), Some(DEFAULT_PORTS.1)),
            Some((first, others)) => {
                for other in others {
                    self.notices
                        .push(messages::gw::endpoint_not_used(&other.id).into());
                }
                (first.host.as_str(), first.http_port, first.https_port)
            }
        };
        let address = resolve(host)?;
        let http = http.map(|port| SocketAddr::new(address, port));
        let Some(port) = https else {
            return Ok((http, None));
        };
        let tls = self.tls()?;
        if tls.is_none() {
            self.notices
                .push(messages::gw::https_not_opened(port).into());
        }
        Ok((http, tls.map(|tls| (SocketAddr::new(address, port), tls))))
    }

    fn tls(&mut self) -> Result<Option<Tls>, GatewayError> {
        let server = self.server;
        let ssl = server.ssl_default.as_deref().unwrap_or("defaultSSLConfig");
        let ssl = server.ssl.iter().find(|s| s.id == ssl);
        let named = ssl.and_then(|s| s.key_store_ref.as_deref());
        let id = named.unwrap_or("defaultKeyStore");
        let Some(store) = server.key_stores.iter().find(|k| k.id == id) else {
            return Ok(None);
        };
        let failed = |e: transom_tcpip::TcpError| GatewayError(e.to_string());
        let file = match &store.location {
            Some(location) => self.folder.join(location),
            None => {
                let file = self.folder.join("resources/security/key.pem");
                if !file.exists() {
                    make_folder(&file)?;
                    create_self_signed(&file, &LOCAL_NAMES).map_err(failed)?;
                    self.notices.push(
                        messages::tc::certificate_made(LOCAL_NAMES.join(", "), file.display())
                            .into(),
                    );
                }
                file
            }
        };
        let tls = match self.clients(ssl, &file)? {
            Some(clients) => Tls::with_clients(&[file], clients),
            None => Tls::from_pem_files(&[file]),
        };
        tls.map(Some).map_err(failed)
    }

    /// Certificates of clients, where they are asked for. Without a trust store the key store is
    /// one, as in Liberty.
    fn clients(
        &self,
        ssl: Option<&Ssl>,
        key_store: &Path,
    ) -> Result<Option<ClientTrust>, GatewayError> {
        let wanted = |s: &&Ssl| s.client_authentication || s.client_authentication_supported;
        let Some(ssl) = ssl.filter(wanted) else {
            return Ok(None);
        };
        let file = match &ssl.trust_store_ref {
            None => key_store.to_owned(),
            Some(id) => {
                let store = self.server.key_stores.iter().find(|k| k.id == *id);
                let location = store.and_then(|store| store.location.as_ref());
                let location = location.ok_or_else(|| {
                    GatewayError(messages::gw::trust_store_unknown(&ssl.id, id).to_string())
                })?;
                self.folder.join(location)
            }
        };
        Ok(Some(ClientTrust {
            file,
            required: ssl.client_authentication,
            operator: self.operator.of(Source::Door),
        }))
    }

    fn archives(&self, folder: &ArchiveFolder, usual: &str) -> PathBuf {
        match &folder.location {
            Some(location) => self.folder.join(location),
            None => self.folder.join("resources/zosconnect").join(usual),
        }
    }

    fn scopes(&mut self, folder: &ArchiveFolder) -> BTreeMap<String, Scope> {
        folder
            .overrides
            .iter()
            .map(|o| (o.name.clone(), self.scope(o)))
            .collect()
    }

    fn scope(&mut self, overrides: &Overrides) -> Scope {
        Scope {
            require_auth: overrides.require_auth,
            require_secure: overrides.require_secure,
            groups: groups(&overrides.groups),
            interceptors: self.interceptor_ids(overrides.interceptors_ref.as_deref()),
            run_global_interceptors: overrides.run_global_interceptors,
            invoke_uris: Vec::new(),
            connection: overrides.connection_ref.clone(),
        }
    }

    /// A reference names a list, or interceptors themselves.
    fn interceptor_ids(&mut self, reference: Option<&str>) -> Vec<String> {
        let mut ids = Vec::new();
        for name in reference
            .unwrap_or("")
            .split(',')
            .map(str::trim)
            .filter(|n| !n.is_empty())
        {
            match self.server.interceptor_lists.get(name) {
                Some(list) => ids.extend(list.iter().cloned()),
                None => ids.push(name.to_owned()),
            }
        }
        for id in &ids {
            if !self.server.interceptors.iter().any(|i| i.id == *id) {
                self.notices
                    .push(messages::gw::interceptor_not_defined(id).into());
            }
        }
        ids
    }

    fn interceptors(&self) -> BTreeMap<String, Interceptor> {
        let logs = self.folder.join("logs");
        let take = |kind: &InterceptorKind| match kind {
            InterceptorKind::Authorization => Interceptor::Authorization,
            InterceptorKind::Audit {
                smf_version,
                request_headers,
                response_headers,
                ..
            } => {
                let options = AuditOptions {
                    version: *smf_version,
                    request_headers: request_headers.clone(),
                    response_headers: response_headers.clone(),
                };
                Interceptor::Audit(logs.join("smf123.jsonl"), options)
            }
            InterceptorKind::FileLogger { folder, .. } => {
                let folder = folder
                    .as_ref()
                    .map_or(logs.clone(), |f| self.folder.join(f));
                Interceptor::FileLogger(folder.join("requests.log"))
            }
        };
        self.server
            .interceptors
            .iter()
            .map(|i| (i.id.clone(), take(&i.kind)))
            .collect()
    }

    fn registry(&mut self) -> RegistryConfig {
        let mut out = RegistryConfig::default();
        for registry in &self.server.registries {
            out.realm.clone_from(&registry.realm);
            for user in &registry.users {
                match user.password.clear() {
                    Some(password) => out.users.push(UserConfig {
                        name: user.name.clone(),
                        password: password.to_owned(),
                    }),
                    None => self
                        .notices
                        .push(messages::gw::password_hashed(&user.name).into()),
                }
            }
            out.groups.extend(
                registry
                    .groups
                    .iter()
                    .map(|g| (g.name.clone(), g.members.clone())),
            );
        }
        for role in self.server.roles.iter().filter(|r| r.name == ACCESS_ROLE) {
            out.access_users.extend(role.users.iter().cloned());
            out.access_groups.extend(role.groups.iter().cloned());
            let all = |s: &String| s == "ALL_AUTHENTICATED_USERS" || s == "EVERYONE";
            out.access_all |= role.special_subjects.iter().any(all);
        }
        out
    }

    fn configured(&mut self) -> Vec<ServiceArchive> {
        let (services, notices) = bind_services::read(self.server, self.folder);
        self.notices.extend(notices);
        services
    }

    fn cors(&mut self) -> Vec<CorsRule> {
        for cors in &self.server.cors {
            if cors.allow_credentials && cors.allowed_origins.iter().any(|o| o == "*") {
                self.notices
                    .push(messages::gw::any_origin_with_credentials(&cors.domain).into());
            }
        }
        let rule = |c: &transom_apidef::server::Cors| CorsRule {
            domain: c.domain.clone(),
            origins: c.allowed_origins.clone(),
            methods: c.allowed_methods.clone(),
            headers: c.allowed_headers.clone(),
            expose: c.expose_headers.clone(),
            credentials: c.allow_credentials,
            max_age: c.max_age.map(|a| a.as_secs()),
        };
        self.server.cors.iter().map(rule).collect()
    }
}

fn groups(of: &AuthorizationGroups) -> Groups {
    Groups {
        admin: of.admin.iter().cloned().collect(),
        operations: of.operations.iter().cloned().collect(),
        invoke: of.invoke.iter().cloned().collect(),
        reader: of.reader.iter().cloned().collect(),
    }
}

fn poll(folder: &ArchiveFolder) -> Option<Duration> {
    (folder.trigger == UpdateTrigger::Polled).then(|| folder.polling_rate.unwrap_or(POLLING_RATE))
}

fn resolve(host: &str) -> Result<IpAddr, GatewayError> {
    match host {
        "*" => return Ok(Ipv4Addr::UNSPECIFIED.into()),
        "localhost" => return Ok(Ipv4Addr::LOCALHOST.into()),
        _ => {}
    }
    let found = (host, 0).to_socket_addrs().map(|mut all| all.next());
    match found {
        Ok(Some(address)) => Ok(address.ip()),
        Ok(None) => Err(GatewayError(
            messages::gw::host_without_address(host).to_string(),
        )),
        Err(e) => Err(GatewayError(
            messages::gw::host_not_resolved(host, &e).to_string(),
        )),
    }
}

fn make_folder(file: &Path) -> Result<(), GatewayError> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder).map_err(|e| {
        GatewayError(messages::tc::key_store_not_usable(file.display(), &e).to_string())
    })
}
