//! EXEC CICS UPDATE COUNTER and UPDATE DCOUNTER: give a counter another number.
//!
//! Conditions: SUPPRESSED 103 (COMPAREMIN or COMPAREMAX); INVREQ 201 (no such counter), 303 (the
//! store did not take the change), 403 (pool name), 404 (counter name), 405 (VALUE outside the
//! range).

use super::value::{Request, Width, argument, carry_out, compare, key};
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, NORMAL};

/// UPDATE COUNTER.
pub(crate) fn counter(cx: &mut Cx<'_>) -> Done {
    update(cx, Width::Fullword)
}

/// UPDATE DCOUNTER.
pub(crate) fn dcounter(cx: &mut Cx<'_>) -> Done {
    update(cx, Width::Doubleword)
}

fn update(cx: &mut Cx<'_>, width: Width) -> Done {
    let key = key(cx, width)?;
    let value = argument(cx, opt::VALUE, width).unwrap_or(0);
    let compare = compare(cx, width);
    carry_out(
        cx,
        &Request::Update {
            key,
            value,
            compare,
        },
    )?;
    NORMAL
}
