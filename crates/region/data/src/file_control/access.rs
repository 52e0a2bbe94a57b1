//! The file a command names: is it there, open, enabled, and may it be used so.

use super::known::KnownFile;
use std::rc::Rc;
use transom_commands::opt;
use transom_region_task::command::{Cx, Fail, Remote, Resource, raise};
use transom_types::{FileName, Resp};
use transom_wire::definitions::{Enablement, FileEntry, FileShape, FileUse};
use transom_wire::file_control::{Action, FileRequest};
use transom_wire::requests::{RegionAnswer, ToRegion};

/// A file that can be used.
pub(super) struct Target {
    pub name: FileName,
    pub entry: Rc<FileEntry>,
    pub shape: Rc<FileShape>,
}

impl Target {
    /// Sends a request about the file.
    pub(super) fn ask(&self, cx: &mut Cx<'_>, action: Action) -> Result<Vec<u8>, Fail> {
        ask(cx, self.name, action)
    }

    /// The same with the whole answer.
    pub(super) fn answered(&self, cx: &mut Cx<'_>, action: Action) -> Result<RegionAnswer, Fail> {
        answered(cx, self.name, action)
    }

    /// Sends a request with the next one. Nothing may be able to refuse it.
    pub(super) fn ask_later(&self, cx: &mut Cx<'_>, action: Action) {
        let file = self.name;
        cx.host.ask_later(FileRequest { file, action }.message());
    }
}

/// The file of the command; a closed one is opened. Conditions: FILENOTFOUND 1, DISABLED 50,
/// NOTOPEN 60, SYSIDERR 130, INVREQ 20 (the definition does not allow it); those of
/// `check_sharing`.
pub(super) fn target(
    cx: &mut Cx<'_>,
    used: Option<FileUse>,
    allowed: impl Fn(&FileEntry) -> bool,
) -> Result<Target, Fail> {
    let name = name(cx)?;
    let Some(mut file) = known(cx, name) else {
        return raise(Resp::FILENOTFOUND, 1);
    };
    if let Some(used) = used {
        FileEntry::count(cx.host.shared(), name, used, 1);
    }
    let entry = file.entry.clone();
    if !entry.remote_system.is_blank() {
        let there = match entry.remote_name.is_blank() {
            true => name,
            false => entry.remote_name,
        };
        let there = Some((opt::FILE, there.as_bytes().to_vec()));
        let by = Some(Resource::File(name));
        return Err(Remote::of(entry.remote_system, there, 130, by));
    }
    match entry.status {
        Enablement::Disabled => return raise(Resp::DISABLED, 50),
        ending if ending.is_ending() && !cx.task.files.uses(name, file.shape.as_deref()) => {
            return match ending {
                Enablement::Disabling => raise(Resp::DISABLED, 50),
                _ => raise(Resp::NOTOPEN, 60),
            };
        }
        _ => {}
    }
    if !allowed(&entry) {
        return raise(Resp::INVREQ, 20);
    }
    check_sharing(cx, &entry)?;
    if file.shape.is_none() {
        if entry.status == Enablement::Unenabled {
            return raise(Resp::NOTOPEN, 60);
        }
        ask(cx, name, Action::Open)?;
        file = known(cx, name).unwrap_or(file);
    }
    let entry = file.entry.clone();
    match file.shape.clone() {
        Some(shape) => Ok(Target { name, entry, shape }),
        None => raise(Resp::NOTOPEN, 60),
    }
}

fn known(cx: &mut Cx<'_>, name: FileName) -> Option<Rc<KnownFile>> {
    cx.region.caches.file(cx.host.shared(), name)
}

/// FILE, for EIBRSRCE and EIBDS too. Condition: SYSIDERR 130 (another system).
pub(super) fn name(cx: &mut Cx<'_>) -> Result<FileName, Fail> {
    let name = FileName::from_field(&cx.name::<8>(opt::FILE).unwrap_or([b' '; 8]));
    cx.resource(name.as_bytes());
    transom_region_task::eib::set_file(cx.host.eib_mut(), name.as_bytes());
    if let Some(system) = cx.remote(opt::SYSID) {
        return Err(Remote::by_sysid(system, 130));
    }
    Ok(name)
}

/// One round trip; what the region says goes to the log.
pub fn ask(cx: &mut Cx<'_>, file: FileName, action: Action) -> Result<Vec<u8>, Fail> {
    answered(cx, file, action).map(|answer| answer.data)
}

/// The same with the whole answer.
fn answered(cx: &mut Cx<'_>, file: FileName, action: Action) -> Result<RegionAnswer, Fail> {
    let answer = transom_region_task::command::ask_region(cx.host, &FileRequest { file, action });
    match answer.abend {
        Some(code) => Err(Fail::Abend(code, answer.text)),
        None if answer.resp == Resp::NORMAL => Ok(answer),
        None => {
            if !answer.text.is_empty() {
                cx.host.log(&answer.text);
            }
            raise(answer.resp, answer.resp2)
        }
    }
}

/// Conditions of a file without record level sharing: INVREQ 52 (CONSISTENT), 53 (REPEATABLE), 55
/// (NOSUSPEND).
fn check_sharing(cx: &Cx<'_>, entry: &FileEntry) -> Result<(), Fail> {
    if entry.rls {
        return Ok(());
    }
    match cx
        .call
        .keyword_of(&[opt::CONSISTENT, opt::REPEATABLE, opt::NOSUSPEND])
    {
        Some(opt::CONSISTENT) => raise(Resp::INVREQ, 52),
        Some(opt::REPEATABLE) => raise(Resp::INVREQ, 53),
        Some(_) => raise(Resp::INVREQ, 55),
        None => Ok(()),
    }
}
