//! EXEC CICS CANCEL: end a DELAY or POST, or take a START back, by REQID.
//!
//! Without REQID the task's own POST, as if it had never been made; the POST of another task is
//! posted early. A request whose time has come cannot be cancelled any more, nor a START PROTECT
//! before its syncpoint. TRANSID says where the command is to run, so it means nothing in one
//! region. Conditions: NOTFND (no such request; no REQID and no POST), SYSIDERR (another system).
//! Differs: TERMID is accepted and means nothing.

use super::post;
use super::reqid::reqid;
use crate::command::{Cx, Done, NORMAL, Remote, raise};
use transom_commands::opt;
use transom_types::{ReqId, Resp};
use transom_wire::Space;
use transom_wire::definitions::{DEFINITION, TaskEntry};
use transom_wire::interval::Request;

/// The command.
pub(crate) fn cancel(cx: &mut Cx<'_>) -> Done {
    if let Some(system) = cx.remote(opt::SYSID) {
        return Err(Remote::by_sysid(system, 0));
    }
    let Some(reqid) = reqid(cx) else {
        return if post::cancel_own(cx) {
            NORMAL
        } else {
            raise(Resp::NOTFND, 0)
        };
    };
    crate::eib::set_reqid(cx.host.eib_mut(), reqid);
    if delay(cx, reqid) || post::cancel(cx, reqid) {
        return NORMAL;
    }
    cx.ask(&Request::Cancel(reqid))?;
    NORMAL
}

fn delay(cx: &mut Cx<'_>, reqid: ReqId) -> bool {
    let shared = cx.host.shared();
    for group in shared.group_names(Space::Task) {
        let mut post = None;
        shared.with_group(Space::Task, &group, &mut |group| {
            let Some(mut entry) = group.get(DEFINITION).and_then(TaskEntry::decode) else {
                return;
            };
            if entry.reqid == reqid && !reqid.is_blank() {
                entry.reqid = ReqId::BLANK;
                group.put(DEFINITION, &entry.encode());
                post = Some(entry.task_number);
            }
        });
        if let Some(task) = post {
            cx.host.post(task);
            return true;
        }
    }
    false
}
