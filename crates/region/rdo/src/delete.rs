//! EXEC CICS CSD DELETE: a definition or a whole group, out of all lists with REMOVE.
//!
//! Conditions: INVREQ 1, 2, 4, 10 (LISTACTION); LOCKED 1, 2; NOTFND 1, 2.

use crate::asked::{Failed, Unit, operate, resource};
use transom_commands::opt;
use transom_csd::Operation;
use transom_region_task::command::{Cx, raise};
use transom_types::Resp;

/// The command.
pub(crate) fn delete(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let from_lists = cx.value_is(opt::REMOVE, opt::LISTACTION, "REMOVE");
    if cx.has(opt::LISTACTION) && !from_lists {
        return raise(Resp::INVREQ, 10).map_err(Failed::from);
    }
    let resource = resource(cx)?;
    let delete = Operation::Delete {
        resource,
        from_lists,
    };
    operate(cx, delete)
}
