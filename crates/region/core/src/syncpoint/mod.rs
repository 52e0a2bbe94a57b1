//! EXEC CICS SYNCPOINT and SYNCPOINT ROLLBACK: end the unit of work.
//!
//! There are no recoverable resources yet, so a syncpoint frees what was enqueued for the unit of
//! work and nothing can be backed out. It raises no condition here.

use crate::command::{Cx, Done, NORMAL};
use crate::task;

/// The command, with or without ROLLBACK.
pub(crate) fn syncpoint(cx: &mut Cx<'_>) -> Done {
    task::release_uow(cx.host, cx.task);
    NORMAL
}
