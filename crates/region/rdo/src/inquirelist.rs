//! EXEC CICS CSD INQUIRELIST: whether there is a list.
//!
//! Conditions: INVREQ 3; NOTFND 3.

use crate::asked::{Failed, Unit, look, name};
use transom_commands::opt;
use transom_csd::Look;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn inquirelist(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let list = name(cx, opt::LIST);
    look(cx, Look::List(list))?;
    Ok(Unit::Goes)
}
