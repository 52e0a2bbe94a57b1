//! EXEC CICS CSD USERDEFINE: a new definition with the attributes of USER in group USERDEF where
//! it gives none.
//!
//! Conditions: DUPRES 1, 2; INVREQ 1, 2, 4, 11 and mistakes in ATTRIBUTES; LENGERR 1; LOCKED 1, 2;
//! NOTFND 1 (USERDEF has no USER of the type).

use crate::asked::{Failed, Unit};
use crate::define::define_with;
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn userdefine(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    define_with(cx, true)
}
