//! EXEC CICS CSD ADD: a group into a list, at its end or beside another group.
//!
//! Conditions: DUPRES 1 (it is there), 2, 3; INVREQ 2, 3, 5, 6; LOCKED 1, 2; NOTFND 4 (BEFORE or
//! AFTER is not in the list).

use crate::asked::{Failed, Unit, name, operate};
use transom_commands::opt;
use transom_csd::{Operation, Place};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn add(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let place = Place {
        group: name(cx, opt::GROUP),
        list: name(cx, opt::LIST),
    };
    let (before, after) = (name(cx, opt::BEFORE), name(cx, opt::AFTER));
    let add = Operation::Add {
        place,
        before,
        after,
    };
    operate(cx, add)
}
