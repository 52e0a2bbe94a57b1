//! EXEC CICS CSD REMOVE: a group out of a list. A list without groups is gone.
//!
//! Conditions: INVREQ 2, 3; LOCKED 1, 2; NOTFND 2 (it is not in the list), 3.

use crate::asked::{Failed, Unit, name, operate};
use transom_commands::opt;
use transom_csd::{Operation, Place};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn remove(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let place = Place {
        group: name(cx, opt::GROUP),
        list: name(cx, opt::LIST),
    };
    operate(cx, Operation::Remove(place))
}
