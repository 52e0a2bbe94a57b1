//! EXEC CICS CSD ENDBRLIST: the end of a browse of lists.
//!
//! The end of a browse that is not is none. Conditions: none of its own.

use crate::asked::{Failed, Unit};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn endbrlist(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    cx.task.browses.definitions.lists = None;
    Ok(Unit::Goes)
}
