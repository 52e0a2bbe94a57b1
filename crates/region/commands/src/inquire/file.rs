//! EXEC CICS INQUIRE FILE (with START, NEXT, END) and SET FILE.
//!
//! A file that tasks use is closed or disabled when they have ended that; WAIT waits for it, NOWAIT
//! does not, FORCE purges them. Attributes can be changed while the file is closed and not enabled;
//! DISPOSITION, LSRPOOLNUM and the data table options change nothing here, STRINGS is only shown:
//! requests never wait for a string. Conditions: FILENOTFOUND 1 (INQUIRE), 18 (SET); ILLOGIC 1, END
//! 2 (browse); INVREQ 1 (remote file), 2 (the file is open or enabled, or about to be closed), 21
//! (the task itself uses it); IOERR 17 (it cannot be opened).

use super::{Wanted, either, no_value, wanted};
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::file_control::{Action, Busy, ask};
use transom_commands::{OptionId, opt};
use transom_types::{ProgramName, Resp};
use transom_wire::Space;
use transom_wire::definitions::{Enablement, FileEntry, FileType, Recovery};

/// INQUIRE FILE.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let Wanted::Name(name) = wanted(cx, Space::File, opt::FILE, 8)? else {
        return NORMAL;
    };
    let Some(entry) = FileEntry::find(cx.host.shared(), ProgramName::from_field(&name)) else {
        return raise(Resp::FILENOTFOUND, 1);
    };
    state(cx, &entry);
    operations(cx, &entry);
    data_set(cx, &entry);
    cx.set_text(opt::REMOTENAME, entry.remote_name.as_str());
    cx.set_text(opt::REMOTESYSTEM, entry.remote_system.as_str());
    cx.set_number(opt::STRINGS, i64::from(entry.strings));
    cx.set_number(opt::JOURNALNUM, i64::from(entry.journal));
    cx.set_number(opt::LSRPOOLNUM, 1);
    cx.set_cvda(opt::TABLE, "NOTTABLE");
    cx.set_cvda(opt::REMOTETABLE, "NOTAPPLIC");
    cx.set_cvda(opt::LOADTYPE, "NOLOAD");
    cx.set_cvda(opt::RLSACCESS, either(entry.rls, "RLS", "NOTRLS"));
    let integrity = ["UNCOMMITTED", "CONSISTENT", "REPEATABLE"];
    let integrity = integrity.get(usize::from(entry.read_integrity));
    cx.set_cvda(opt::READINTEG, integrity.copied().unwrap_or("UNCOMMITTED"));
    no_value(
        cx,
        &[
            opt::CFDTPOOL,
            opt::TABLENAME,
            opt::INSTALLUSRID,
            opt::CHANGEUSRID,
            opt::CHANGEAGREL,
            opt::DEFINESOURCE,
        ],
        &[
            opt::BLOCKKEYLEN,
            opt::BLOCKSIZE,
            opt::MAXNUMRECS,
            opt::INSTALLTIME,
            opt::CHANGETIME,
            opt::DEFINETIME,
        ],
        &[
            opt::BLOCKFORMAT,
            opt::EXCLUSIVE,
            opt::RELTYPE,
            opt::UPDATEMODEL,
            opt::INSTALLAGENT,
            opt::CHANGEAGENT,
        ],
    );
    NORMAL
}

fn state(cx: &mut Cx<'_>, entry: &FileEntry) {
    let open = match (entry.shape.is_some(), entry.status) {
        (false, _) => "CLOSED",
        (true, Enablement::Unenabling) => "CLOSEREQUEST",
        (true, _) => "OPEN",
    };
    cx.set_cvda(opt::OPENSTATUS, open);
    let status = match entry.status {
        Enablement::Enabled => "ENABLED",
        Enablement::Disabled => "DISABLED",
        Enablement::Unenabled => "UNENABLED",
        Enablement::Disabling => "DISABLING",
        Enablement::Unenabling => "UNENABLING",
    };
    cx.set_cvda(opt::ENABLESTATUS, status);
    cx.set_cvda(opt::DISPOSITION, "SHARE");
    cx.set_cvda(opt::EMPTYSTATUS, "NOEMPTYREQ");
    cx.set_cvda(
        opt::RECOVSTATUS,
        either(entry.is_recoverable(), "RECOVERABLE", "NOTRECOVABLE"),
    );
    cx.set_cvda(
        opt::FWDRECSTATUS,
        either(
            entry.recovery == Recovery::All,
            "FWDRECOVABLE",
            "NOTFWDRCVBLE",
        ),
    );
}

