//! EXEC CICS REWIND COUNTER and REWIND DCOUNTER: back to the minimum, if the counter is at its
//! limit.
//!
//! With INCREMENT also when that increment would pass the limit. RESP2 values: see the domain.

use super::value::{Width, argument, change, key};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;

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
    if increment < 0 {
        return raise(Resp::INVREQ, 405);
    }
    change(cx, &key, |_, counter| {
        if counter.value + increment <= counter.max + 1 {
            return raise(Resp::SUPPRESSED, 102);
        }
        counter.value = counter.min;
        Ok(())
    })?;
    NORMAL
}
