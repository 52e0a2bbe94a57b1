//! EXEC CICS SUSPEND: let other tasks run. Conditions: none.

use crate::command::{Cx, Done, NORMAL};

/// The command.
pub(crate) fn suspend(cx: &mut Cx<'_>) -> Done {
    cx.host.yield_turn();
    NORMAL
}
