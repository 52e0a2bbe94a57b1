//! `server.xml`: the Liberty configuration of a z/OS Connect server.
//!
//! Read are the elements that concern APIs, services, data transformation, local adapters,
//! connections, TLS, users, roles, CORS, endpoints and interceptors; every other element is
//! accepted with one notice. Included files are only named: whoever can read files gives all
//! documents to [`ServerConfig::read`]. Not here: files, sockets, passwords' verification.

mod attributes;
mod connections;
mod security;
mod services;

pub use connections::{
    BasicAuth, CicsConnection, ConnectionFactory, HttpEndpoint, LocalAdapters,
    LocalAdaptersService, OlaProperties, RestConnection,
};
pub use security::{
    BasicRegistry, Cors, Group, HashedPassword, KeyStore, Role, Secret, Ssl, User, WebSecurity,
};
pub use services::{
    ArchiveFolder, AuthorizationGroups, ConfigUpdate, ConnectService, DataXform, Interceptor,
    InterceptorKind, Manager, Overrides, UpdateTrigger,
};
use transom_messages as messages;

use crate::problem::Result;
use crate::xml::{self, Element};
use attributes::{Attributes, Context};
use std::collections::BTreeMap;
use transom_messages::Problem;

/// Most top-level elements in all documents together.
pub const ELEMENTS_MAX: usize = 20_000;

/// Everything this gateway takes from a `server.xml`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServerConfig {
    /// `description` of the server.
    pub description: String,
    /// `featureManager`, as written.
    pub features: Vec<String>,
    /// `include`: locations in the order of the document.
    pub includes: Vec<Include>,
    /// `variable`: values by name.
    pub variables: BTreeMap<String, String>,
    /// `httpEndpoint`.
    pub endpoints: Vec<HttpEndpoint>,
    /// `keyStore`.
    pub key_stores: Vec<KeyStore>,
    /// `ssl`.
    pub ssl: Vec<Ssl>,
    /// `sslDefault sslRef`.
    pub ssl_default: Option<String>,
    /// `basicRegistry`; several are joined by Liberty, so they are here too.
    pub registries: Vec<BasicRegistry>,
    /// `authorization-roles`.
    pub roles: Vec<Role>,
    /// `webAppSecurity`.
    pub web_security: WebSecurity,
    /// `cors`.
    pub cors: Vec<Cors>,
    /// `config`.
    pub config: ConfigUpdate,
    /// `zosconnect_zosConnectManager`.
    pub manager: Manager,
    /// `zosconnect_services`.
    pub services: ArchiveFolder,
    /// `zosconnect_zosConnectAPIs`.
    pub apis: ArchiveFolder,
    /// `zosconnect_zosConnectService`.
    pub connect_services: Vec<ConnectService>,
    /// `zosconnect_zosConnectDataXform`.
    pub data_xforms: Vec<DataXform>,
    /// `zosLocalAdapters`.
    pub local_adapters: Option<LocalAdapters>,
    /// `connectionFactory`.
    pub connection_factories: Vec<ConnectionFactory>,
    /// `zosconnect_localAdaptersConnectService`.
    pub local_adapters_services: Vec<LocalAdaptersService>,
    /// `zosconnect_cicsIpicConnection`.
    pub cics_connections: Vec<CicsConnection>,
    /// `zosconnect_zosConnectServiceRestClientConnection`.
    pub rest_connections: Vec<RestConnection>,
    /// `zosconnect_zosConnectServiceRestClientBasicAuth` and `zosconnect_authData`.
    pub basic_auths: Vec<BasicAuth>,
    /// `zosconnect_zosConnectInterceptors`: lists of interceptor identifiers by id.
    pub interceptor_lists: BTreeMap<String, Vec<String>>,
    /// The interceptors themselves.
    pub interceptors: Vec<Interceptor>,
    /// One line for each element or attribute without effect, misspelt name or unknown variable.
    pub notices: Vec<Problem>,
}

/// A further file of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// `location`, variables replaced.
    pub location: String,
    /// Whether it may be missing.
    pub optional: bool,
}

impl ServerConfig {
    /// Reads one document. `file` is only for messages.
    ///
    /// # Errors
    /// TXMAD0005E with line and column for malformed XML; TXMAD0040E for an attribute whose value
    /// makes no sense or that is missing.
    pub fn parse(file: &str, text: &str) -> Result<ServerConfig> {
        Self::read(&[(file, text)])
    }

