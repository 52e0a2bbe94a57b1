//! EXEC CICS DELETE COUNTER and DELETE DCOUNTER. RESP2 values: see the domain.

use super::value::{Counter, Width, keep, key};
use crate::command::{Cx, Done, raise};
use transom_types::Resp;
use transom_wire::Space;

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
    let mut found = false;
    cx.host
        .shared()
        .with_group(Space::Counter, &key, &mut |group| {
            found = Counter::read(group).is_some();
            group.remove_all();
        });
    if !found {
        return raise(Resp::INVREQ, 201);
    }
    keep(cx, &key)
}
