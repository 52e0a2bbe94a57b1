//! EXEC CICS INQUIRE TDQUEUE (with START, NEXT, END) and SET TDQUEUE.
//!
//! An indirect or remote queue answers its own definition. Conditions: QIDERR 1 (no such queue),
//! ILLOGIC 1, END 2 (browse); SET: INVREQ 1 (an indirect or remote queue), 5 (TRIGGERLEVEL not 0 to
//! 32,767, or not an intrapartition queue), 6 (a value that is not allowed). Closing a file lets it
//! begin anew when it is opened.

use super::answer::{either, no_value};
use super::kind::{self, Verb};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_region_data::of_queue;
use transom_resources::ResourceKind;
use transom_types::{Resp, TermId, TransId, UserId};
use transom_wire::definitions::{TdKind, TdQueueEntry, TdRecovery};
use transom_wire::language::whole;
use transom_wire::transient_data::Action;

/// INQUIRE TDQUEUE.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let Some(entry) = kind::inquired::<TdQueueEntry>(cx)? else {
        return NORMAL;
    };
    let intra = entry.kind == TdKind::Intra;
    let items = if intra && cx.has(opt::NUMITEMS) | cx.has(opt::EMPTYSTATUS) {
        let answer = cx.ask(&of_queue(cx, entry.name, Action::Inquire))?;
        whole::<u64>(&answer).unwrap_or(0)
    } else {
        0
    };
    kind::answer(cx, &entry);
    cx.set_number(opt::NUMITEMS, items.min(i32::MAX as u64) as i64);
    cx.set_cvda(opt::EMPTYSTATUS, either(items == 0, "EMPTY", "NOTEMPTY"));
    describe(cx, &entry);
    if intra {
        trigger(cx, &entry);
    } else {
        no_value(
            cx,
            &[opt::ATITERMID, opt::ATITRANID, opt::ATIUSERID],
            &[opt::TRIGGERLEVEL],
            &[opt::ATIFACILITY, opt::RECOVSTATUS],
        );
    }
    NORMAL
}

fn describe(cx: &mut Cx<'_>, entry: &TdQueueEntry) {
    let kind = match entry.kind {
        TdKind::Intra => "INTRA",
        TdKind::Indirect => "INDIRECT",
        TdKind::Remote => "REMOTE",
        _ => "EXTRA",
    };
    cx.set_cvda(opt::TYPE, kind);
    cx.set_cvda(
        opt::ENABLESTATUS,
        either(entry.enabled, "ENABLED", "DISABLED"),
    );
    let extra = kind == "EXTRA";
    let only_extra = |yes, when, otherwise| match extra {
        true => either(yes, when, otherwise),
        false => "NOTAPPLIC",
    };
    cx.set_cvda(opt::OPENSTATUS, only_extra(entry.open, "OPEN", "CLOSED"));
    let input = entry.kind == TdKind::Input;
    let read = either(entry.backward, "RDBACK", "INPUT");
    cx.set_cvda(opt::IOTYPE, only_extra(input, read, "OUTPUT"));
    cx.set_cvda(
        opt::RECORDFORMAT,
        only_extra(entry.fixed, "FIXED", "VARIABLE"),
    );
    cx.set_cvda(opt::BLOCKFORMAT, only_extra(false, "BLOCKED", "UNBLOCKED"));
}

fn trigger(cx: &mut Cx<'_>, entry: &TdQueueEntry) {
    cx.set_number(opt::TRIGGERLEVEL, i64::from(entry.trigger_level));
    cx.set_text(
        opt::ATITRANID,
        entry.transid.as_ref().map_or("", TransId::as_str),
    );
    cx.set_text(
        opt::ATITERMID,
        entry.terminal.as_ref().map_or("", TermId::as_str),
    );
    cx.set_text(
        opt::ATIUSERID,
        entry.userid.as_ref().map_or("", UserId::as_str),
    );
    cx.set_cvda(
        opt::ATIFACILITY,
        either(entry.terminal.is_some(), "TERMINAL", "NOTERMINAL"),
    );
    let recovery = match entry.recovery {
        TdRecovery::No => "NOTRECOVABLE",
        TdRecovery::Physical => "PHYSICAL",
        TdRecovery::Logical => "LOGICAL",
    };
    cx.set_cvda(opt::RECOVSTATUS, recovery);
}

/// SET TDQUEUE.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let (_, before) = kind::named::<TdQueueEntry>(cx, Verb::Set)?;
    let mut entry = before.clone();
    if matches!(entry.kind, TdKind::Indirect | TdKind::Remote) {
        return raise(Resp::INVREQ, 1);
    }
    kind::check_values(cx, ResourceKind::TdQueue)?;
    let status = |on, off, cvda, yes, no| match cx.value_is(on, cvda, yes) {
        true => Some(true),
        false => cx.value_is(off, cvda, no).then_some(false),
    };
    let enabled = status(
        opt::ENABLED,
        opt::DISABLED,
        opt::ENABLESTATUS,
        "ENABLED",
        "DISABLED",
    );
    let open = status(opt::OPEN, opt::CLOSED, opt::OPENSTATUS, "OPEN", "CLOSED");
    entry.enabled = enabled.unwrap_or(entry.enabled);
    set_trigger(cx, &mut entry)?;
    let closes = open == Some(false) && entry.open && entry.kind != TdKind::Intra;
    if entry.kind != TdKind::Intra {
        entry.open = open.unwrap_or(entry.open);
    }
    kind::keep(cx, &before, &entry, Resp::INVREQ)?;
    if closes {
        cx.ask(&of_queue(cx, entry.name, Action::Close))?;
    }
    NORMAL
}

fn set_trigger(cx: &Cx<'_>, entry: &mut TdQueueEntry) -> Result<(), crate::command::Fail> {
    if let Some(level) = kind::number(cx, ResourceKind::TdQueue, opt::TRIGGERLEVEL)? {
        if entry.kind != TdKind::Intra {
            return raise(Resp::INVREQ, 5);
        }
        entry.trigger_level = level;
    }
    kind::change(cx, entry)?;
    if let Some(name) = cx.name::<4>(opt::ATITERMID) {
        entry.terminal = Some(TermId::from_field(&name)).filter(|name| !name.is_blank());
    }
    if cx.value_is(opt::NOTERMINAL, opt::ATIFACILITY, "NOTERMINAL") {
        entry.terminal = None;
    }
    Ok(())
}
