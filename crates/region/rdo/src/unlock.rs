//! EXEC CICS CSD UNLOCK: the end of LOCK, by the user who locked.
//!
//! Conditions: DUPRES 2, 3; INVREQ 2, 3; LOCKED 1, 2.

use crate::asked::{Failed, Unit, name, operate};
use transom_commands::opt;
use transom_csd::{Operation, Place};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn unlock(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let place = Place {
        group: name(cx, opt::GROUP),
        list: name(cx, opt::LIST),
    };
    operate(cx, Operation::Unlock(place))
}
