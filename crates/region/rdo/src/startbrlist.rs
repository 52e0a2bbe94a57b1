//! EXEC CICS CSD STARTBRLIST: a browse of all lists.
//!
//! Condition: ILLOGIC 2 (there is one, or one of all groups).

use crate::asked::{Failed, Unit};
use crate::browse::{Kind, may_start};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn startbrlist(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    may_start(cx, Kind::Lists)?;
    cx.task.browses.definitions.lists = Some(String::new());
    Ok(Unit::Goes)
}
