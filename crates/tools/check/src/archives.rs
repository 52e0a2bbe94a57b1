//! What server.xml and the archives it names come to, without deploying them.
//!
//! Not here: reading server.xml (whoever starts a gateway), whether a program fits its service
//! (`services`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use transom_apidef::aar::ApiArchive;
use transom_apidef::plan::{AnyPlan, ApiPlan};
use transom_apidef::sar::{Carrier, ServiceArchive};
use transom_copybook::shape::{RecordFormat, Shape};
use transom_messages::{self as messages, Line};
use transom_system::{Finding, SystemDirectory, files};
use transom_types::ProgramName;

/// What server.xml names.
pub struct Archives {
    /// Services it configures itself.
    pub services: Vec<ServiceArchive>,
    /// Folder of service archives.
    pub services_dir: Option<PathBuf>,
    /// Folder of API archives.
    pub apis_dir: Option<PathBuf>,
    /// What there is to tell of server.xml.
    pub notices: Vec<Line>,
}

/// What an operation of an API runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Behind {
    /// The program its service links to.
    Program(ProgramName),
    /// A path of another server.
    Call(String),
}

/// An operation of an API and what is behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operation {
    /// GET, PUT and so on.
    pub(crate) method: String,
    /// With the API's base path.
    pub(crate) path: String,
    /// What it runs.
    pub(crate) behind: Behind,
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
pub(crate) fn check(
    system: &SystemDirectory,
    gateway: Result<Option<Archives>, String>,
) -> Checked {
    let mut checked = Checked::default();
    match gateway {
        Ok(Some(archives)) => {
            check_archives(system, &archives, &mut checked);
            let notices = archives.notices.iter();
            let notices = notices.map(|line| Finding::notice(line.to_string()));
            checked.findings.extend(notices);
        }
        Ok(None) => {}
        Err(text) => checked.findings.push(Finding::error(text)),
    }
    checked
}

/// What is wrong with the archives below `resources/zosconnect`, without deploying them.
fn check_archives(system: &SystemDirectory, archives: &Archives, checked: &mut Checked) {
    let findings = &mut checked.findings;
    let mut plans: HashMap<String, AnyPlan> = HashMap::new();
    let folder = |dir: &Option<PathBuf>, suffix| {
        dir.as_ref()
            .map(|d| files(d, &[suffix]))
            .unwrap_or_default()
    };
    let mut services = archives.services.clone();
    for file in folder(&archives.services_dir, "sar") {
        match read_archive(system, &file, ServiceArchive::read) {
            Ok(service) => services.push(service),
            Err(text) => findings.push(Finding::error(text)),
        }
    }
    for service in &services {
        match AnyPlan::new(service, &RecordFormat::region()) {
            Ok(plan) => {
                if let AnyPlan::Program(plan) = &plan {
                    checked.services.push(Service {
                        name: service.name.clone(),
                        program: plan.program,
                        areas: areas(service),
                    });
                }
                plans.insert(service.name.clone(), plan);
            }
            Err(problem) => findings.push(Finding::error(problem.id_first().to_string())),
        }
    }
    for file in folder(&archives.apis_dir, "aar") {
        let plan = read_archive(system, &file, ApiArchive::read).and_then(|api| {
            ApiPlan::with_calls(&api, |name| plans.get(name).cloned())
                .map_err(|p| p.id_first().to_string())
        });
        match plan {
            Ok((plan, calls)) => {
                let base = &plan.base_path;
                let programs = plan.operations.iter().map(|operation| Operation {
                    method: operation.method.clone(),
                    path: format!("{base}{}", operation.path),
                    behind: Behind::Program(operation.service.program),
                });
                let calls = calls.iter().map(|call| Operation {
                    method: call.method.clone(),
                    path: format!("{base}{}", call.path),
                    behind: Behind::Call(call.service.uri.clone()),
                });
                checked.operations.extend(programs.chain(calls));
            }
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
