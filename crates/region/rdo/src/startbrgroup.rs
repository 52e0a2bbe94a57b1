//! EXEC CICS CSD STARTBRGROUP: a browse of all groups, or of the groups of a list.
//!
//! Conditions: ILLOGIC 2 (there is a browse of the type, or of lists beside all groups, or of
//! resources beside the groups of a list); INVREQ 3; NOTFND 3.

use crate::asked::{Failed, Unit, look, name};
use crate::browse::{Kind, may_start};
use transom_commands::opt;
use transom_csd::Look;
use transom_region_task::command::Cx;
use transom_region_task::inquire::GroupsOfList;

/// The command.
pub(crate) fn startbrgroup(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    if !cx.has(opt::LIST) {
        may_start(cx, Kind::Groups)?;
        cx.task.browses.definitions.groups = Some(String::new());
        return Ok(Unit::Goes);
    }
    may_start(cx, Kind::GroupsOfList)?;
    let list = name(cx, opt::LIST);
    look(cx, Look::List(list.clone()))?;
    let browse = GroupsOfList { list, place: 0 };
    cx.task.browses.definitions.groups_of_list = Some(browse);
    Ok(Unit::Goes)
}
