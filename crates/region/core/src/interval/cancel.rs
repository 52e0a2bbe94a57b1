//! EXEC CICS CANCEL: end the DELAY of another task by its REQID.
//!
//! Conditions: NOTFND (no DELAY with this REQID), SYSIDERR (another system), INVREQ 0 (no REQID:
//! there is no POST to cancel). Differs: START requests do not exist yet.

use crate::command::{Cx, Done, NORMAL, raise};
use crate::definitions::{DEFINITION, TaskEntry};
use transom_commands::opt;
use transom_types::{ProgramName, Resp};
use transom_workers::seam::Space;

/// The command.
pub(crate) fn cancel(cx: &mut Cx<'_>) -> Done {
    if cx.is_remote(opt::SYSID) {
        return raise(Resp::SYSIDERR, 0);
    }
    let Some(reqid) = cx.name::<8>(opt::REQID) else {
        return raise(Resp::INVREQ, 0);
    };
    crate::eib::set_reqid(cx.host.eib_mut(), &reqid);
    let reqid = ProgramName::from_field(&reqid);
    let shared = cx.host.shared();
    for group in shared.group_names(Space::Task) {
        let mut post = None;
        shared.with_group(Space::Task, &group, &mut |group| {
            let Some(mut entry) = group.get(DEFINITION).and_then(TaskEntry::decode) else {
                return;
            };
            if entry.reqid == reqid && !reqid.is_blank() {
                entry.reqid = ProgramName::BLANK;
                group.put(DEFINITION, &entry.encode());
                post = Some(entry.task_number);
            }
        });
        if let Some(task) = post {
            cx.host.post(task);
            return NORMAL;
        }
    }
    raise(Resp::NOTFND, 0)
}
