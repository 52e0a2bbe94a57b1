//! What lies in the folders is what is installed: at start, and again while `updateTrigger` is
//! `polled`.

use super::compile::{self, invalid};
use super::files::{Folder, Found};
use super::sources::fingerprint;
use super::{Mode, Store, put_api, put_service, remove_api, remove_service};
use crate::catalog::Refusal;
use crate::door::Door;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use transom_apidef::aar::ApiArchive;
use transom_apidef::archive::ARCHIVE_BYTES_MAX;
use transom_apidef::sar::ServiceArchive;
use transom_messages::{self as messages, Line, Severity};

/// Shortest `pollingRate`.
const POLL_MIN: Duration = Duration::from_millis(100);

/// Which folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Services,
    Apis,
}

/// Deploys everything in both folders. Gives one message per archive.
pub(crate) fn load_all(door: &Arc<Door>) -> Vec<Line> {
    let mut notices = load_configured(door);
    for kind in [Kind::Services, Kind::Apis] {
        match folder(door, kind).list() {
            Ok(found) => notices.extend(found.iter().map(|f| deploy(door, kind, &f.file))),
            Err(e) => {
                notices.push(messages::gw::folder_not_readable(format_args!("{kind:?}"), &e).into())
            }
        }
    }
    notices
}

/// Looks at the folders again and again, where server.xml says so.
pub(crate) fn poll_folders(door: &Arc<Door>) {
    let config = &door.config;
    for (kind, rate) in [
        (Kind::Services, config.services_poll),
        (Kind::Apis, config.apis_poll),
    ] {
        let Some(rate) = rate else { continue };
        let door = door.clone();
        tokio::spawn(async move {
            // Nothing is known yet: what was deployed at start is recognised by its fingerprint.
            let mut known = BTreeMap::new();
            let mut every = tokio::time::interval(rate.max(POLL_MIN));
            every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                every.tick().await;
                let door = door.clone();
                let before = std::mem::take(&mut known);
                let look = move || rescan(&door, kind, before);
                match tokio::task::spawn_blocking(look).await {
                    Ok(now) => known = now,
                    Err(_) => return,
                }
            }
        });
    }
}

fn rescan(
    door: &Arc<Door>,
    kind: Kind,
    mut known: BTreeMap<std::path::PathBuf, Found>,
) -> BTreeMap<std::path::PathBuf, Found> {
    // A folder that cannot be read is no reason to undeploy everything.
    let Ok(found) = folder(door, kind).list() else {
        return known;
    };
    let mut now = BTreeMap::new();
    for file in found {
        let before = known.remove(&file.file);
        if before.as_ref() != Some(&file) && !ours(door, kind, &file.file) {
            let said = deploy(door, kind, &file.file);
            door.operator.tell(said.at(Severity::Information));
        }
        now.insert(file.file.clone(), file);
    }
    for gone in known.keys() {
        withdraw(door, kind, gone);
    }
    now
}

/// True when the running version is what lies there: it was written by a deployment over HTTP.
fn ours(door: &Door, kind: Kind, file: &Path) -> bool {
    let Ok(bytes) = read(file) else { return false };
    let sources = door.deployments.lock();
    match kind {
        Kind::Services => sources.services.values().any(|s| s.matches(file, &bytes)),
        Kind::Apis => sources.apis.values().any(|s| s.matches(file, &bytes)),
    }
}

fn withdraw(door: &Door, kind: Kind, file: &Path) {
    let at = |f: &Option<std::path::PathBuf>| f.as_deref() == Some(file);
    let name = {
        let sources = door.deployments.lock();
        match kind {
            Kind::Services => sources
                .services
                .iter()
                .find(|(_, s)| at(&s.file))
                .map(|(n, _)| n.clone()),
            Kind::Apis => sources
                .apis
                .iter()
                .find(|(_, s)| at(&s.file))
                .map(|(n, _)| n.clone()),
        }
    };
    let Some(name) = name else { return };
    let done = match kind {
        Kind::Services => remove_service(door, &name),
        Kind::Apis => remove_api(door, &name),
    };
    if done.is_ok() {
        door.operator.tell(messages::gw::removed(name));
    }
}

fn deploy(door: &Arc<Door>, kind: Kind, file: &Path) -> Line {
    let shown = file.display();
    let done = read(file).and_then(|bytes| match kind {
        Kind::Services => {
            let archive = ServiceArchive::read(&shown.to_string(), &bytes).map_err(invalid)?;
            let plan = compile::service_plan(door, archive)?;
            let store = Store::File(file.to_owned(), fingerprint(&bytes));
            put_service(door, plan, store, &Mode::Replace, true)
        }
        Kind::Apis => {
            let archive = ApiArchive::read(&shown.to_string(), &bytes).map_err(invalid)?;
            let store = Store::File(file.to_owned(), fingerprint(&bytes));
            put_api(door, archive, store, &Mode::Replace, true)
        }
    });
    match (done, kind) {
        (Ok(name), Kind::Services) => messages::gw::service_installed(name, shown).into(),
        (Ok(name), Kind::Apis) => {
            let text =
                format!("BAQR7000I: z/OS Connect API archive file {name} installed successfully.");
            Line::text(Severity::Information, text)
        }
        (Err(refusal), _) => {
            let why = match refusal {
                Refusal::Invalid(text) | Refusal::Conflict(text) | Refusal::Storage(text) => text,
                Refusal::Unknown => "nothing of that name is installed".into(),
            };
            messages::gw::not_deployed(shown, why).into()
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Refusal> {
    let failed = |text: String| Refusal::Storage(format!("{}: {text}", file.display()));
    let size = std::fs::metadata(file)
        .map_err(|e| failed(e.to_string()))?
        .len();
    if size > ARCHIVE_BYTES_MAX as u64 {
        return Err(failed(format!("larger than {ARCHIVE_BYTES_MAX} bytes")));
    }
    std::fs::read(file).map_err(|e| failed(e.to_string()))
}

fn folder(door: &Door, kind: Kind) -> &Folder {
    match kind {
        Kind::Services => &door.deployments.services,
        Kind::Apis => &door.deployments.apis,
    }
}

/// Services that server.xml defines without an archive.
fn load_configured(door: &Arc<Door>) -> Vec<Line> {
    let mut notices = Vec::new();
    let mut seen = BTreeSet::new();
    for service in &door.config.configured_services {
        let name = service.name.clone();
        if !seen.insert(&service.name) {
            continue;
        }
        let done = compile::service_plan(door, service.clone())
            .and_then(|plan| put_service(door, plan, Store::Configured, &Mode::Replace, true));
        let told = match done {
            Ok(name) => messages::gw::service_defined(name),
            Err(Refusal::Invalid(text) | Refusal::Conflict(text) | Refusal::Storage(text)) => {
                messages::gw::service_refused(name, text)
            }
            Err(Refusal::Unknown) => messages::gw::service_not_installed(name),
        };
        notices.push(told.into());
    }
    notices
}
