//! EXEC CICS DELETEQ TS: delete a queue with all its items.
//!
//! Conditions: QIDERR (no such queue), INVREQ (name), LOCKED (a recoverable queue, by a unit of
//! work in doubt), SYSIDERR.

use super::queue::{place, queue};
use super::spill;
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;
use transom_wire::temporary_storage as items;
use transom_wire::temporary_storage::Request;

/// The command.
pub(crate) fn deleteq(cx: &mut Cx<'_>) -> Done {
    let name = queue(cx)?;
    if place(cx, &name)?.stored {
        let dtimout_ms = cx.task.transaction.deadlock_timeout_ms();
        cx.task.unit.touch();
        cx.ask(&Request::Delete { name, dtimout_ms })?;
        return NORMAL;
    }
    let (found, tokens) = items::delete_if(cx.host.shared(), name.as_bytes(), &|_| true);
    if found.is_none() {
        return raise(Resp::QIDERR, 0);
    }
    spill::free(cx, &name, &tokens)?;
    NORMAL
}
