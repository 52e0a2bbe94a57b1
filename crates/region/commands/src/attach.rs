//! What a task is given at its start: the first program's COMMAREA, or why it cannot run; what
//! others see of it, and what its end says of it.
//!
//! Not here: the order of a start (`exec`).

use crate::task_state::{Refusal, TaskState};
use transom_messages as messages;
use transom_monitoring::field;
use transom_types::{ReqId, Resp, SuspendType, SuspendValue, TermId};
use transom_wire::definitions::TaskEntry;
use transom_wire::monitoring::Costs;
use transom_wire::payload::{COMMAREA_BYTES_MAX, with_costs};
use transom_workers::seam::{Area, Host, Reply, TaskStart};

/// The first program's COMMAREA: what was sent, followed by low values up to what the caller can
/// take back.
pub(crate) fn start_area(
    host: &mut dyn Host,
    sent: &[u8],
    reply_max: u32,
) -> Result<Area, Refusal> {
    let bytes = sent.len().max(reply_max as usize);
    if bytes > COMMAREA_BYTES_MAX {
        let text = messages::pg::commarea_not_possible(bytes, COMMAREA_BYTES_MAX).to_string();
        return Err(Refusal {
            resp: Resp::LENGERR,
            resp2: 11,
            text,
        });
    }
    if bytes == 0 {
        return Ok(Area::default());
    }
    let Some(address) = host.getmain(bytes, None) else {
        return Err(no_storage("COMMAREA", bytes));
    };
    let area = host.memory_mut(address, bytes);
    area[..sent.len()].copy_from_slice(sent);
    area[sent.len()..].fill(0);
    Ok(Area { address, bytes })
}

/// Shows the task to others: INQUIRE TASK.
pub(crate) fn announce(host: &dyn Host, task: &TaskState, attach: &TaskStart<'_>) {
    let entry = TaskEntry {
        task_number: attach.task_number,
        transid: attach.transid,
        program: attach.program,
        userid: attach.userid,
        priority: task.priority,
        start_abstime_ms: task.start_abstime_ms as u64,
        start_code: task.start.start_code,
        suspend_type: SuspendType::BLANK,
        suspend_value: SuspendValue::BLANK,
        suspended_abstime_ms: 0,
        reqid: ReqId::BLANK,
        terminal: (task.terminal.get()).map_or(TermId::BLANK, |own| own.facts.terminal),
        purgeable: task.transaction.spurge,
        association: task.association,
    };
    // With shared storage full the task runs, only INQUIRE TASK does not show it.
    let _ = entry.install(host.shared());
}

/// The reply of a task, with what it used behind it where it is measured.
pub(crate) fn told(host: &mut dyn Host, task: &mut TaskState, mut reply: Reply) -> Reply {
    let Some(times) = host.times() else {
        return reply;
    };
    if task.refusal.is_none() {
        // The first program.
        task.counts.count(field::PCLINKCT);
    }
    let abends = (task.abend.first, task.abend.code);
    let mut costs = Costs::new(times, &task.counts, abends, task.association);
    if !task.user_fields.is_empty() {
        costs.user = task
            .user_fields
            .values(crate::diagnostic::monitor::now_ns());
    }
    (costs.calls, costs.calls_lost) = task.calls.take();
    reply.rest = with_costs(reply.rest, &costs);
    reply
}

/// There is no task storage for it.
pub(crate) fn no_storage(what: &str, bytes: usize) -> Refusal {
    let text = messages::sm::no_task_storage(what, bytes).to_string();
    Refusal {
        resp: Resp::NOSTG,
        resp2: 0,
        text,
    }
}

/// What PGMIDERR's RESP2 means, in words.
pub(crate) fn pgmiderr_reason(resp2: u32) -> &'static str {
    match resp2 {
        1 => "it is not defined and no module of its name exists",
        2 => "it is disabled",
        3 => "its module cannot be loaded",
        9 => "program autoinstall did not define it",
        _ => "it was refused",
    }
}
