//! EXEC CICS UPDATE COUNTER and UPDATE DCOUNTER: give a counter another number.
//!
//! RESP2 values: see the domain.

use super::value::{Width, argument, change, compare_holds, key};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;

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
    change(cx, &key, |cx, counter| {
        if !compare_holds(cx, counter.value, width) {
            return raise(Resp::SUPPRESSED, 103);
        }
        if !(counter.min..=counter.max + 1).contains(&value) {
            return raise(Resp::INVREQ, 405);
        }
        counter.value = value;
        Ok(())
    })?;
    NORMAL
}
