//! EXEC CICS GET COUNTER and GET DCOUNTER: the current number, then count on.
//!
//! INCREMENT (1 by default) is added after the number was read; 0 reads only. An increment that
//! does not fit below the maximum is refused, cut by REDUCE, or starts anew with WRAP. RESP2
//! values: see the domain.

use super::value::{Width, argument, change, compare_holds, key, store};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
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
    let asked = argument(cx, opt::INCREMENT, width).unwrap_or(1);
    if asked < 0 {
        return raise(Resp::INVREQ, 405);
    }
    let (wrap, reduce) = (cx.has(opt::WRAP), cx.has(opt::REDUCE));
    let value = change(cx, &key, |cx, counter| {
        let mut increment = asked;
        if asked > counter.max - counter.min + 1 {
            return raise(Resp::INVREQ, 405);
        }
        let room = counter.max + 1 - counter.value;
        let start = match () {
            () if counter.at_limit() && wrap => counter.min,
            () if counter.at_limit() => return raise(Resp::SUPPRESSED, 101),
            () if increment <= room => counter.value,
            () if reduce => {
                increment = room;
                counter.value
            }
            () if wrap => counter.min,
            () => return raise(Resp::SUPPRESSED, 101),
        };
        if !compare_holds(cx, start, width) {
            return raise(Resp::SUPPRESSED, 103);
        }
        counter.value = start + increment;
        Ok(start)
    })?;
    if !store(cx, opt::VALUE, value, width) {
        return raise(Resp::LENGERR, 1);
    }
    NORMAL
}
