//! EXEC CICS UNLOCK: give back a record read for update, unchanged.
//!
//! Does nothing when no record of the file is held. Conditions: those of `access`; INVREQ 47
//! (unknown TOKEN).

use super::access::target;
use super::held::{held, token};
use super::sharing;
use transom_region_task::command::{Cx, Done, NORMAL};

/// The command.
pub(crate) fn unlock(cx: &mut Cx<'_>) -> Done {
    let target = target(cx, None, |_| true)?;
    let at = match held(cx, target.name, 0) {
        Ok(at) => at,
        Err(_) if token(cx).is_none() => return NORMAL,
        Err(unknown) => return Err(unknown),
    };
    let released = cx.task.files.held.swap_remove(at);
    sharing::give_back(cx, &target, &released.position)?;
    NORMAL
}
