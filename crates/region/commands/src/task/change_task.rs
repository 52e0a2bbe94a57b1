//! EXEC CICS CHANGE TASK PRIORITY: the priority ASSIGN and INQUIRE TASK show.
//!
//! The command gives up control, as on CICS. Condition: INVREQ 1 (PRIORITY not 0 to 255).
//! Differs: a running task keeps its place in the dispatcher.

use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::definitions::TaskEntry;

/// The command.
pub(crate) fn change_task(cx: &mut Cx<'_>) -> Done {
    if let Some(priority) = cx.number(opt::PRIORITY) {
        let Ok(priority) = u8::try_from(priority) else {
            return raise(Resp::INVREQ, 1);
        };
        cx.task.priority = priority;
        if let Some(mut entry) = TaskEntry::find(cx.host.shared(), cx.task.number) {
            entry.priority = priority;
            let _ = entry.install(cx.host.shared());
        }
    }
    cx.host.yield_turn();
    NORMAL
}
