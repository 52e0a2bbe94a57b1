//! EXEC CICS INQUIRE MONITOR and SET MONITOR.
//!
//! Monitoring writes performance records and no others: what is constant stands in the command
//! table, and switching anything else on is refused there. Tasks that are attached later are
//! measured as is said now. Conditions: SET: INVREQ 1 (STATUS), 2 (PERFCLASS), or what the region
//! answers.

use super::answer::either;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_wire::language::whole;
use transom_wire::system::{MonitorChange, MonitorFacts, Request};

/// INQUIRE MONITOR.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let answer = cx.ask(&Request::Monitor)?;
    let Some(facts) = whole::<MonitorFacts>(&answer) else {
        return raise(Resp::INVREQ, 0);
    };
    cx.set_cvda(opt::STATUS, either(facts.on, "ON", "OFF"));
    cx.set_cvda(opt::PERFCLASS, either(facts.performance, "PERF", "NOPERF"));
    NORMAL
}

/// SET MONITOR.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let change = MonitorChange {
        on: switch(cx, (opt::STATUS, 1), (opt::ON, "ON"), (opt::OFF, "OFF"))?,
        performance: switch(
            cx,
            (opt::PERFCLASS, 2),
            (opt::PERF, "PERF"),
            (opt::NOPERF, "NOPERF"),
        )?,
    };
    if change != MonitorChange::default() {
        cx.ask(&Request::SetMonitor(change))?;
    }
    NORMAL
}

/// Which of two values is given, if one is; another one is refused.
fn switch(
    cx: &Cx<'_>,
    (option, resp2): (OptionId, u32),
    (on, when): (OptionId, &str),
    (off, otherwise): (OptionId, &str),
) -> Result<Option<bool>, Fail> {
    if cx.value_is(on, option, when) {
        return Ok(Some(true));
    }
    if cx.value_is(off, option, otherwise) {
        return Ok(Some(false));
    }
    match cx.has(option) {
        true => raise(Resp::INVREQ, resp2),
        false => Ok(None),
    }
}
