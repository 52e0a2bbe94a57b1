//! EXEC CICS STARTBR: begin a browse.
//!
//! A whole key of high values begins behind the last record, for READPREV. GTEQ is the default
//! except for an ESDS. Conditions: those of `access` and `rid`; NOTFND 80; INVREQ 33 (the REQID is
//! in use for the file).

use super::position::{begin, find, reqid};
use crate::file_control::access::target;
use crate::file_control::state::HELD_MAX;
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;
use transom_wire::definitions::{TaskEntry, file_users};

/// The command.
pub(crate) fn startbr(cx: &mut Cx<'_>) -> Done {
    let target = target(cx, None, |file| file.browse)?;
    let reqid = reqid(cx);
    if find(cx, target.name, reqid).is_some() || cx.task.files.browses.len() >= HELD_MAX {
        return raise(Resp::INVREQ, 33);
    }
    let browse = begin(cx, &target, reqid)?;
    let browses = &mut cx.task.files.browses;
    if !browses.iter().any(|other| other.file == target.name) {
        let shared = cx.host.shared();
        let alive = |task| TaskEntry::find(shared, task).is_some();
        file_users::enter(shared, target.name, cx.task.number, alive);
    }
    browses.push(browse);
    NORMAL
}
