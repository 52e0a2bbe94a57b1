//! EXEC CICS DEFINE COUNTER and DEFINE DCOUNTER.
//!
//! Conditions: INVREQ 202 (exists already), 303 (the store did not take it), 306 (shared storage is
//! full), 403 (pool name), 404 (counter name), 405 (VALUE outside the range), 406 (MINIMUM above
//! MAXIMUM).

use super::value::{Counter, Request, Width, argument, carry_out, key};
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, NORMAL};

/// DEFINE COUNTER.
pub(crate) fn counter(cx: &mut Cx<'_>) -> Done {
    define(cx, Width::Fullword)
}

/// DEFINE DCOUNTER.
pub(crate) fn dcounter(cx: &mut Cx<'_>) -> Done {
    define(cx, Width::Doubleword)
}

fn define(cx: &mut Cx<'_>, width: Width) -> Done {
    let key = key(cx, width)?;
    let highest = match width {
        Width::Fullword => i128::from(i32::MAX),
        Width::Doubleword => i128::from(u64::MAX),
    };
    let min = argument(cx, opt::MINIMUM, width).unwrap_or(0);
    let max = argument(cx, opt::MAXIMUM, width).unwrap_or(highest);
    let value = argument(cx, opt::VALUE, width).unwrap_or(min);
    carry_out(cx, &Request::Define(key, Counter { value, min, max }))?;
    NORMAL
}
