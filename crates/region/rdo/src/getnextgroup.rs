//! EXEC CICS CSD GETNEXTGROUP: the next group of a browse; with LIST of that list.
//!
//! Conditions: ILLOGIC 1 (no such browse); END 1.

use crate::asked::{Failed, Unit, look, name};
use crate::browse::not_started;
use transom_commands::opt;
use transom_csd::Look;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn getnextgroup(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let (mut list, mut after, mut place) = (String::new(), String::new(), 0);
    if cx.has(opt::LIST) {
        let given = name(cx, opt::LIST);
        let browse = cx.task.browses.definitions.groups_of_list.as_ref();
        let Some(browse) = browse.filter(|browse| browse.list == given) else {
            return not_started();
        };
        (list, place) = (given, browse.place);
    } else {
        let Some(last) = cx.task.browses.definitions.groups.clone() else {
            return not_started();
        };
        after = last;
    }
    let next = Look::NextGroup { list, after, place };
    let found = look(cx, next)?;
    cx.set_text(opt::GROUP, &found.name);
    let browses = &mut cx.task.browses.definitions;
    match (&mut browses.groups_of_list, cx.call.has(opt::LIST)) {
        (Some(browse), true) => browse.place += 1,
        _ => browses.groups = Some(found.name),
    }
    Ok(Unit::Goes)
}
