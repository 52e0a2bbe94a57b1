//! EXEC CICS CSD LOCK: nobody but the user of the task changes a group or list until UNLOCK.
//!
//! It need not be there yet. Conditions: DUPRES 2, 3; INVREQ 2, 3; LOCKED 1, 2.

use crate::asked::{Failed, Unit, name, operate};
use transom_commands::opt;
use transom_csd::{Operation, Place};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn lock(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let place = Place {
        group: name(cx, opt::GROUP),
        list: name(cx, opt::LIST),
    };
    operate(cx, Operation::Lock(place))
}
