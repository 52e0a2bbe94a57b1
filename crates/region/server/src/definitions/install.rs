//! Installing definitions in a running region, and telling what would not install.
//!
//! A file that is open and a queue that is enabled are in use: they are not replaced. Programs and
//! transactions are; tasks that run keep what they began with.

use super::{CsdConfig, Installable, selected};
use crate::Inner;
use transom_csd::{Csd, Definition, ResourceKind};
use transom_messages as messages;
use transom_types::ProgramName;
use transom_wire::SUPPLIED;
use transom_wire::definitions::request::Wanted;
use transom_wire::definitions::{FileEntry, ProgramEntry, TdQueueEntry};

/// Installs definitions, or only tells what would not install.
pub(super) fn all(
    inner: &Inner,
    config: &CsdConfig,
    csd: &Csd,
    wanted: &Wanted,
    really: bool,
) -> Vec<String> {
    let mut lines = Vec::new();
    for definition in selected(csd, wanted) {
        let what = format!("{}({})", definition.kind.keyword(), definition.name);
        lines.push(match one(inner, config, definition, really) {
            Ok(true) if really => format!("{what} {}", messages::am::installed()),
            Ok(true) => format!("{what} {}", messages::am::installable()),
            Ok(false) => format!("{what} {}", messages::am::at_next_start()),
            Err(text) => format!("{what} {text}"),
        });
        if !really {
            lines.extend(missing(inner, csd, definition).map(|text| format!("{what} {text}")));
        }
    }
    lines
}

/// A definition names another one that is nowhere.
fn missing(inner: &Inner, csd: &Csd, definition: &Definition) -> Option<String> {
    let named = match definition.kind {
        ResourceKind::Transaction => definition.get("PROGRAM")?,
        _ => return None,
    };
    let groups = csd.groups().filter_map(|group| csd.group(group));
    let known = groups
        .flatten()
        .any(|d| d.kind == ResourceKind::Program && d.name == named);
    let program = ProgramName::from_field(named.as_bytes());
    let installed = ProgramEntry::find(inner.pool.shared(), program).is_some();
    let module = inner.resources.newest_module(program).is_some();
    (!known && !installed && !module).then(|| messages::am::program_not_defined(named).to_string())
}

/// `false`: the next start installs it.
fn one(
    inner: &Inner,
    config: &CsdConfig,
    definition: &Definition,
    really: bool,
) -> Result<bool, String> {
    let wrong = |text: String| messages::am::not_installable(&text).to_string();
    if definition.kind == ResourceKind::File {
        return file(
            inner,
            &FileEntry::from_definition(definition).map_err(wrong)?,
            really,
        );
    }
    let Some(convert) = config.convert else {
        return Ok(false);
    };
    let Some(installable) = convert(definition).map_err(wrong)? else {
        return Ok(false);
    };
    if let Installable::Transaction(entry) = &installable
        && inner.resources.is_supplied(entry.transid)
    {
        return Err(wrong("a transaction of the region itself".into()));
    }
    if let Installable::Program(entry) = &installable
        && let Some(old) = ProgramEntry::find(inner.pool.shared(), entry.program)
        && old.path.starts_with(SUPPLIED)
    {
        return Err(wrong("a program of the region itself".into()));
    }
    if let Installable::TdQueue(queue) = &installable
        && let Some(old) = TdQueueEntry::find(inner.pool.shared(), queue.name)
        && old.enabled
    {
        return Err(messages::am::in_use_disable().to_string());
    }
    if !really {
        return Ok(true);
    }
    match put(inner, installable) {
        true => Ok(true),
        false => Err(messages::sm::shared_full().to_string()),
    }
}

fn file(inner: &Inner, file: &FileEntry, really: bool) -> Result<bool, String> {
    let shared = inner.pool.shared();
    let old = FileEntry::find(shared, file.name);
    if old.is_some_and(|old| old.shape.is_some()) {
        return Err(messages::am::in_use_close().to_string());
    }
    if really {
        file.warning().into_iter().for_each(|text| inner.tell(text));
        let files = &inner.services.files;
        let said = files.install(std::slice::from_ref(file), shared);
        return said.into_iter().next().map_or(Ok(true), Err);
    }
    Ok(true)
}

fn put(inner: &Inner, installable: Installable) -> bool {
    let shared = inner.pool.shared();
    match installable {
        Installable::Transaction(entry) => entry.install(shared),
        Installable::Program(mut entry) => {
            entry.path = inner
                .resources
                .newest_module(entry.program)
                .unwrap_or_default();
            entry.install(shared)
        }
        Installable::Class(limit) => {
            inner.dispatcher.install_class(limit);
            true
        }
        Installable::TdQueue(queue) => queue.install(shared),
        Installable::TsModels(models) => models.iter().all(|model| model.install(shared)),
        Installable::Profile(profile) => profile.install(shared),
        Installable::Accepted => true,
    }
}
