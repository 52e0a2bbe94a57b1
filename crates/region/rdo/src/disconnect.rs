//! EXEC CICS CSD DISCONNECT: the task lets go of the definitions.
//!
//! Nothing is held between commands but browses, which end. It is a syncpoint. Conditions: none
//! of its own.

use crate::asked::{Failed, Unit};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn disconnect(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    cx.task.browses.definitions.end_all();
    Ok(Unit::Committed)
}
