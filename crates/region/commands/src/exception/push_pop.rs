//! EXEC CICS PUSH HANDLE and POP HANDLE: put the HANDLE state away and take it back.
//!
//! PUSH covers HANDLE CONDITION, IGNORE CONDITION, HANDLE AID and HANDLE ABEND of the running
//! program level. Condition: POP HANDLE: INVREQ (no PUSH HANDLE of this level is open).

use crate::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;

/// Most PUSH HANDLEs open at one level.
pub const PUSHES_MAX: usize = 1_024;

/// PUSH HANDLE.
pub(crate) fn push(cx: &mut Cx<'_>) -> Done {
    let Some(level) = cx.task.levels.last_mut() else {
        return NORMAL;
    };
    if level.pushed.len() >= PUSHES_MAX {
        return raise(Resp::INVREQ, 1);
    }
    level.pushed.push(std::mem::take(&mut level.handles));
    NORMAL
}

/// POP HANDLE.
pub(crate) fn pop(cx: &mut Cx<'_>) -> Done {
    let Some(level) = cx.task.levels.last_mut() else {
        return NORMAL;
    };
    match level.pushed.pop() {
        Some(handles) => level.handles = handles,
        None => return raise(Resp::INVREQ, 0),
    }
    NORMAL
}
