//! EXEC CICS DELETEQ TD: delete all records of an intrapartition queue.
//!
//! Conditions: QIDERR, INVREQ (not an intrapartition queue), DISABLED, LOCKED, SYSIDERR.

use super::queue::{queue, request};
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;
use transom_wire::definitions::{TdKind, TdRecovery};
use transom_wire::transient_data::Action;

/// The command.
pub(crate) fn deleteq(cx: &mut Cx<'_>) -> Done {
    let (name, queue) = queue(cx)?;
    if queue.kind != TdKind::Intra {
        return raise(Resp::INVREQ, 0);
    }
    if queue.recovery == TdRecovery::Logical {
        cx.task.unit.touch();
    }
    cx.ask(&request(cx, name, Action::Delete))?;
    NORMAL
}
