//! EXEC CICS DELAY: wait for a time.
//!
//! INTERVAL / FOR from now, TIME / UNTIL at a time of day; a time up to six hours ago has expired,
//! an earlier one is tomorrow's. REQID lets another task end the delay by CANCEL.
//! Conditions: EXPIRED (the time has passed already); INVREQ 4 (hours), 5 (minutes), 6 (seconds),
//! 22 (milliseconds) out of range.

use super::reqid::reqid;
use super::{post, when};
use crate::command::{Cx, Done, NORMAL, raise};
use crate::task;
use crate::task::wait::Reason;
use transom_monitoring::field;
use transom_types::{ReqId, Resp, SuspendValue};
use transom_wire::definitions::TaskEntry;
use transom_workers::seam::Waited;

/// The command.
pub(crate) fn delay(cx: &mut Cx<'_>) -> Done {
    post::check(cx);
    let now = cx.host.abstime_ms();
    let wait_ms = when::wait_ms(cx)?;
    let reqid = reqid(cx);
    if let Some(reqid) = reqid {
        crate::eib::set_reqid(cx.host.eib_mut(), reqid);
    }
    if wait_ms <= 0 {
        cx.host.yield_turn();
        return raise(Resp::EXPIRED, 0);
    }
    crate::terminal::output::flush_before_wait(cx)?;
    sleep(cx, now + wait_ms, reqid.unwrap_or(ReqId::BLANK))
}

fn sleep(cx: &mut Cx<'_>, until: i64, reqid: ReqId) -> Done {
    let number = cx.task.number;
    let reason = Reason {
        suspend_type: "ICWAIT",
        clock: field::ICDELAY,
        suspend_value: SuspendValue::BLANK,
        reqid,
    };
    loop {
        let rest = until.saturating_sub(cx.host.abstime_ms());
        if rest <= 0 {
            return NORMAL;
        }
        if task::wait::wait(cx, &reason, Some(rest as u64))? == Waited::TimedOut {
            return NORMAL;
        }
        // CANCEL takes the REQID away before it posts.
        let Some(mut entry) = TaskEntry::find(cx.host.shared(), number) else {
            continue;
        };
        let cancelled = !reqid.is_blank() && entry.reqid.is_blank();
        task::wait::awake(cx.host, &mut entry);
        if cancelled {
            return NORMAL;
        }
    }
}
