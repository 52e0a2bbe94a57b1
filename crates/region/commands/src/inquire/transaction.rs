//! EXEC CICS INQUIRE TRANSACTION (with START, NEXT, END) and SET TRANSACTION.
//!
//! Conditions: TRANSIDERR 1 (no such transaction), ILLOGIC 1, END 2 (browse); SET: INVREQ 4 (a
//! value that is not allowed), 3 (PRIORITY not 0 to 255), or what the region answers.

use super::answer::either;
use super::change::ask;
use super::kind::{self, Verb};
use crate::command::{Cx, Done, NORMAL};
use transom_commands::opt;
use transom_resources::ResourceKind;
use transom_types::{Resp, SetRequest};
use transom_wire::definitions::TransactionEntry;

/// INQUIRE TRANSACTION.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    if let Some(entry) = kind::inquired(cx)? {
        attributes(cx, &entry);
    }
    NORMAL
}

/// What INQUIRE TRANSACTION and INQUIRE TASK both tell about a transaction.
pub(super) fn attributes(cx: &mut Cx<'_>, entry: &TransactionEntry) {
    kind::answer(cx, entry);
    let runaway = entry.runaway_ms.unwrap_or(cx.region.facts.runaway_ms);
    cx.set_number(opt::RUNAWAY, runaway.min(i32::MAX as u64) as i64);
    let kind = either(entry.runaway_ms.is_none(), "SYSTEM", "USER");
    cx.set_cvda(opt::RUNAWAYTYPE, kind);
}

/// SET TRANSACTION.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let (_, before) = kind::named::<TransactionEntry>(cx, Verb::Set)?;
    let name = before.transid;
    let enable = cx.value_is(opt::ENABLED, opt::STATUS, "ENABLED");
    let disable = cx.value_is(opt::DISABLED, opt::STATUS, "DISABLED");
    kind::check_values(cx, ResourceKind::Transaction)?;
    let priority = kind::number(cx, ResourceKind::Transaction, opt::PRIORITY)?;
    let priority = priority.and_then(|priority| u8::try_from(priority).ok());
    let mut entry = before.clone();
    kind::change(cx, &mut entry)?;
    runaway(cx, &mut entry);
    kind::keep(cx, &before, &entry, Resp::INVREQ)?;
    if enable || disable {
        ask(cx, SetRequest::TransactionEnabled(name, enable))?;
    }
    if let Some(priority) = priority {
        ask(cx, SetRequest::TransactionPriority(name, priority))?;
    }
    NORMAL
}

fn runaway(cx: &Cx<'_>, entry: &mut TransactionEntry) {
    if let Some(runaway) = cx
        .number(opt::RUNAWAY)
        .and_then(|ms| u64::try_from(ms).ok())
    {
        entry.runaway_ms = Some(runaway);
    }
    if cx.value_is(opt::SYSTEM, opt::RUNAWAYTYPE, "SYSTEM") {
        entry.runaway_ms = None;
    }
}