    /// Reads several documents as one configuration, later ones adding to earlier ones. Variables
    /// of all of them are known in all of them.
    ///
    /// # Errors
    /// As [`ServerConfig::parse`].
    pub fn read(documents: &[(&str, &str)]) -> Result<ServerConfig> {
        let mut roots = Vec::with_capacity(documents.len());
        for (file, text) in documents {
            let root = xml::parse(file, text)?;
            if !matches!(root.name.as_str(), "server" | "client") {
                return Err(root.problem(messages::ad::not_server(&root.name), file));
            }
            roots.push((*file, root));
        }
        let mut config = ServerConfig::default();
        for (_, root) in &roots {
            for element in root.all("variable") {
                if let (Some(name), Some(value)) = (
                    element.attr("name"),
                    element.attr("value").or(element.attr("defaultValue")),
                ) {
                    config.variables.insert(name.to_owned(), value.to_owned());
                }
            }
        }
        let mut elements = 0;
        for (file, root) in &roots {
            if let Some(text) = root.attr("description") {
                config.description = text.to_owned();
            }
            for element in &root.children {
                elements += 1;
                if elements > ELEMENTS_MAX {
                    return Err(Problem::new(
                        messages::ad::limit_passed(format_args!(
                            "more than {ELEMENTS_MAX} elements"
                        )),
                        *file,
                    ));
                }
                config.element(file, element)?;
            }
        }
        Ok(config)
    }

    fn element(&mut self, file: &str, element: &Element) -> Result<()> {
        let variables = std::mem::take(&mut self.variables);
        let context = Context {
            file,
            variables: &variables,
        };
        let attributes = Attributes::new(&context, element);
        let outcome = self.take(canonical(&element.name), &attributes, element);
        let unknown = matches!(outcome, Ok(false));
        let mut notices = attributes.finish(unknown);
        if element.name.starts_with("zso") {
            notices.push(element.problem(
                messages::ad::element_misspelt(
                    &element.name,
                    element.name.replacen("zso", "zos", 1),
                ),
                file,
            ));
        }
        if unknown {
            notices
                .push(element.problem(messages::ad::element_without_effect(&element.name), file));
        }
        self.notices.append(&mut notices);
        self.variables = variables;
        outcome.map(|_| ())
    }

    /// False when the element is none of ours.
    fn take(&mut self, name: &str, a: &Attributes<'_>, element: &Element) -> Result<bool> {
        match name {
            "variable" => a.known(&["name", "value", "defaultValue"]),
            "include" => self.includes.push(Include {
                location: a.need("location")?,
                optional: a.flag("optional")?.unwrap_or(false),
            }),
            "featureManager" => {
                self.features
                    .extend(element.all("feature").map(|f| a.expand(f.text.trim())));
            }
            "config" => self.config = ConfigUpdate::read(a)?,
            "httpEndpoint" => self.endpoints.push(HttpEndpoint::read(a)?),
            "keyStore" => self.key_stores.push(KeyStore::read(a)?),
            "ssl" => self.ssl.push(Ssl::read(a)?),
            "sslDefault" => self.ssl_default = a.text("sslRef"),
            "basicRegistry" => self.registries.push(BasicRegistry::read(a, element)?),
            "authorization-roles" => self.roles.extend(Role::read_all(a, element)?),
            "webAppSecurity" => self.web_security = WebSecurity::read(a)?,
            "cors" => self.cors.push(Cors::read(a)?),
            "zosConnectManager" => self.manager = Manager::read(a)?,
            "services" => self.services = ArchiveFolder::read(a, element, "service")?,
            "zosConnectAPIs" => self.apis = ArchiveFolder::read(a, element, "zosConnectAPI")?,
            "zosConnectService" => self.connect_services.push(ConnectService::read(a)?),
            "zosConnectDataXform" => self.data_xforms.push(DataXform::read(a)?),
            "zosLocalAdapters" => self.local_adapters = Some(LocalAdapters::read(a)?),
            "connectionFactory" => self
                .connection_factories
                .push(ConnectionFactory::read(a, element)?),
            "localAdaptersConnectService" => self
                .local_adapters_services
                .push(LocalAdaptersService::read(a)?),
            "cicsIpicConnection" | "cicsLocalConnection" => {
                self.cics_connections.push(CicsConnection::read(a)?)
            }
            "zosConnectServiceRestClientConnection" => self
                .rest_connections
                .push(RestConnection::read(a, element)?),
            "zosConnectServiceRestClientBasicAuth" | "authData" => {
                self.basic_auths.push(BasicAuth::read(a)?)
            }
            "zosConnectInterceptors" => {
                self.interceptor_lists
                    .insert(a.need("id")?, a.list("interceptorRef"));
            }
            _ => match Interceptor::read(name, a)? {
                Some(interceptor) => self.interceptors.push(interceptor),
                None => return Ok(false),
            },
        }
        Ok(true)
    }
}

/// The element's name without z/OS Connect's prefix, a printed misspelling of it undone.
fn canonical(name: &str) -> &str {
    match name {
        "zsoLocalAdapters" => "zosLocalAdapters",
        _ => ["zosconnect_", "zsoconnect_"]
            .iter()
            .find_map(|p| name.strip_prefix(p))
            .unwrap_or(name),
    }
}
