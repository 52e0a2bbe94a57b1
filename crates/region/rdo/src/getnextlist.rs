//! EXEC CICS CSD GETNEXTLIST: the next list of a browse.
//!
//! Conditions: ILLOGIC 1 (no such browse); END 1.

use crate::asked::{Failed, Unit, look};
use crate::browse::not_started;
use transom_commands::opt;
use transom_csd::Look;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn getnextlist(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let Some(last) = cx.task.browses.definitions.lists.clone() else {
        return not_started();
    };
    let found = look(cx, Look::NextList(last))?;
    cx.set_text(opt::LIST, &found.name);
    cx.task.browses.definitions.lists = Some(found.name);
    Ok(Unit::Goes)
}
