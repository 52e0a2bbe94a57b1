//! EXEC CICS CSD RENAME: another name for a definition in its group.
//!
//! Conditions: DUPRES 1; INVREQ 1, 2, 4, 8; LOCKED 1, 2; NOTFND 1, 2.

use crate::asked::{Failed, Unit, name, operate, resource};
use transom_commands::opt;
use transom_csd::Operation;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn rename(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let resource = resource(cx)?;
    let new_name = name(cx, opt::AS);
    operate(cx, Operation::Rename { resource, new_name })
}
