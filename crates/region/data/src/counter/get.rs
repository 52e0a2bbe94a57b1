//! EXEC CICS GET COUNTER and GET DCOUNTER: the current number, then count on.
//!
//! INCREMENT (1 by default) is added after the number was read; 0 reads only. An increment that
//! does not fit below the maximum is refused, cut by REDUCE, or starts anew with WRAP.
//!
//! Conditions: SUPPRESSED 101 (at its limit), 103 (COMPAREMIN or COMPAREMAX); INVREQ 201 (no such
//! counter), 303 (the store did not take the change), 403 (pool name), 404 (counter name), 405
//! (INCREMENT outside the range); LENGERR 1 (the value does not fit a fullword; its low 32 bits are
//! stored).

use super::value::{Request, Width, argument, carry_out, compare, key, store};
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;

/// GET COUNTER.
pub(crate) fn counter(cx: &mut Cx<'_>) -> Done {
    get(cx, Width::Fullword)
}

/// GET DCOUNTER.
pub(crate) fn dcounter(cx: &mut Cx<'_>) -> Done {
    get(cx, Width::Doubleword)
}

fn get(cx: &mut Cx<'_>, width: Width) -> Done {
    let key = key(cx, width)?;
    let request = Request::Get {
        key,
        increment: argument(cx, opt::INCREMENT, width).unwrap_or(1),
        wrap: cx.has(opt::WRAP),
        reduce: cx.has(opt::REDUCE),
        compare: compare(cx, width),
    };
    let value = carry_out(cx, &request)?;
    if !store(cx, opt::VALUE, value, width) {
        return raise(Resp::LENGERR, 1);
    }
    NORMAL
}
