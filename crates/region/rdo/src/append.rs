//! EXEC CICS CSD APPEND: the groups of a list behind those of another one.
//!
//! Conditions: DUPRES 3; INVREQ 3, 7; LOCKED 1, 2; NOTFND 3.

use crate::asked::{Failed, Unit, name, operate};
use transom_commands::opt;
use transom_csd::Operation;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn append(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let (list, to) = (name(cx, opt::LIST), name(cx, opt::TO));
    operate(cx, Operation::Append { list, to })
}
