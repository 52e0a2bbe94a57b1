//! EXEC CICS PERFORM SHUTDOWN: asks for the end of the region.
//!
//! Running tasks are waited for unless IMMEDIATE is given (NORESTART alone means it, too); the task
//! that asks goes on. PLT or PLTNAME names the program list table whose programs run, in place of
//! PLTSD. Conditions: INVREQ 3 (no such table).

use crate::command::{Cx, Done, NORMAL, ask_region, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::requests::{RegionRequest, Shutdown};

/// The command.
pub(crate) fn perform_shutdown(cx: &mut Cx<'_>) -> Done {
    let named = |name: &[u8]| {
        String::from_utf8_lossy(name)
            .trim_end()
            .to_ascii_uppercase()
    };
    let suffix = cx.name::<2>(opt::PLT).map(|name| named(&name));
    let table = cx.name::<8>(opt::PLTNAME).map(|name| named(&name));
    let asked = Shutdown {
        immediate: cx.has(opt::IMMEDIATE) || cx.has(opt::NORESTART),
        transid: cx.task.transaction.transid,
        userid: cx.task.userid,
        table: table.or(suffix).filter(|name| !name.is_empty()),
    };
    let answer = ask_region(cx.host, &RegionRequest::Shutdown(asked));
    match answer.resp {
        Resp::NORMAL => NORMAL,
        resp => raise(resp, answer.resp2),
    }
}
