//! server.xml and what it refers to, ready for the gateway.

use super::{Finding, SystemDirectory, files, read_text};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use transom_apidef::aar::ApiArchive;
use transom_apidef::plan::{ApiPlan, ServicePlan};
use transom_apidef::sar::{Carrier, ServiceArchive};
use transom_apidef::server::ServerConfig;
use transom_copybook::shape::{RecordFormat, Shape};
use transom_gateway::GatewayConfig;
use transom_messages::{self as messages, Line};
use transom_types::ProgramName;

/// A gateway's configuration and what is to be said about it.
pub(crate) struct Setup {
    pub(crate) config: GatewayConfig,
    pub(crate) notices: Vec<Line>,
    /// How programs in other processes are reached.
    pub(crate) adapters: Adapters,
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
    let from = GatewayConfig::from_server_xml(&server, &system.root).map_err(|e| e.to_string())?;
    let mut config = from.config;
    config.threads = system.settings.gateway.threads as usize;
    config.strict = system.settings.gateway.strict;
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

/// An operation of an API and the program behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operation {
    /// GET, PUT and so on.
    pub(crate) method: String,
    /// With the API's base path.
    pub(crate) path: String,
    /// The program its service links to.
    pub(crate) program: ProgramName,
}

/// A service and what it passes to its program.
#[derive(Debug, Clone)]
pub(crate) struct Service {
    pub(crate) name: String,
    /// The program it links to.
    pub(crate) program: ProgramName,
    pub(crate) areas: Vec<ServiceArea>,
}

/// One area of a service, one direction.
#[derive(Debug, Clone)]
pub(crate) struct ServiceArea {
    /// The container; none: the COMMAREA.
    pub(crate) container: Option<String>,
    /// The record of the direction.
    pub(crate) shape: Shape,
    /// First byte of the area in the record.
    pub(crate) offset: usize,
    /// Bytes at most.
    pub(crate) bytes: usize,
}

/// What server.xml and archives come to.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(crate) operations: Vec<Operation>,
    /// Services that run a program.
    pub(crate) services: Vec<Service>,
    pub(crate) findings: Vec<Finding>,
}

/// What server.xml and archives say that would not work, and the operations they make.
pub(crate) fn check(system: &SystemDirectory) -> Checked {
    let mut checked = Checked::default();
    match read(system) {
        Ok(Some(setup)) => {
            check_archives(system, &setup, &mut checked);
            let notices = setup.notices.iter();
            let notices = notices.map(|line| Finding::notice(line.to_string()));
            checked.findings.extend(notices);
        }
        Ok(None) => {}
        Err(text) => checked.findings.push(Finding::error(text)),
    }
    checked
}

/// What is wrong with the archives below `resources/zosconnect`, without deploying them.
fn check_archives(system: &SystemDirectory, setup: &Setup, checked: &mut Checked) {
    let findings = &mut checked.findings;
    let mut plans: HashMap<String, Arc<ServicePlan>> = HashMap::new();
    let folder = |dir: &Option<PathBuf>, suffix| {
        dir.as_ref()
            .map(|d| files(d, &[suffix]))
            .unwrap_or_default()
    };
    let mut services = setup.config.configured_services.clone();
    for file in folder(&setup.config.services_dir, "sar") {
        match read_archive(system, &file, ServiceArchive::read) {
            Ok(service) => services.push(service),
            Err(text) => findings.push(Finding::error(text)),
        }
    }
    for service in &services {
        match ServicePlan::new(service, &RecordFormat::region()) {
            Ok(plan) => {
                checked.services.push(Service {
                    name: service.name.clone(),
                    program: plan.program,
                    areas: areas(service),
                });
                plans.insert(service.name.clone(), Arc::new(plan));
            }
            Err(problem) => findings.push(Finding::error(problem.id_first().to_string())),
        }
    }
    for file in folder(&setup.config.apis_dir, "aar") {
        let plan = read_archive(system, &file, ApiArchive::read).and_then(|api| {
            ApiPlan::new(&api, |name| plans.get(name).cloned())
                .map_err(|p| p.id_first().to_string())
        });
        match plan {
            Ok(plan) => checked
                .operations
                .extend(plan.operations.iter().map(|operation| Operation {
                    method: operation.method.clone(),
                    path: format!("{}{}", plan.base_path, operation.path),
                    program: operation.service.program,
                })),
            Err(text) => findings.push(Finding::error(text)),
        }
    }
}

/// What a service passes, both ways.
fn areas(service: &ServiceArchive) -> Vec<ServiceArea> {
    let mut areas = Vec::new();
    for data in [&service.request, &service.response] {
        let area = |container, offset, bytes| ServiceArea {
            container,
            shape: data.shape.clone(),
            offset,
            bytes,
        };
        match &data.carrier {
            Carrier::Commarea => areas.push(area(None, 0, data.shape.max_len)),
            Carrier::Channel { containers, .. } => areas.extend(containers.iter().map(|place| {
                let name = place.name.as_str().to_owned();
                area(Some(name), place.offset, place.bytes)
            })),
        }
    }
    areas
}

fn read_archive<T>(
    system: &SystemDirectory,
    file: &Path,
    read: fn(&str, &[u8]) -> transom_apidef::Result<T>,
) -> Result<T, String> {
    let name = system.shown(file);
    let bytes = std::fs::read(file).map_err(|e| messages::si::not_read(&name, &e).to_string())?;
    read(&name, &bytes).map_err(|p| p.id_first().to_string())
}
