//! EXEC CICS FREEMAIN and FREEMAIN64: give storage back.
//!
//! Condition: INVREQ 1 (not storage of a GETMAIN; areas CICS made for the task, such as TWA,
//! COMMAREA and container data, are not either).

use crate::command::{Cx, Done, NORMAL, raise};
use crate::task_state::TaskState;
use transom_commands::opt;
use transom_types::Resp;
use transom_workers::seam::Address;

/// The command.
pub(crate) fn freemain(cx: &mut Cx<'_>) -> Done {
    let address = match cx.call.pointer(opt::DATAPOINTER) {
        Some(address) => address,
        None => cx.call.address_of(opt::DATA).unwrap_or(0),
    };
    if address == 0 || belongs_to_cics(cx.task, address) {
        return raise(Resp::INVREQ, 1);
    }
    if cx.host.freemain(address) || cx.host.freemain_shared(address) {
        return NORMAL;
    }
    raise(Resp::INVREQ, 1)
}

fn belongs_to_cics(task: &TaskState, address: Address) -> bool {
    address == task.storage.twa
        || address == task.reply_area.address
        || address == task.queues.set_area
        || task.levels.iter().any(|level| level.copied_area == address)
        || task.channels.owns(address)
}
