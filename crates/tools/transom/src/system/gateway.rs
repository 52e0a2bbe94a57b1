//! server.xml and what it refers to, ready for the gateway.

use super::{SystemDirectory, access, read_text};
use std::time::Duration;
use transom_apidef::server::ServerConfig;
use transom_check::Archives;
use transom_gateway::{GatewayConfig, WhenFull};
use transom_log::operator;
use transom_messages::{self as messages, Line};

/// A gateway's configuration and what is to be said about it.
pub(crate) struct Setup {
    pub(crate) config: GatewayConfig,
    pub(crate) notices: Vec<Line>,
    /// How programs in other processes are reached.
    pub(crate) adapters: Adapters,
}

impl Setup {
    /// Its ports, by the attributes that say them.
    pub(crate) fn listeners(&self) -> Vec<transom_check::Listener> {
        let http = self
            .config
            .http
            .map(|address| ("server.xml httpPort", address));
        let https = self.config.https.as_ref();
        let https = https.map(|(address, _)| ("server.xml httpsPort", *address));
        http.into_iter().chain(https).collect()
    }

    /// What a check looks at.
    pub(crate) fn archives(&self) -> Archives {
        Archives {
            services: self.config.configured_services.clone(),
            services_dir: self.config.services_dir.clone(),
            apis_dir: self.config.apis_dir.clone(),
            notices: self.notices.clone(),
        }
    }
}

/// `zosLocalAdapters` and the registrations that services name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Adapters {
    /// `wolaGroup`, `wolaName2`, `wolaName3`; `None` without the element.
    pub(crate) group: Option<[String; 3]>,
    /// Each `registerName` once, with the longest `connectionWaitTimeout` of its services.
    pub(crate) registrations: Vec<(String, Option<Duration>)>,
}

/// Files that may be included, all together.
const INCLUDES_MAX: usize = 100;

/// `None` where the system directory has no server.xml.
pub(crate) fn read(system: &SystemDirectory) -> Result<Option<Setup>, String> {
    let Some(file) = &system.server_xml else {
        return Ok(None);
    };
    let name = system.shown(file);
    let documents = with_includes(system, &name, read_text(file)?)?;
    let borrowed: Vec<(&str, &str)> = documents
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let server = ServerConfig::read(&borrowed).map_err(|p| p.id_first().to_string())?;
    let from = GatewayConfig::from_server_xml(&server, &system.root, &operator())
        .map_err(|e| e.to_string())?;
    let mut config = from.config;
    config.threads = system.settings.gateway.threads as usize;
    config.timed = system.settings.operations.port.is_some();
    config.access = access(system);
    config.strict = system.settings.gateway.strict;
    config.audit_when_full = match system.settings.audit.when_full {
        "BLOCK" => WhenFull::Block,
        _ => WhenFull::Drop,
    };
    config.limits.connections = system.settings.gateway.max_connections;
    config.limits.per_client = system.settings.gateway.max_connections_per_client;
    config.limits.body_bytes = system.settings.gateway.body_bytes_max as _;
    let told = server.notices.iter();
    let mut notices: Vec<Line> = told
        .map(|problem| Line::text(problem.severity(), problem.id_first().to_string()))
        .collect();
    notices.extend(from.notices);
    Ok(Some(Setup {
        config,
        notices,
        adapters: adapters(&server),
    }))
}

fn adapters(server: &ServerConfig) -> Adapters {
    let group = server.local_adapters.as_ref();
    let mut found = Adapters {
        group: group.map(|g| [g.group.clone(), g.name2.clone(), g.name3.clone()]),
        registrations: Vec::new(),
    };
    for service in &server.local_adapters_services {
        let factory = service.connection_factory_ref.as_ref();
        let factory =
            factory.and_then(|id| server.connection_factories.iter().find(|f| f.id == *id));
        let wait = service.connection_wait_timeout.or(factory
            .and_then(|f| f.ola.as_ref())
            .and_then(|o| o.connection_wait_timeout));
        let name = &service.register_name;
        match found.registrations.iter_mut().find(|r| r.0 == *name) {
            Some(known) => known.1 = known.1.max(wait),
            None => found.registrations.push((name.clone(), wait)),
        }
    }
    found
}

/// The file and everything it includes, each once.
fn with_includes(
    system: &SystemDirectory,
    name: &str,
    text: String,
) -> Result<Vec<(String, String)>, String> {
    let mut documents = vec![(name.to_owned(), text)];
    let mut at = 0;
    while at < documents.len() && at < INCLUDES_MAX {
        let (file, text) = &documents[at];
        let includes = ServerConfig::parse(file, text)
            .map_err(|p| p.id_first().to_string())?
            .includes;
        for include in includes {
            let location = include.location.trim_start_matches("./").to_owned();
            let inside =
                !location.starts_with('/') && !location.split('/').any(|part| part == "..");
            if documents.iter().any(|d| d.0 == location) {
                continue;
            }
            match read_text(&system.root.join(&location)) {
                Ok(text) if inside => documents.push((location, text)),
                _ if include.optional => {}
                Ok(_) => {
                    return Err(messages::si::include_outside(name, &location).to_string());
                }
                Err(error) => return Err(error.into()),
            }
        }
        at += 1;
    }
    Ok(documents)
}
