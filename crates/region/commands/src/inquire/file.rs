//! EXEC CICS INQUIRE FILE (with START, NEXT, END) and SET FILE.
//!
//! A file that tasks use is closed or disabled when they have ended that; WAIT waits for it, NOWAIT
//! does not, FORCE purges them. Attributes can be changed while the file is closed and not enabled;
//! DISPOSITION and LSRPOOLNUM change nothing here, STRINGS is only shown:
//! requests never wait for a string. Conditions: FILENOTFOUND 1 (INQUIRE), 18 (SET); ILLOGIC 1, END
//! 2 (browse); INVREQ 1 (remote file), 2 (the file is open or enabled, or about to be closed), 4,
//! 5, 7, 11, 12, 14 (a value that is none), 21 (the task itself uses it); IOERR 17 (it cannot be
//! opened).

use super::answer::{either, no_value};
use super::kind::{self, Verb};
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::{OptionId, opt};
use transom_region_data::ask_file as ask;
use transom_resources::ResourceKind;
use transom_types::Resp;
use transom_wire::definitions::{Enablement, FileEntry, FileType, Recovery};
use transom_wire::file_control::{Action, Busy};

/// INQUIRE FILE.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let Some(entry) = kind::inquired::<FileEntry>(cx)? else {
        return NORMAL;
    };
    kind::answer(cx, &entry);
    let open = match (entry.shape.is_some(), entry.status) {
        (false, _) => "CLOSED",
        (true, Enablement::Unenabling) => "CLOSEREQUEST",
        (true, _) => "OPEN",
    };
    cx.set_cvda(opt::OPENSTATUS, open);
    let recovery = entry.recovery_in_effect();
    let backout = either(recovery != Recovery::None, "RECOVERABLE", "NOTRECOVABLE");
    cx.set_cvda(opt::RECOVSTATUS, backout);
    let forward = either(recovery == Recovery::All, "FWDRECOVABLE", "NOTFWDRCVBLE");
    cx.set_cvda(opt::FWDRECSTATUS, forward);
    data_set(cx, &entry);
    NORMAL
}

/// Answers about an open data set.
const STATES: [OptionId; 3] = [opt::TYPE, opt::OBJECT, opt::RBATYPE];

/// What is known of the data set: little while the file is closed.
fn data_set(cx: &mut Cx<'_>, entry: &FileEntry) {
    let Some(shape) = &entry.shape else {
        no_value(cx, &[opt::BASEDSNAME], &[opt::KEYPOSITION], &STATES);
        cx.set_number(opt::KEYLENGTH, i64::from(entry.key_length));
        cx.set_number(opt::RECORDSIZE, i64::from(entry.record_size));
        return;
    };
    let base = match shape.table.is_empty() {
        true => shape.base.split_once('/').map_or("", |(_, name)| name),
        // A data table is made of a base.
        false => &entry.dsname,
    };
    cx.set_text(opt::BASEDSNAME, base);
    let key_length = if shape.is_keyed() {
        shape.key_length
    } else {
        0
    };
    cx.set_number(opt::KEYLENGTH, i64::from(key_length));
    cx.set_number(opt::KEYPOSITION, i64::from(shape.key_offset));
    cx.set_number(opt::RECORDSIZE, i64::from(shape.record_max));
    let organization = match shape.organization {
        FileType::Ksds => "KSDS",
        FileType::Esds => "ESDS",
        FileType::Rrds => "RRDS",
    };
    cx.set_cvda(opt::TYPE, organization);
    cx.set_cvda(opt::OBJECT, either(shape.path, "PATH", "BASE"));
    let rba_type = "NOTEXTENDED";
    cx.set_cvda(opt::RBATYPE, rba_type);
}

/// SET FILE.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let (_, mut entry) = kind::named::<FileEntry>(cx, Verb::Set)?;
    let name = entry.name;
    if !entry.remote_system.is_blank() {
        return raise(Resp::INVREQ, 1);
    }
    kind::check_values(cx, ResourceKind::File)?;
    // To close or disable comes first: then the attributes may be changed.
    let busy = busy(cx);
    if cx.value_is(opt::DISABLED, opt::ENABLESTATUS, "DISABLED") {
        ask(cx, name, Action::Disable(busy))?;
    }
    if cx.value_is(opt::CLOSED, opt::OPENSTATUS, "CLOSED") {
        ask(cx, name, Action::Close(busy))?;
    }
    entry = FileEntry::find(cx.host.shared(), name).unwrap_or(entry);
    let before = entry.clone();
    let state = entry.clone();
    kind::change(cx, &mut entry)?;
    attributes(cx, &mut entry);
    if entry.status.is_ending() {
        // Not closed at once: what needs a closed file is passed over.
        entry = state.clone();
    }
    if entry != state && (entry.shape.is_some() || entry.status == Enablement::Enabled) {
        return raise(Resp::INVREQ, 2);
    }
    let open = cx.value_is(opt::OPEN, opt::OPENSTATUS, "OPEN");
    let enable = cx.value_is(opt::ENABLED, opt::ENABLESTATUS, "ENABLED");
    if (enable || open) && entry.status.is_ending() {
        return raise(Resp::INVREQ, 2);
    }
    if enable || (open && entry.status == Enablement::Unenabled) {
        entry.status = Enablement::Enabled;
    }
    kind::keep(cx, &before, &entry, Resp::INVREQ)?;
    if cx.has(opt::EMPTY) || cx.value_is(opt::EMPTYREQ, opt::EMPTYSTATUS, "EMPTYREQ") {
        opened(ask(cx, name, Action::Empty))?;
    }
    if open {
        opened(ask(cx, name, Action::Open))?;
    }
    NORMAL
}

/// WAIT, which is the default, NOWAIT or FORCE.
fn busy(cx: &Cx<'_>) -> Busy {
    if cx.value_is(opt::FORCE, opt::BUSY, "FORCE") {
        Busy::Force
    } else if cx.value_is(opt::NOWAIT, opt::BUSY, "NOWAIT") {
        Busy::NoWait
    } else {
        Busy::Wait
    }
}

/// Failing to open is IOERR here.
fn opened(done: Result<Vec<u8>, Fail>) -> Result<(), Fail> {
    match done {
        Err(Fail::Raise(Resp::NOTOPEN, _)) => raise(Resp::IOERR, 17),
        done => done.map(drop),
    }
}

fn attributes(cx: &Cx<'_>, entry: &mut FileEntry) {
    let dsname = cx
        .call
        .bytes(opt::DSNAME)
        .or_else(|| cx.call.bytes(opt::OBJECTNAME));
    if let Some(dsname) = dsname {
        let dsname = dsname.to_vec();
        String::from_utf8_lossy(&dsname)
            .trim()
            .clone_into(&mut entry.dsname);
    }
    if let Some(length) = cx
        .number(opt::KEYLENGTH)
        .and_then(|n| u16::try_from(n).ok())
    {
        entry.key_length = length;
    }
    if let Some(size) = cx
        .number(opt::RECORDSIZE)
        .and_then(|n| u32::try_from(n).ok())
    {
        entry.record_size = size;
    }
}
