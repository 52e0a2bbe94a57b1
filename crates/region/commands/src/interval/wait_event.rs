//! EXEC CICS WAIT EVENT, WAIT EXTERNAL and WAITCICS: wait until an event area is posted.
//!
//! An area is posted when its first byte has X'40', by a POST of the task whose time has come, or
//! by hand: another task, or anything else that reaches the storage. What is posted by hand is seen
//! within [`LOOK_MS`]. ECBLIST is an area of pointers of four bytes, whose highest bit does not
//! count. A wait longer than DTIMOUT (not with NOTPURGEABLE) and a purge end the task with AEXY.
//! Conditions: INVREQ 1 (NUMEVENTS not 1 to [`EVENTS_MAX`]), 2 (a null address; in a list: all are
//! null), 4 (an area that is not on a fullword), 5 (PURGEABILITY). Differs: a purge ends a
//! NOTPURGEABLE wait too.

use super::post;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::task;
use crate::task::wait::Reason;
use transom_commands::{cmd, opt};
use transom_monitoring::field;
use transom_types::{AbendCode, ReqId, Resp, SuspendValue};
use transom_wire::definitions::TaskEntry;
use transom_workers::seam::Address;

/// Most events of one command.
pub const EVENTS_MAX: i64 = 32_767;
/// Milliseconds between two looks at areas somebody else posts.
pub const LOOK_MS: u64 = 20;

/// The task was purged while it waited.
const AEXY: &[u8; 4] = b"AEXY";

/// WAIT EVENT.
pub(crate) fn wait_event(cx: &mut Cx<'_>) -> Done {
    let address = cx.call.pointer(opt::ECADDR).unwrap_or(0);
    wait_for(cx, &[address], true)
}

/// WAIT EXTERNAL and WAITCICS.
pub(crate) fn wait_list(cx: &mut Cx<'_>) -> Done {
    let events = cx.number(opt::NUMEVENTS).unwrap_or(0);
    if !(1..=EVENTS_MAX).contains(&events) {
        return raise(Resp::INVREQ, 1);
    }
    let list = cx.call.pointer(opt::ECBLIST).unwrap_or(0);
    if list == 0 {
        return raise(Resp::INVREQ, 2);
    }
    let keeps = cx.value_is(opt::NOTPURGEABLE, opt::PURGEABILITY, "NOTPURGEABLE");
    if cx.has(opt::PURGEABILITY) && !keeps && !cx.cvda_is(opt::PURGEABILITY, "PURGEABLE") {
        return raise(Resp::INVREQ, 5);
    }
    let (pointers, _) = cx.host.memory(list, events as usize * 4).as_chunks::<4>();
    let areas: Vec<Address> = pointers
        .iter()
        .map(|bytes| (u32::from_be_bytes(*bytes) & 0x7FFF_FFFF) as Address)
        // A null address in a list stands for no event.
        .filter(|area| *area != 0)
        .collect();
    wait_for(cx, &areas, !keeps)
}

fn wait_for(cx: &mut Cx<'_>, areas: &[Address], purgeable: bool) -> Done {
    if areas.is_empty() || areas.contains(&0) {
        return raise(Resp::INVREQ, 2);
    }
    if areas.iter().any(|area| area % 4 != 0) {
        return raise(Resp::INVREQ, 4);
    }
    let reason = Reason {
        suspend_type: "EVENT",
        clock: match cx.call.command() {
            cmd::WAIT_EXTERNAL => field::WTEXWAIT,
            _ => field::WTCEWAIT,
        },
        suspend_value: cx
            .name::<8>(opt::NAME)
            .map_or(SuspendValue::BLANK, |name| SuspendValue::from_field(&name)),
        reqid: ReqId::BLANK,
    };
    let limit = cx.task.transaction.deadlock_timeout_ms();
    let until = (purgeable && limit > 0).then(|| cx.host.abstime_ms() + limit as i64);
    loop {
        let left = post::check(cx);
        let posted = |area: &Address| {
            cx.host
                .memory(*area, 1)
                .first()
                .is_some_and(|b| b & 0x40 != 0)
        };
        if areas.iter().any(posted) {
            return NORMAL;
        }
        let own = cx.task.interval.post.as_ref().map(|post| post.area);
        let only_own = areas.iter().all(|area| Some(*area) == own);
        let pause = match left {
            Some(left) if only_own => left,
            Some(left) => left.min(LOOK_MS),
            None => LOOK_MS,
        };
        if until.is_some_and(|until| cx.host.abstime_ms() >= until) {
            return Err(task::wait::purged(cx, AbendCode::from_field(AEXY), &reason));
        }
        match task::wait::wait(cx, &reason, Some(pause)) {
            Err(Fail::Abend(_, text)) => {
                return Err(Fail::Abend(AbendCode::from_field(AEXY), text));
            }
            other => drop(other?),
        }
        if let Some(mut entry) = TaskEntry::find(cx.host.shared(), cx.task.number) {
            task::wait::awake(cx.host, &mut entry);
        }
    }
}
