//! Waiting of a task, and how INQUIRE TASK shows it.

use crate::command::{Cx, Fail};
use transom_messages as messages;
use transom_monitoring::FieldId;
use transom_types::{AbendCode, ReqId, SuspendType, SuspendValue};
use transom_wire::definitions::TaskEntry;
use transom_workers::seam::{Host, Waited};

/// Why a task waits, as INQUIRE TASK shows it.
pub(crate) struct Reason {
    pub suspend_type: &'static str,
    /// Its clock in the monitoring record.
    pub clock: FieldId,
    pub suspend_value: SuspendValue,
    pub reqid: ReqId,
}

/// Waits and shows why. A purge ends the task.
pub(crate) fn wait(
    cx: &mut Cx<'_>,
    reason: &Reason,
    timeout_ms: Option<u64>,
) -> Result<Waited, Fail> {
    let number = cx.task.number;
    let now = cx.host.abstime_ms() as u64;
    let mut entry = TaskEntry::find(cx.host.shared(), number);
    if let Some(entry) = &mut entry {
        entry.suspend_type = SuspendType::from_field(reason.suspend_type.as_bytes());
        entry.suspend_value = reason.suspend_value;
        entry.suspended_abstime_ms = now;
        entry.reqid = reason.reqid;
        let _ = entry.install(cx.host.shared());
    }
    cx.host.waits_for(Some(reason.clock));
    let waited = cx.host.wait(timeout_ms);
    if let Some(entry) = &mut entry
        && waited != Waited::Posted
    {
        awake(cx.host, entry);
    }
    match waited {
        Waited::Purged(code) => Err(purged(cx, code, reason)),
        waited => Ok(waited),
    }
}

/// Shows the task as running again.
pub(crate) fn awake(host: &dyn Host, entry: &mut TaskEntry) {
    entry.suspend_type = SuspendType::BLANK;
    entry.suspend_value = SuspendValue::BLANK;
    entry.suspended_abstime_ms = 0;
    entry.reqid = ReqId::BLANK;
    let _ = entry.install(host.shared());
}

pub(crate) fn purged(cx: &mut Cx<'_>, code: AbendCode, reason: &Reason) -> Fail {
    let text = messages::xm::purged_waiting_for(
        cx.task.number,
        cx.task.transaction.transid,
        reason.suspend_type,
        reason.suspend_value,
    )
    .to_string();
    Fail::Abend(code, text)
}
