//! EXEC CICS DELETE COUNTER and DELETE DCOUNTER. RESP2 values: see the domain.

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
