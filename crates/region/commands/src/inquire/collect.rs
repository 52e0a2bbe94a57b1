//! EXEC CICS COLLECT STATISTICS and EXTRACT STATISTICS.
//!
//! The record of the region, or of one resource, as the supplied copybook of its name has it
//! (`transom_monitoring::statistics`). SET gets storage of the
//! task, which the next such command frees. Counts are those since the last reset, whose time
//! LASTRESET tells. Conditions: INVREQ 4 (no such statistics, or none of a resource), NOTFND 1 (no
//! such resource), NOTAUTH 100.

use super::recording::{LAST_RESET, tell};
use crate::command::{Cx, Done, NORMAL, raise, to_storage};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_wire::language::whole;
use transom_wire::system::{Collected, Request};

/// Types of statistics, as options of both commands and values of RESTYPE name them.
const TYPES: [(OptionId, &str); 17] = [
    (opt::TRANSACTION, "TRANSACTION"),
    (opt::TRANCLASS, "TRANCLASS"),
    (opt::PROGRAM, "PROGRAM"),
    (opt::FILE, "FILE"),
    (opt::TDQUEUE, "TDQUEUE"),
    (opt::MONITOR, "MONITOR"),
    (opt::DISPATCHER, "DISPATCHER"),
    (opt::ENQUEUE, "ENQUEUE"),
    (opt::STORAGE, "STORAGE"),
    (opt::TERMINAL, "TERMINAL"),
    (opt::TSQUEUE, "TSQUEUE"),
    (opt::RECOVERY, "RECOVERY"),
    (opt::JOURNALNAME, "JOURNALNAME"),
    (opt::DB2CONN, "DB2CONN"),
    (opt::DB2ENTRY, "DB2ENTRY"),
    (opt::CONNECTION, "CONNECTION"),
    (opt::IPCONN, "IPCONN"),
];

/// Only COLLECT knows these.
const NOT_EXTRACTED: [OptionId; 2] = [opt::TERMINAL, opt::CONNECTION];

/// Longest name of a resource.
const NAME_BYTES_MAX: usize = 8;

/// COLLECT STATISTICS: the type's option has the name of the resource.
pub(crate) fn collect(cx: &mut Cx<'_>) -> Done {
    let Some((option, name)) = TYPES.into_iter().find(|(option, _)| cx.has(*option)) else {
        return raise(Resp::INVREQ, 4);
    };
    let resource = cx.call.bytes(option).map(<[u8]>::to_vec);
    record(cx, name, resource)
}

/// EXTRACT STATISTICS: RESID has it.
pub(crate) fn extract(cx: &mut Cx<'_>) -> Done {
    let of = |(option, name): &(OptionId, &str)| {
        !NOT_EXTRACTED.contains(option) && cx.value_is(*option, opt::RESTYPE, name)
    };
    let Some((_, name)) = TYPES.into_iter().find(of) else {
        return raise(Resp::INVREQ, 4);
    };
    let resource = cx.call.bytes(opt::RESID).map(<[u8]>::to_vec);
    record(cx, name, resource)
}

fn record(cx: &mut Cx<'_>, option: &str, resource: Option<Vec<u8>>) -> Done {
    let resource = resource.map(|mut name| {
        name.truncate(NAME_BYTES_MAX);
        name
    });
    let answer = cx.ask(&Request::Collect {
        option: option.to_owned(),
        resource,
    })?;
    let Some(collected) = whole::<Collected>(&answer) else {
        return raise(Resp::INVREQ, 0);
    };
    let area = to_storage(cx.host, &collected.bytes)?;
    let old = std::mem::replace(&mut cx.task.statistics, area);
    if old != 0 {
        cx.host.freemain(old);
    }
    cx.call.set_pointer(opt::SET, area);
    let abstime = collected.reset_abstime_ms;
    let second = abstime.div_euclid(1_000).rem_euclid(86_400);
    tell(cx, &LAST_RESET, u32::try_from(second).unwrap_or(0));
    cx.set_number(opt::LASTRESETABS, abstime);
    NORMAL
}
