//! EXEC CICS CSD ENDBRGROUP: the end of a browse of groups, or of the groups of a list.
//!
//! The end of a browse that is not is none. Conditions: none of its own.

use crate::asked::{Failed, Unit};
use transom_commands::opt;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn endbrgroup(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let browses = &mut cx.task.browses.definitions;
    match cx.call.has(opt::LIST) {
        true => browses.groups_of_list = None,
        false => browses.groups = None,
    }
    Ok(Unit::Goes)
}
