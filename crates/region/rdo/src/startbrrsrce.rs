//! EXEC CICS CSD STARTBRRSRCE: a browse of the definitions of a group.
//!
//! Conditions: ILLOGIC 2 (there is one, or one of the groups of a list); INVREQ 2; NOTFND 2.

use crate::asked::{Failed, Unit, look, name};
use crate::browse::{Kind, may_start};
use transom_commands::opt;
use transom_csd::Look;
use transom_region_task::command::Cx;
use transom_region_task::inquire::Resources;

/// The command.
pub(crate) fn startbrrsrce(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    may_start(cx, Kind::Resources)?;
    let group = name(cx, opt::GROUP);
    let list = String::new();
    look(
        cx,
        Look::Group {
            group: group.clone(),
            list,
        },
    )?;
    let browse = Resources { group, last: None };
    cx.task.browses.definitions.resources = Some(browse);
    Ok(Unit::Goes)
}
