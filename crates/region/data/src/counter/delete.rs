//! EXEC CICS DELETE COUNTER and DELETE DCOUNTER.
//!
//! Conditions: INVREQ 201 (no such counter), 303 (the store did not take the change), 403 (pool
//! name), 404 (counter name).

use super::value::{Request, Width, carry_out, key};
use transom_region_task::command::{Cx, Done, NORMAL};

/// DELETE COUNTER.
pub(crate) fn counter(cx: &mut Cx<'_>) -> Done {
    delete(cx, Width::Fullword)
}

/// DELETE DCOUNTER.
pub(crate) fn dcounter(cx: &mut Cx<'_>) -> Done {
    delete(cx, Width::Doubleword)
}

fn delete(cx: &mut Cx<'_>, width: Width) -> Done {
    let key = key(cx, width)?;
    carry_out(cx, &Request::Delete(key))?;
    NORMAL
}
