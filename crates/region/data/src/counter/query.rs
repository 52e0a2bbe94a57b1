//! EXEC CICS QUERY COUNTER and QUERY DCOUNTER: value, minimum and maximum, unchanged.
//!
//! RESP2 values: see the domain.

use super::value::{Width, find, key, store};
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;

/// QUERY COUNTER.
pub(crate) fn counter(cx: &mut Cx<'_>) -> Done {
    query(cx, Width::Fullword)
}

/// QUERY DCOUNTER.
pub(crate) fn dcounter(cx: &mut Cx<'_>) -> Done {
    query(cx, Width::Doubleword)
}

fn query(cx: &mut Cx<'_>, width: Width) -> Done {
    let key = key(cx, width)?;
    let Some(counter) = find(cx, &key) else {
        return raise(Resp::INVREQ, 201);
    };
    let mut fits = store(cx, opt::VALUE, counter.value, width);
    fits &= store(cx, opt::MINIMUM, counter.min, width);
    fits &= store(cx, opt::MAXIMUM, counter.max, width);
    if !fits {
        return raise(Resp::LENGERR, 1);
    }
    NORMAL
}
