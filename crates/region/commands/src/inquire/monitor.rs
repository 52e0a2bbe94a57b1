//! EXEC CICS INQUIRE MONITOR and SET MONITOR.
//!
//! Monitoring writes performance records and no others: what is constant stands in the command
//! table, and switching anything else on is refused there. Tasks that are attached later are
//! measured as is said now. Conditions: SET: INVREQ 1 (STATUS), 2 (PERFCLASS), or what the region
//! answers.

use super::answer::either;
use super::change::one_of;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
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
        on: one_of(cx, (opt::STATUS, 1), (opt::ON, "ON"), (opt::OFF, "OFF"))?,
        performance: one_of(
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
