//! EXEC CICS CSD INSTALL: a list, a group or a definition into the running region.
//!
//! Conditions: INCOMPLETE 1 (some definitions of a list or group were not installed, which the log
//! says); INVREQ 1, 2, 3, 4, 500 (the definition does not install); NOTFND 1, 2, 3.

use crate::asked::{Failed, Unit, change, name, resource};
use transom_commands::opt;
use transom_region_task::command::{Cx, raise};
use transom_types::Resp;
use transom_wire::definitions::request::Request;

/// The command.
pub(crate) fn install(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let resource = resource(cx)?;
    let list = name(cx, opt::LIST);
    let several = !list.is_empty() && !resource.group.is_empty();
    if several {
        return raise(Resp::INVREQ, 3).map_err(Failed::from);
    }
    change(cx, &Request::InstallFor { resource, list })
}
