//! EXEC CICS REWIND COUNTER and REWIND DCOUNTER: back to the minimum, if the counter is at its
//! limit.
//!
//! With INCREMENT also when that increment would pass the
//!
//! Conditions: SUPPRESSED 102 (not at its limit); INVREQ 201 (no such counter), 303 (the store did
//! not take the change), 403 (pool name), 404 (counter name), 405 (INCREMENT outside the range).

use super::value::{Request, Width, argument, carry_out, key};
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, NORMAL};

/// REWIND COUNTER.
pub(crate) fn counter(cx: &mut Cx<'_>) -> Done {
    rewind(cx, Width::Fullword)
}

/// REWIND DCOUNTER.
pub(crate) fn dcounter(cx: &mut Cx<'_>) -> Done {
    rewind(cx, Width::Doubleword)
}

fn rewind(cx: &mut Cx<'_>, width: Width) -> Done {
    let key = key(cx, width)?;
    let increment = argument(cx, opt::INCREMENT, width).unwrap_or(1);
    carry_out(cx, &Request::Rewind { key, increment })?;
    NORMAL
}
