//! EXEC CICS MONITOR POINT: a user event monitoring point.
//!
//! No monitoring control table defines points yet, so a valid point has no effect, as on CICS.
//! Condition: INVREQ 1 (POINT not 0 to 255).

use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn monitor(cx: &mut Cx<'_>) -> Done {
    match cx.number(opt::POINT) {
        Some(0..=255) => NORMAL,
        _ => raise(Resp::INVREQ, 1),
    }
}
