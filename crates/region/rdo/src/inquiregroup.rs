//! EXEC CICS CSD INQUIREGROUP: whether there is a group, in a list where one is given.
//!
//! Conditions: INVREQ 2, 3; NOTFND 2, 3.

use crate::asked::{Failed, Unit, look, name};
use transom_commands::opt;
use transom_csd::Look;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn inquiregroup(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let (group, list) = (name(cx, opt::GROUP), name(cx, opt::LIST));
    look(cx, Look::Group { group, list })?;
    Ok(Unit::Goes)
}
