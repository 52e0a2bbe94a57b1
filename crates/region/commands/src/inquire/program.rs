//! EXEC CICS INQUIRE PROGRAM (with START, NEXT, END) and SET PROGRAM.
//!
//! Conditions: PGMIDERR 1 (no such program; SET 7), ILLOGIC 1, END 2 (browse); SET: INVREQ 2 (a
//! value that is not allowed), or what the region answers. A program without definition is not
//! autoinstalled by INQUIRE, as on CICS.

use super::answer::either;
use super::change::ask;
use super::kind::{self, Verb};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_resources::ResourceKind;
use transom_types::{Resp, SetRequest};
use transom_wire::Space;
use transom_wire::definitions::{Language, ProgramEntry, use_count};

/// INQUIRE PROGRAM.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let Some(entry) = kind::inquired::<ProgramEntry>(cx)? else {
        return NORMAL;
    };
    kind::answer(cx, &entry);
    let java = entry.language == Language::Java;
    cx.set_cvda(opt::RUNTIME, either(java, "JVM", "NATIVE"));
    let agent = either(entry.autoinstalled, "AUTOINSTALL", "GRPLIST");
    cx.set_cvda(opt::INSTALLAGENT, agent);
    let uses = use_count(cx.host.shared(), Space::Program, entry.program.as_bytes());
    cx.set_number(opt::USECOUNT, uses.min(i32::MAX as u64) as i64);
    let active = cx
        .task
        .levels
        .iter()
        .filter(|level| level.program == entry.program)
        .count();
    cx.set_number(opt::RESCOUNT, active as i64);
    cx.set_number(opt::LENGTH, i64::from(entry.length));
    if cx.has(opt::LOADPOINT) || cx.has(opt::ENTRYPOINT) {
        let loaded = (!entry.path.is_empty()).then(|| cx.host.load(&entry.module()).ok());
        let (start, entry) = loaded
            .flatten()
            .map_or((0, 0), |at| (at.load_point, at.entry));
        cx.call.set_pointer(opt::LOADPOINT, start);
        cx.call.set_pointer(opt::ENTRYPOINT, entry);
    }
    NORMAL
}

/// SET PROGRAM.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let (_, before) = kind::named::<ProgramEntry>(cx, Verb::Set)?;
    let name = before.program;
    let enable = cx.value_is(opt::ENABLED, opt::STATUS, "ENABLED");
    let disable = cx.value_is(opt::DISABLED, opt::STATUS, "DISABLED");
    kind::check_values(cx, ResourceKind::Program)?;
    let new_copy = cx.value_is(opt::NEWCOPY, opt::COPY, "NEWCOPY")
        || cx.value_is(opt::PHASEIN, opt::COPY, "PHASEIN");
    if cx.has(opt::COPY) && !new_copy && !kind::is_ignored(cx, opt::COPY) {
        return raise(Resp::INVREQ, 4);
    }
    let mut entry = before.clone();
    kind::change(cx, &mut entry)?;
    kind::keep(cx, &before, &entry, Resp::IOERR)?;
    if enable || disable {
        ask(cx, SetRequest::ProgramEnabled(name, enable))?;
    }
    if new_copy {
        ask(cx, SetRequest::ProgramNewCopy(name))?;
        cx.region.caches.modules.forget(&before.path);
    }
    NORMAL
}
