//! EXEC CICS CSD ENDBRRSRCE: the end of a browse of the definitions of a group.
//!
//! The end of a browse that is not is none. Conditions: none of its own.

use crate::asked::{Failed, Unit};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn endbrrsrce(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    cx.task.browses.definitions.resources = None;
    Ok(Unit::Goes)
}
