//! EXEC CICS INQUIRE TRANSACTION (with START, NEXT, END) and SET TRANSACTION.
//!
//! Conditions: TRANSIDERR 1 (no such transaction), ILLOGIC 1, END 2 (browse); SET: INVREQ 4 (a
//! value that is not allowed), 3 (PRIORITY not 0 to 255), or what the region answers.

use super::answer::{constants, either, tell};
use super::browse::{Wanted, wanted};
use super::change::ask;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_resources::ResourceKind;
use transom_types::SetRequest;
use transom_types::{Resp, TransClass, TransId};
use transom_wire::Space;
use transom_wire::definitions::TransactionEntry;

/// INQUIRE TRANSACTION.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let Wanted::Name(name) = wanted(cx, Space::Transaction, opt::TRANSACTION, 4)? else {
        return NORMAL;
    };
    let Some(entry) = TransactionEntry::find(cx.host.shared(), TransId::from_field(&name)) else {
        return raise(Resp::TRANSIDERR, 1);
    };
    attributes(cx, &entry);
    NORMAL
}

/// What INQUIRE TRANSACTION and INQUIRE TASK both tell about a transaction.
pub(super) fn attributes(cx: &mut Cx<'_>, entry: &TransactionEntry) {
    constants(cx, ResourceKind::Transaction);
    entry.answers(&mut |option, told| tell(cx, option, told));
    let runaway = entry.runaway_ms.unwrap_or(cx.region.facts.runaway_ms);
    cx.set_number(opt::RUNAWAY, runaway.min(i32::MAX as u64) as i64);
    let kind = either(entry.runaway_ms.is_none(), "SYSTEM", "USER");
    cx.set_cvda(opt::RUNAWAYTYPE, kind);
}

/// SET TRANSACTION.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<4>(opt::TRANSACTION).unwrap_or([b' '; 4]);
    cx.resource(&name);
    let name = TransId::from_field(&name);
    let Some(mut entry) = TransactionEntry::find(cx.host.shared(), name) else {
        return raise(Resp::TRANSIDERR, 1);
    };
    let enable = cx.value_is(opt::ENABLED, opt::STATUS, "ENABLED");
    let disable = cx.value_is(opt::DISABLED, opt::STATUS, "DISABLED");
    if cx.has(opt::STATUS) && !enable && !disable {
        return raise(Resp::INVREQ, 4);
    }
    let priority = match cx.number(opt::PRIORITY).map(u8::try_from) {
        None => None,
        Some(Ok(priority)) => Some(priority),
        Some(Err(_)) => return raise(Resp::INVREQ, 3),
    };
    let before = entry.clone();
    change(cx, &mut entry);
    if entry != before && !entry.install(cx.host.shared()) {
        return raise(Resp::INVREQ, 0);
    }
    if enable || disable {
        ask(cx, SetRequest::TransactionEnabled(name, enable))?;
    }
    if let Some(priority) = priority {
        ask(cx, SetRequest::TransactionPriority(name, priority))?;
    }
    NORMAL
}

/// Attributes that need no more than the definition.
fn change(cx: &Cx<'_>, entry: &mut TransactionEntry) {
    entry.change(&|keyword, option, name| cx.value_is(keyword, option, name));
    if let Some(runaway) = cx
        .number(opt::RUNAWAY)
        .and_then(|ms| u64::try_from(ms).ok())
    {
        entry.runaway_ms = Some(runaway);
    }
    if cx.value_is(opt::SYSTEM, opt::RUNAWAYTYPE, "SYSTEM") {
        entry.runaway_ms = None;
    }
    if let Some(class) = cx.name::<8>(opt::TRANCLASS) {
        entry.class = match &class {
            b"DFHTCL00" => TransClass::BLANK,
            class => TransClass::from_field(class),
        };
    }
}