fn operations(cx: &mut Cx<'_>, entry: &FileEntry) {
    for (option, allowed, yes, no) in [
        (opt::ADD, entry.add, "ADDABLE", "NOTADDABLE"),
        (opt::BROWSE, entry.browse, "BROWSABLE", "NOTBROWSABLE"),
        (opt::DELETE, entry.delete, "DELETABLE", "NOTDELETABLE"),
        (opt::READ, entry.read, "READABLE", "NOTREADABLE"),
        (opt::UPDATE, entry.update, "UPDATABLE", "NOTUPDATABLE"),
    ] {
        cx.set_cvda(option, either(allowed, yes, no));
    }
}

/// What is known of the data set: little while the file is closed.
fn data_set(cx: &mut Cx<'_>, entry: &FileEntry) {
    cx.set_text(opt::DSNAME, &entry.dsname);
    cx.set_cvda(opt::ACCESSMETHOD, "VSAM");
    cx.set_cvda(opt::RECORDFORMAT, either(entry.fixed, "FIXED", "VARIABLE"));
    let Some(shape) = &entry.shape else {
        cx.set_text(opt::BASEDSNAME, "");
        cx.set_number(opt::KEYLENGTH, i64::from(entry.key_length));
        cx.set_number(opt::KEYPOSITION, 0);
        cx.set_number(opt::RECORDSIZE, i64::from(entry.record_size));
        for option in [opt::TYPE, opt::OBJECT, opt::RBATYPE] {
            cx.set_cvda(option, "NOTAPPLIC");
        }
        return;
    };
    let base = shape.base.split_once('/').map_or("", |(_, name)| name);
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
    cx.set_cvda(opt::RBATYPE, "NOTEXTENDED");
}

/// SET FILE.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let name = ProgramName::from_field(&cx.name::<8>(opt::FILE).unwrap_or([b' '; 8]));
    cx.resource(name.as_bytes());
    let Some(mut entry) = FileEntry::find(cx.host.shared(), name) else {
        return raise(Resp::FILENOTFOUND, 18);
    };
    if !entry.remote_system.is_blank() {
        return raise(Resp::INVREQ, 1);
    }
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
    if entry != before && !entry.install(cx.host.shared()) {
        return raise(Resp::INVREQ, 0);
    }
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
    let chosen = |flag: &mut bool, cvda: OptionId, yes: (OptionId, &str), no: (OptionId, &str)| {
        let on = cx.value_is(yes.0, cvda, yes.1);
        let off = cx.value_is(no.0, cvda, no.1);
        *flag = (*flag || on) && !off;
    };
    chosen(
        &mut entry.add,
        opt::ADD,
        (opt::ADDABLE, "ADDABLE"),
        (opt::NOTADDABLE, "NOTADDABLE"),
    );
    chosen(
        &mut entry.browse,
        opt::BROWSE,
        (opt::BROWSABLE, "BROWSABLE"),
        (opt::NOTBROWSABLE, "NOTBROWSABLE"),
    );
    chosen(
        &mut entry.delete,
        opt::DELETE,
        (opt::DELETABLE, "DELETABLE"),
        (opt::NOTDELETABLE, "NOTDELETABLE"),
    );
    chosen(
        &mut entry.read,
        opt::READ,
        (opt::READABLE, "READABLE"),
        (opt::NOTREADABLE, "NOTREADABLE"),
    );
    chosen(
        &mut entry.update,
        opt::UPDATE,
        (opt::UPDATABLE, "UPDATABLE"),
        (opt::NOTUPDATABLE, "NOTUPDATABLE"),
    );
    chosen(
        &mut entry.rls,
        opt::RLSACCESS,
        (opt::RLS, "RLS"),
        (opt::NOTRLS, "NOTRLS"),
    );
    for (number, option, name) in [
        (0, opt::UNCOMMITTED, "UNCOMMITTED"),
        (1, opt::CONSISTENT, "CONSISTENT"),
        (2, opt::REPEATABLE, "REPEATABLE"),
    ] {
        if cx.value_is(option, opt::READINTEG, name) {
            entry.read_integrity = number;
        }
    }
    if let Some(strings @ 1..=255) = cx.number(opt::STRINGS) {
        entry.strings = strings as u16;
    }
    let dsname = cx
        .call
        .bytes(opt::DSNAME)
        .or_else(|| cx.call.bytes(opt::OBJECTNAME));
    if let Some(dsname) = dsname {
        String::from_utf8_lossy(dsname)
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
