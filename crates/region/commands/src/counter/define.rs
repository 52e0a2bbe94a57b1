//! EXEC CICS DEFINE COUNTER and DEFINE DCOUNTER. RESP2 values: see the domain.

use super::value::{Counter, Width, argument, keep, key};
use crate::command::{Cx, Done, Fail, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::Space;

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
    if min > max {
        return raise(Resp::INVREQ, 406);
    }
    // One above the maximum is allowed: the counter starts at its limit.
    if !(min..=max + 1).contains(&value) {
        return raise(Resp::INVREQ, 405);
    }
    let mut defined: Result<(), Fail> = raise(Resp::INVREQ, 202);
    cx.host
        .shared()
        .with_group(Space::Counter, &key, &mut |group| {
            if Counter::read(group).is_none() {
                let stored = Counter { value, min, max }.write(group);
                defined = if stored {
                    Ok(())
                } else {
                    raise(Resp::INVREQ, 306)
                };
            }
        });
    defined?;
    keep(cx, &key)
}
