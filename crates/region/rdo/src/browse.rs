//! Which browses of definitions a task may have at once.
//!
//! At most one of each type: lists and all groups exclude each other, as do the groups of a list
//! and the definitions of a group. A browse keeps the last name it had and nothing else.

use crate::asked::{Failed, Unit};
use transom_region_task::command::{Cx, Fail, raise};
use transom_types::Resp;

/// Types of browses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Lists,
    Groups,
    GroupsOfList,
    Resources,
}

/// ILLOGIC 2 where there is one of the type, or one that it excludes.
pub(crate) fn may_start(cx: &Cx<'_>, kind: Kind) -> Result<(), Fail> {
    let browses = &cx.task.browses.definitions;
    let taken = match kind {
        Kind::Lists | Kind::Groups => browses.lists.is_some() || browses.groups.is_some(),
        Kind::GroupsOfList | Kind::Resources => {
            browses.groups_of_list.is_some() || browses.resources.is_some()
        }
    };
    match taken {
        true => raise(Resp::ILLOGIC, 2),
        false => Ok(()),
    }
}

/// There is no such browse.
pub(crate) fn not_started() -> Result<Unit, Failed> {
    raise(Resp::ILLOGIC, 1).map_err(Failed::from)
}
