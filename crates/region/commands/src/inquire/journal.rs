//! EXEC CICS INQUIRE JOURNALNAME (with START, NEXT, END) and SET JOURNALNAME.
//!
//! A browse shows the journals that were named in this run of the region. SET makes one that was
//! not. Conditions: JIDERR 1 (no such journal), 2 (SET: a name no journal can have), ILLOGIC 1, END
//! 2 (browse); SET: INVREQ 2 (ACTION and STATUS), 3 (the system log), 4 (ACTION), 5 (STATUS), 7
//! (FLUSH or RESET of a journal without file), IOERR 6.

use super::answer::either;
use super::browse::{Wanted, wanted_of};
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::opt;
use transom_types::{JournalName, Resp};
use transom_wire::definitions::JournalKind;
use transom_wire::journal::{JournalAction, JournalChange, JournalRequest, JournalState};

const NAME_BYTES: usize = 8;

/// INQUIRE JOURNALNAME.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let wanted = wanted_of(cx, opt::JOURNALNAME, NAME_BYTES, names)?;
    let Wanted::Name(name) = wanted else {
        return NORMAL;
    };
    let answer = ask(cx, JournalName::from_field(&name), JournalAction::Inquire)?;
    let Some(state) = JournalState::decode(&answer) else {
        return raise(Resp::JIDERR, 1);
    };
    let kind = match state.kind {
        JournalKind::Mvs => "MVS",
        JournalKind::Smf => "SMF",
        JournalKind::Dummy => "DUMMY",
    };
    cx.set_cvda(opt::TYPE, kind);
    let status = match state.failed {
        true => "FAILED",
        false => either(state.enabled, "ENABLED", "DISABLED"),
    };
    cx.set_cvda(opt::STATUS, status);
    cx.set_text(opt::STREAMNAME, &state.stream);
    NORMAL
}

/// SET JOURNALNAME.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<NAME_BYTES>(opt::JOURNALNAME);
    let name = JournalName::from_field(&name.unwrap_or([b' '; NAME_BYTES]));
    cx.resource(name.as_bytes());
    if matches!(name.as_str(), "DFHLOG" | "DFHSHUNT") {
        return raise(Resp::INVREQ, 3);
    }
    let action = if cx.value_is(opt::FLUSH, opt::ACTION, "FLUSH") {
        Some(JournalChange::Flush)
    } else if cx.value_is(opt::RESET, opt::ACTION, "RESET") {
        Some(JournalChange::Reset)
    } else if cx.has(opt::ACTION) {
        return raise(Resp::INVREQ, 4);
    } else {
        None
    };
    let status = if cx.value_is(opt::ENABLED, opt::STATUS, "ENABLED") {
        Some(JournalChange::Enable)
    } else if cx.value_is(opt::DISABLED, opt::STATUS, "DISABLED") {
        Some(JournalChange::Disable)
    } else if cx.has(opt::STATUS) {
        return raise(Resp::INVREQ, 5);
    } else {
        None
    };
    match (action, status) {
        (Some(_), Some(_)) => raise(Resp::INVREQ, 2),
        // It makes the journal known.
        (None, None) => set_to(cx, name, JournalChange::Enable),
        (Some(change), None) | (None, Some(change)) => set_to(cx, name, change),
    }
}

fn set_to(cx: &mut Cx<'_>, name: JournalName, change: JournalChange) -> Done {
    ask(cx, name, JournalAction::Set(change))?;
    NORMAL
}

fn ask(cx: &mut Cx<'_>, journal: JournalName, what: JournalAction) -> Result<Vec<u8>, Fail> {
    let transid = cx.task.transaction.transid;
    let request = JournalRequest {
        journal,
        transid,
        what,
    };
    cx.ask(&request)
}

fn names(cx: &mut Cx<'_>) -> Result<Vec<Vec<u8>>, Fail> {
    let names = ask(cx, JournalName::BLANK, JournalAction::List)?;
    Ok(names.chunks_exact(NAME_BYTES).map(<[u8]>::to_vec).collect())
}
