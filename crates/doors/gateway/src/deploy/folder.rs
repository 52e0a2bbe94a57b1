//! What lies in the folders is what is installed: at start, and again while `updateTrigger` is
//! `polled`.

use super::compile::{self, invalid};
use super::files::{Folder, Found, Listed};
use super::side_by_side::side_by_side;
use super::sources::fingerprint;
use super::{Mode, Store, check_mode, put_api, put_compiled_api, put_service};
use super::{take_api, take_service};
use crate::change::Refusal;
use crate::door::Door;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use transom_apidef::aar::ApiArchive;
use transom_apidef::archive::ARCHIVE_BYTES_MAX;
use transom_apidef::plan::AnyPlan;
use transom_apidef::sar::ServiceArchive;
use transom_messages::{self as messages, Line, Severity};

/// Shortest `pollingRate`.
const POLL_MIN: Duration = Duration::from_millis(100);
/// Changes of a polled folder that requests see together.
const SEEN_TOGETHER: usize = 64;

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
            Ok(listed) => {
                notices.extend(too_many(kind, &listed));
                match kind {
                    Kind::Services => load_services(door, &listed.found, &mut notices),
                    Kind::Apis => load_apis(door, &listed.found, &mut notices),
                }
            }
            Err(e) => {
                notices.push(messages::gw::folder_not_readable(format_args!("{kind:?}"), &e).into())
            }
        }
    }
    door.catalog.publish();
    notices
}

fn load_services(door: &Door, found: &[Found], notices: &mut Vec<Line>) {
    let compiled = side_by_side(found, |found| compile_service(door, &found.file));
    for (found, compiled) in found.iter().zip(compiled) {
        let done = compiled.and_then(|(plan, said, store)| {
            notices.extend(said);
            put_service(door, plan, store, &Mode::Replace, true)
        });
        notices.push(outcome(Kind::Services, &found.file, done));
    }
}

fn load_apis(door: &Door, found: &[Found], notices: &mut Vec<Line>) {
    // Nobody else deploys before the start is over.
    let sources = &mut *door.deployments.lock();
    let services = &sources.services;
    let plan = |service: &str| services.get(service).map(|s| s.plan.clone());
    let compiled = side_by_side(found, |found| {
        let (archive, store) = read_api(&found.file)?;
        check_mode("API", &archive.name, false, &Mode::Replace)?;
        let definition = compile::api(&archive, plan)?;
        Ok(((archive, definition), store))
    });
    for (found, compiled) in found.iter().zip(compiled) {
        let done =
            compiled.and_then(|(api, store)| put_compiled_api(door, sources, api, store, true));
        notices.push(outcome(Kind::Apis, &found.file, done));
    }
}

