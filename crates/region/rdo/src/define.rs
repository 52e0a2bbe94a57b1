//! EXEC CICS CSD DEFINE: a new definition.
//!
//! Conditions: DUPRES 1, 2; INVREQ 1, 2, 4, 11 and mistakes in ATTRIBUTES; LENGERR 1; LOCKED 1, 2.

use crate::asked::{Failed, Unit, attributes, compatmode, operate, resource};
use transom_csd::Operation;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn define(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    define_with(cx, false)
}

/// With the attributes of USER in group USERDEF where `user_defaults`.
pub(crate) fn define_with(cx: &mut Cx<'_>, user_defaults: bool) -> Result<Unit, Failed> {
    compatmode(cx)?;
    let resource = resource(cx)?;
    let attributes = attributes(cx)?;
    let define = Operation::Define {
        resource,
        attributes,
        user_defaults,
    };
    operate(cx, define)
}
