//! EXEC CICS PERFORM SHUTDOWN: asks for the end of the region.
//!
//! Running tasks are waited for unless IMMEDIATE is given; the task that asks goes on. Conditions:
//! what the region answers.

use crate::command::{Cx, Done, NORMAL, ask_region, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::requests::RegionRequest;

/// The command.
pub(crate) fn perform_shutdown(cx: &mut Cx<'_>) -> Done {
    let (transid, userid) = (cx.task.transaction.transid, cx.task.userid);
    let request = RegionRequest::Shutdown(cx.has(opt::IMMEDIATE), transid, userid);
    let answer = ask_region(cx.host, &request);
    match answer.resp {
        Resp::NORMAL => NORMAL,
        resp => raise(resp, answer.resp2),
    }
}
