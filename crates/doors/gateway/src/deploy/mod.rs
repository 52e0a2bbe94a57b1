//! Archives become installed services and APIs, on disk and in the catalog, or nothing happens.
//!
//! All of this runs on blocking threads, one deployment at a time; a start reads and compiles
//! archives side by side, and requests see all of them at once. The file is written beside its
//! place, synced and renamed as the last step before the swap, so a crash leaves the old or the new
//! archive.

mod compile;
mod conversion;
mod files;
pub(crate) mod folder;
mod rest;
mod side_by_side;
pub(crate) mod sources;

use crate::bind_services::DATA_XFORM;
use crate::change::{Change, Refusal, StorageError};
use crate::definition::ApiDefinition;
use crate::door::Door;
use compile::invalid;
use files::Folder;
use sources::{ApiSource, Fingerprint, ServiceSource, Sources, fingerprint};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_apidef::aar::ApiArchive;
use transom_apidef::plan::AnyPlan;
use transom_apidef::sar::ServiceArchive;

/// New or an update of what has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Nothing of that name may be there.
    New,
    /// The archive must be of this name.
    Update(String),
    /// Whatever is there is replaced: the folder is the truth.
    Replace,
}

/// Deploys a service archive. Gives its name.
pub(crate) fn service(
    door: &Door,
    bytes: &[u8],
    mode: Mode,
    started: bool,
) -> Result<String, Refusal> {
    let archive = ServiceArchive::read("archive", bytes).map_err(invalid)?;
    let (plan, said) = compile::service_plan(door, archive)?;
    said.into_iter().for_each(|line| door.operator.tell(line));
    let name = put_service(door, plan, Store::Bytes(bytes), &mode, started)?;
    door.catalog.publish();
    Ok(name)
}

/// Deploys an API archive. Gives its name.
pub(crate) fn api(door: &Door, bytes: &[u8], mode: Mode, started: bool) -> Result<String, Refusal> {
    let archive = ApiArchive::read("archive", bytes).map_err(invalid)?;
    let name = put_api(door, archive, Store::Bytes(bytes), &mode, started)?;
    door.catalog.publish();
    Ok(name)
}

/// Takes a service and its archive away.
pub(crate) fn remove_service(door: &Door, name: &str) -> Result<(), Refusal> {
    take_service(door, name)?;
    door.catalog.publish();
    Ok(())
}

/// Takes an API and its archive away.
pub(crate) fn remove_api(door: &Door, name: &str) -> Result<(), Refusal> {
    take_api(door, name)?;
    door.catalog.publish();
    Ok(())
}

fn take_service(door: &Door, name: &str) -> Result<(), Refusal> {
    let mut sources = door.deployments.lock();
    let source = sources.services.get(name).ok_or(Refusal::Unknown)?;
    if source.configured {
        return Err(Refusal::Conflict(format!(
            "service {name} is defined in server.xml"
        )));
    }
    let file = source.file.clone();
    let mut changes = vec![Change::RemoveService(name.to_owned())];
    changes.extend(recompile(door, &sources, name, None)?);
    door.catalog.change(changes, || {
        door.deployments.services.remove(file.as_deref())
    })?;
    sources.services.remove(name);
    Ok(())
}

fn take_api(door: &Door, name: &str) -> Result<(), Refusal> {
    let mut sources = door.deployments.lock();
    let file = sources.apis.get(name).ok_or(Refusal::Unknown)?.file.clone();
    let change = vec![Change::RemoveApi(name.to_owned())];
    door.catalog
        .change(change, || door.deployments.apis.remove(file.as_deref()))?;
    sources.apis.remove(name);
    Ok(())
}

/// Where the archive is kept.
enum Store<'a> {
    /// To be written.
    Bytes(&'a [u8]),
    /// It lies there already.
    File(PathBuf, Fingerprint),
    /// Nowhere: defined in server.xml.
    Configured,
}

