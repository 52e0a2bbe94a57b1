//! EXEC CICS SUSPEND: let other tasks run. It raises no condition.

use crate::command::{Cx, Done, NORMAL};

/// The command.
pub(crate) fn suspend(cx: &mut Cx<'_>) -> Done {
    cx.host.yield_turn();
    NORMAL
}
