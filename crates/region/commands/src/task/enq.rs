//! EXEC CICS ENQ: own a resource until DEQ, syncpoint or the end of the task.
//!
//! With LENGTH the resource is a text of up to 255 bytes, without it an address: one in the CWA or
//! in shared storage meets those of all tasks, any other is the task's own. A task that owns
//! the resource already owns it once more. Waits unless NOSUSPEND is given or a HANDLE CONDITION
//! ENQBUSY is in force (RESP and NOHANDLE take that back); a wait longer than DTIMOUT ends the task
//! with AKCS. Conditions: ENQBUSY; LENGERR 1 (LENGTH not 1 to 255); INVREQ 2 (MAXLIFETIME).

use super::state::Held;
use super::wait::{Reason, wait};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, raise};
use transom_commands::opt;
use transom_messages as messages;
use transom_monitoring::field;
use transom_types::{AbendCode, ReqId, Resp, SuspendValue};
use transom_wire::Space;
use transom_wire::asked::{Asked, Enq};
use transom_wire::definitions::TaskEntry;
use transom_wire::task::{ENQ_ADDRESS, ENQ_TEXT, Lifetime, Lock, WAITERS_MAX, forget};
use transom_workers::seam::Waited;

/// The command.
pub(crate) fn enq(cx: &mut Cx<'_>) -> Done {
    let (key, lifetime) = (key(cx)?, lifetime(cx)?);
    let has_label = cx
        .task
        .handles()
        .is_some_and(|handles| handles.has_label(Resp::ENQBUSY));
    let may_wait = !cx.has(opt::NOSUSPEND) && (cx.call.nohandle() || !has_label);
    count(cx, &key, Enq::Issued);
    match acquire(cx, &key, lifetime, may_wait) {
        Got::Mine => {}
        Got::Busy => {
            count(cx, &key, Enq::Busy);
            return raise(Resp::ENQBUSY, 0);
        }
        Got::NoRoom => return Err(no_room()),
        Got::Queued => {
            let waited = await_turn(cx, &key);
            count(cx, &key, Enq::Waited);
            waited?;
        }
    }
    if !cx.task.held.iter().any(|held| held.key == key) {
        cx.task.held.push(Held { key });
    }
    NORMAL
}

fn count(cx: &Cx<'_>, key: &[u8], what: Enq) {
    let asked = match key.first() {
        Some(&ENQ_ADDRESS) => Asked::EnqAddress(what),
        _ => Asked::EnqText(what),
    };
    asked.count(cx.host.shared());
}

/// The key of the resource in shared memory.
pub(crate) fn key(cx: &Cx<'_>) -> Result<Vec<u8>, Fail> {
    let Some(length) = cx.number(opt::LENGTH) else {
        let address = cx.call.address_of(opt::RESOURCE).unwrap_or(0);
        // What is no task's alone meets everywhere; elsewhere two tasks can have the same address
        // for storage of their own.
        let owner = match cx.host.is_shared(address) {
            true => 0,
            false => cx.task.number,
        };
        let address = (address as u64).to_be_bytes();
        return Ok([&[ENQ_ADDRESS][..], &address, &owner.to_be_bytes()].concat());
    };
    let Some(length) = usize::try_from(length)
        .ok()
        .filter(|l| (1..=255).contains(l))
    else {
        return raise(Resp::LENGERR, 1);
    };
    Ok([
        &[ENQ_TEXT][..],
        area_in(cx.host, cx.call, opt::RESOURCE, length),
    ]
    .concat())
}

/// UOW (the default) or TASK, as keyword or MAXLIFETIME value.
pub(crate) fn lifetime(cx: &Cx<'_>) -> Result<Lifetime, Fail> {
    if cx.value_is(opt::TASK, opt::MAXLIFETIME, "TASK") {
        return Ok(Lifetime::Task);
    }
    if cx.has(opt::MAXLIFETIME) && !cx.cvda_is(opt::MAXLIFETIME, "UOW") {
        return raise(Resp::INVREQ, 2);
    }
    Ok(Lifetime::Uow)
}

enum Got {
    Mine,
    Busy,
    Queued,
    NoRoom,
}

fn acquire(cx: &mut Cx<'_>, key: &[u8], lifetime: Lifetime, may_wait: bool) -> Got {
    let me = cx.task.number;
    let mut got = Got::Busy;
    cx.host
        .shared()
        .with_group(Space::Enqueue, key, &mut |group| {
            let mut lock = Lock::read(group);
            if lock.owner == 0 || lock.owner == me {
                lock.owner = me;
                *lock.count(lifetime) += 1;
                got = Got::Mine;
            } else if may_wait && lock.waiters.len() < WAITERS_MAX {
                lock.waiters.push((me, lifetime));
                got = Got::Queued;
            } else {
                got = Got::Busy;
                return;
            }
            if !lock.write(group) {
                got = Got::NoRoom;
            }
        });
    got
}

/// Waits until the resource was handed over.
fn await_turn(cx: &mut Cx<'_>, key: &[u8]) -> Result<(), Fail> {
    let me = cx.task.number;
    let reason = Reason {
        suspend_type: "ENQUEUE",
        clock: field::ENQDELAY,
        suspend_value: SuspendValue::from_field(key.get(1..).unwrap_or(&[])),
        reqid: ReqId::BLANK,
    };
    let began = cx.host.abstime_ms();
    let limit = cx.task.transaction.deadlock_timeout_ms();
    loop {
        let passed = cx.host.abstime_ms().saturating_sub(began).max(0) as u64;
        let rest = (limit > 0).then(|| limit.saturating_sub(passed));
        let waited = wait(cx, &reason, rest);
        let mut mine = false;
        cx.host
            .shared()
            .with_group(Space::Enqueue, key, &mut |group| {
                mine = Lock::read(group).owner == me;
            });
        match waited {
            Ok(_) if mine => {
                if let Some(mut entry) = TaskEntry::find(cx.host.shared(), me) {
                    super::wait::awake(cx.host, &mut entry);
                }
                return Ok(());
            }
            Ok(Waited::TimedOut) => {
                count(cx, key, Enq::TimedOut);
                leave(cx, key);
                return Err(super::wait::purged(cx, AbendCode::AKCS, &reason));
            }
            // Posted for another reason.
            Ok(_) => {}
            Err(fail) => {
                count(cx, key, Enq::Purged);
                leave(cx, key);
                return Err(fail);
            }
        }
    }
}

/// Gives up waiting; a resource handed over in the same moment goes to the next waiter.
fn leave(cx: &mut Cx<'_>, key: &[u8]) {
    if let Some(next) = forget(cx.host.shared(), key, cx.task.number) {
        cx.host.post(next);
    }
}

fn no_room() -> Fail {
    let text = messages::nq::no_storage().to_string();
    Fail::Abend(AbendCode::from_field(b"AKCS"), text)
}
