//! EXEC CICS RESETBR: move a browse and change how it finds records.
//!
//! Conditions: those of `access` and `rid`; NOTFND 80 (the browse stays where it was); INVREQ 36
//! (no browse of the file has this REQID).

use super::locked;
use super::position::{begin, find, reqid};
use crate::file_control::access::target;
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;

/// The command.
pub(crate) fn resetbr(cx: &mut Cx<'_>) -> Done {
    let target = target(cx, None, |file| file.browse)?;
    let reqid = reqid(cx);
    if find(cx, target.name, reqid).is_none() {
        return raise(Resp::INVREQ, 36);
    }
    let browse = begin(cx, &target, reqid)?;
    if let Some(at) = find(cx, target.name, reqid)
        && let Some(old) = cx.task.files.browses.get_mut(at)
    {
        let mut old = std::mem::replace(old, browse);
        locked::let_go(cx, &target, &mut old)?;
    }
    NORMAL
}
