//! EXEC CICS ENDBR: end a browse.
//!
//! Conditions: those of `access`; INVREQ 35 (no browse of the file has this REQID).

use super::locked;
use super::position::{find, reqid};
use crate::file_control::access::target;
use crate::file_control::events::browse_ended;
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;

/// The command.
pub(crate) fn endbr(cx: &mut Cx<'_>) -> Done {
    let target = target(cx, None, |_| true)?;
    let Some(at) = find(cx, target.name, reqid(cx)) else {
        return raise(Resp::INVREQ, 35);
    };
    let mut browse = cx.task.files.browses.swap_remove(at);
    let done = locked::let_go(cx, &target, &mut browse);
    browse_ended(cx.host, &cx.task.files, target.name, cx.task.number);
    done?;
    NORMAL
}
