//! EXEC CICS QUERY COUNTER and QUERY DCOUNTER: value, minimum and maximum, unchanged.
//!
//! Conditions: INVREQ 201 (no such counter), 403 (pool name), 404 (counter name); LENGERR 1 (a
//! value
//! does not fit a fullword; its low 32 bits are stored).

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
