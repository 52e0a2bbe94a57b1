//! EXEC CICS CSD INQUIRERSRCE: the attributes of a definition.
//!
//! Those that were given, as DEFINE takes them. Conditions: INVREQ 1, 2, 4; LENGERR 1; NOTFND 1, 2.

use crate::asked::{Failed, Unit, give_attributes, look, resource};
use transom_csd::Look;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn inquirersrce(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let resource = resource(cx)?;
    let found = look(cx, Look::Definition(resource))?;
    give_attributes(cx, &found.attributes)?;
    Ok(Unit::Goes)
}
