//! EXEC CICS FREE CHILD: the task wants no answer of a child. The child runs on.
//!
//! Condition: INVREQ 50 (not a child of the task, or freed before).

use crate::command::{Cx, Done, NORMAL};
use transom_commands::opt;
use transom_wire::asynchronous::Request;

/// The command.
pub(crate) fn free(cx: &mut Cx<'_>) -> Done {
    let token = cx.call.bytes(opt::CHILD).unwrap_or_default().to_vec();
    cx.ask(&Request::Free(token))?;
    NORMAL
}