fn put_service(
    door: &Door,
    plan: AnyPlan,
    store: Store<'_>,
    mode: &Mode,
    started: bool,
) -> Result<String, Refusal> {
    let name = plan.name().to_owned();
    let mut sources = door.deployments.lock();
    let old = sources.services.get(&name);
    check_mode("service", &name, old.is_some(), mode)?;
    if old.is_some_and(|o| o.configured) && !matches!(store, Store::Configured) {
        return Err(Refusal::Conflict(format!(
            "service {name} is defined in server.xml"
        )));
    }
    let old_file = old.and_then(|o| o.file.clone());
    let scope = door.config.services.get(&name);
    let uris = scope.map(|s| s.invoke_uris.clone()).unwrap_or_default();
    let mut definition = compile::service(&plan, uris);
    if matches!(store, Store::Configured) {
        definition.data_xform = DATA_XFORM.into();
    }
    if let Some(connection) = scope.and_then(|s| s.connection.clone()) {
        definition.connection = connection;
    }
    if let AnyPlan::Rest(rest) = &plan {
        definition.rest = Some(compile::backend(door, rest, &definition.connection)?);
    }
    let policy = door.policies.service(&door.config, &name);
    let mut changes = vec![Change::Service(Box::new(definition), policy, started)];
    changes.extend(recompile(door, &sources, &name, Some(&plan))?);
    let mut file = None;
    door.catalog.change(changes, || {
        file = write(
            &door.deployments.services,
            &name,
            old_file.as_deref(),
            &store,
        )?;
        Ok(())
    })?;
    let configured = matches!(store, Store::Configured);
    let fingerprint = store.fingerprint();
    sources.services.insert(
        name.clone(),
        ServiceSource {
            plan,
            file,
            fingerprint,
            configured,
        },
    );
    Ok(name)
}

fn put_api(
    door: &Door,
    archive: ApiArchive,
    store: Store<'_>,
    mode: &Mode,
    started: bool,
) -> Result<String, Refusal> {
    let sources = &mut *door.deployments.lock();
    check_mode(
        "API",
        &archive.name,
        sources.apis.get(&archive.name).is_some(),
        mode,
    )?;
    let lookup = |service: &str| sources.services.get(service).map(|s| s.plan.clone());
    let definition = compile::api(&archive, lookup)?;
    put_compiled_api(door, sources, (archive, definition), store, started)
}

/// An API whose services have not changed since it was compiled.
fn put_compiled_api(
    door: &Door,
    sources: &mut Sources,
    (archive, definition): (ApiArchive, ApiDefinition),
    store: Store<'_>,
    started: bool,
) -> Result<String, Refusal> {
    let name = archive.name.clone();
    let old_file = sources.apis.get(&name).and_then(|o| o.file.clone());
    let policy = door.policies.api(&door.config, &name);
    let mut file = None;
    door.catalog.change(
        vec![Change::Api(Box::new(definition), policy, started)],
        || {
            file = write(&door.deployments.apis, &name, old_file.as_deref(), &store)?;
            Ok(())
        },
    )?;
    let source = ApiSource {
        archive: Arc::new(archive),
        file,
        fingerprint: store.fingerprint(),
    };
    sources.apis.insert(name.clone(), source);
    Ok(name)
}

/// The APIs that call a service, compiled against its new plan (`None`: it goes).
fn recompile(
    door: &Door,
    sources: &Sources,
    service: &str,
    plan: Option<&AnyPlan>,
) -> Result<Vec<Change>, Refusal> {
    let mut changes = Vec::new();
    for (name, started) in door.catalog.callers(service) {
        let Some(source) = sources.apis.get(&name) else {
            continue;
        };
        let lookup = |wanted: &str| {
            if wanted == service {
                return plan.cloned();
            }
            sources.services.get(wanted).map(|s| s.plan.clone())
        };
        let definition = compile::api(&source.archive, lookup).map_err(|e| match e {
            Refusal::Invalid(text) => Refusal::Conflict(format!(
                "API {name} does not fit service {service} any more: {text}"
            )),
            other => other,
        })?;
        let policy = door.policies.api(&door.config, &name);
        changes.push(Change::Api(Box::new(definition), policy, started));
    }
    Ok(changes)
}

fn check_mode(what: &str, name: &str, exists: bool, mode: &Mode) -> Result<(), Refusal> {
    files::check_name(name).map_err(|e| Refusal::Invalid(e.to_string()))?;
    match mode {
        Mode::New if exists => Err(Refusal::Conflict(format!(
            "{what} {name} is installed already"
        ))),
        Mode::Update(expected) if expected != name => Err(Refusal::Conflict(format!(
            "the archive is for {what} {name}, not for {expected}"
        ))),
        _ => Ok(()),
    }
}

fn write(
    folder: &Folder,
    name: &str,
    old: Option<&Path>,
    store: &Store<'_>,
) -> Result<Option<PathBuf>, StorageError> {
    match store {
        Store::Bytes(bytes) => folder.write(name, old, bytes),
        Store::File(path, _) => Ok(Some(path.clone())),
        Store::Configured => Ok(None),
    }
}

impl Store<'_> {
    fn fingerprint(&self) -> Fingerprint {
        match self {
            Store::Bytes(bytes) => fingerprint(bytes),
            Store::File(_, fingerprint) => *fingerprint,
            Store::Configured => [0; 32],
        }
    }
}