/// More archives than are deployed of one folder.
fn too_many(kind: Kind, listed: &Listed) -> Option<Line> {
    let last = listed.found.last()?.file.file_name()?.to_string_lossy();
    let deployed = listed.count - listed.beyond;
    let told =
        messages::gw::too_many_archives(format_args!("{kind:?}"), listed.count, deployed, last);
    (listed.beyond > 0).then(|| told.into())
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
            let mut known = Known::default();
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

/// What a folder had when it was looked at last.
#[derive(Default)]
struct Known {
    files: BTreeMap<PathBuf, Found>,
    /// Archives beyond the most that are deployed, as far as told.
    beyond: usize,
}

fn rescan(door: &Arc<Door>, kind: Kind, mut known: Known) -> Known {
    // A folder that cannot be read is no reason to undeploy everything.
    let Ok(listed) = folder(door, kind).list() else {
        return known;
    };
    let mut said = Vec::new();
    if listed.beyond > known.beyond {
        said.extend(too_many(kind, &listed));
    }
    let mut now = Known {
        beyond: listed.beyond,
        ..Known::default()
    };
    for found in listed.found {
        let before = known.files.remove(&found.file);
        if before.as_ref() != Some(&found) && !ours(door, kind, &found.file) {
            said.push(deploy(door, kind, &found.file).at(Severity::Information));
            if said.len() >= SEEN_TOGETHER {
                show(door, &mut said);
            }
        }
        now.files.insert(found.file.clone(), found);
    }
    for (file, found) in known.files {
        // Archives whose names come before it have not undeployed it.
        if now.beyond > 0 && file.exists() {
            now.files.insert(file, found);
            continue;
        }
        said.extend(withdraw(door, kind, &file));
    }
    show(door, &mut said);
    now
}

/// Requests see what was deployed, and the operator is told.
fn show(door: &Door, said: &mut Vec<Line>) {
    if said.is_empty() {
        return;
    }
    door.catalog.publish();
    said.drain(..).for_each(|line| door.operator.tell(line));
}

/// True when the running version is what lies there: it was written by a deployment over HTTP.
fn ours(door: &Door, kind: Kind, file: &Path) -> bool {
    let Ok(bytes) = read(file) else { return false };
    let sources = door.deployments.lock();
    match kind {
        Kind::Services => sources.services.runs(file, &bytes),
        Kind::Apis => sources.apis.runs(file, &bytes),
    }
}

/// Takes away what came from a file.
fn withdraw(door: &Door, kind: Kind, file: &Path) -> Vec<Line> {
    let names = {
        let sources = door.deployments.lock();
        match kind {
            Kind::Services => sources.services.of_file(file),
            Kind::Apis => sources.apis.of_file(file),
        }
    };
    let removed = names.into_iter().filter(|name| {
        let done = match kind {
            Kind::Services => take_service(door, name),
            Kind::Apis => take_api(door, name),
        };
        done.is_ok()
    });
    removed
        .map(|name| messages::gw::removed(name).into())
        .collect()
}

fn deploy(door: &Door, kind: Kind, file: &Path) -> Line {
    let done = match kind {
        Kind::Services => compile_service(door, file).and_then(|(plan, said, store)| {
            said.into_iter().for_each(|line| door.operator.tell(line));
            put_service(door, plan, store, &Mode::Replace, true)
        }),
        Kind::Apis => read_api(file)
            .and_then(|(archive, store)| put_api(door, archive, store, &Mode::Replace, true)),
    };
    outcome(kind, file, done)
}

type Compiled = (AnyPlan, Vec<Line>, Store<'static>);

fn compile_service(door: &Door, file: &Path) -> Result<Compiled, Refusal> {
    let bytes = read(file)?;
    let archive = ServiceArchive::read(&file.display().to_string(), &bytes).map_err(invalid)?;
    let (plan, said) = compile::service_plan(door, archive)?;
    let store = Store::File(file.to_owned(), fingerprint(&bytes));
    Ok((plan, said, store))
}

fn read_api(file: &Path) -> Result<(ApiArchive, Store<'static>), Refusal> {
    let bytes = read(file)?;
    let archive = ApiArchive::read(&file.display().to_string(), &bytes).map_err(invalid)?;
    Ok((archive, Store::File(file.to_owned(), fingerprint(&bytes))))
}

fn outcome(kind: Kind, file: &Path, done: Result<String, Refusal>) -> Line {
    let shown = file.display();
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
        let done = compile::service_plan(door, service.clone()).and_then(|(plan, said)| {
            notices.extend(said);
            put_service(door, plan, Store::Configured, &Mode::Replace, true)
        });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_beyond_the_limit_are_told_with_the_last_that_is_deployed() {
        let found = Found {
            file: "apis/orders.aar".into(),
            changed: std::time::SystemTime::UNIX_EPOCH,
            size: 1,
        };
        let mut listed = Listed {
            found: vec![found],
            count: 100_000,
            beyond: 90_000,
        };
        let told = too_many(Kind::Apis, &listed).unwrap().to_string();
        let text = "TXMGW0018W The folder of Apis has 100000 archives; 10000 are deployed, the \
                    last of them is orders.aar";
        assert_eq!(told, text);
        listed.beyond = 0;
        assert!(too_many(Kind::Apis, &listed).is_none());
    }
}
