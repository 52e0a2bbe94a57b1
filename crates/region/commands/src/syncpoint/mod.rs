//! EXEC CICS SYNCPOINT and SYNCPOINT ROLLBACK: end the unit of work.
//!
//! Conditions: INVREQ 200 (in a program linked to from another region without SYNCONRETURN);
//! ROLLEDBACK (a store or a partner could not commit: all is backed out).
//!
//! What: the command, and the syncpoint or backout at the end of a task. The region process keeps
//! the unit of work; a task that touched nothing recoverable does not ask it. Not here: stores and
//! two-phase commit (`transom_recovery`).

use crate::command::{Cx, Done, Fail, NORMAL, ask_region, raise};
use crate::task;
use crate::task_state::TaskState;
use transom_commands::opt;
use transom_messages as messages;
use transom_types::{AbendCode, Resp};
use transom_wire::monitoring::Doing;
use transom_wire::syncpoint::Request;
use transom_workers::seam::{Host, TaskEnd};

/// The command, with or without ROLLBACK.
pub(crate) fn syncpoint(cx: &mut Cx<'_>) -> Done {
    // The caller of a distributed program link ends the unit of work.
    if cx.task.mirror().is_some() && cx.task.start.start_code == *b"D " {
        return raise(Resp::INVREQ, 200);
    }
    cx.task.unit.sync();
    let rollback = cx.has(opt::ROLLBACK);
    end_unit(cx, rollback)
}

/// Ends the unit of work; also what commands do that imply it.
pub(crate) fn end_unit(cx: &mut Cx<'_>, rollback: bool) -> Done {
    if rollback {
        // Output that was kept for later is undone as the rest of the unit of work.
        crate::terminal::bms::send_page::at_rollback(cx)?;
        crate::terminal::output::discard(cx.task);
    } else {
        crate::terminal::bms::send_page::at_syncpoint(cx)?;
        crate::terminal::output::flush_before_wait(cx)?;
    }
    let what = match rollback {
        true => Request::Backout,
        false => Request::Commit,
    };
    // With a unit of work alone: whoever changes nothing needs no look.
    let lost = !rollback && cx.task.unit.is_open() && !task::events::holds_all(cx.host, cx.task);
    if lost {
        let text = messages::nq::taken_away().to_string();
        return Err(Fail::Abend(AbendCode::ASRB, text));
    }
    let ended = if cx.task.unit.end() {
        cx.ask(&what).map(drop)
    } else {
        Ok(())
    };
    cx.task.sql.unit_ended(rollback);
    cx.region.caches.sql.unit_ended();
    transom_region_data::uow_ended(cx.host, cx.task);
    task::events::release_uow(cx.host, cx.task);
    ended?;
    NORMAL
}

/// The task ends normally: commits; when that fails, it ends abnormally.
pub(crate) fn at_end(host: &mut dyn Host, task: &mut TaskState) -> TaskEnd {
    transom_region_data::uow_ended(host, task);
    if !task.unit.end() {
        return TaskEnd::Normal;
    }
    if !task::events::holds_all(host, task) {
        host.forget_later();
        ask_region(host, &Request::Backout);
        return TaskEnd::Abend(AbendCode::ASRB, messages::nq::taken_away().to_string());
    }
    let called = task.calls.begins(Doing::Commit);
    let answer = ask_region(host, &Request::Commit);
    task.calls.ended(&called, [b' '; 8], answer.resp);
    if answer.resp == Resp::NORMAL && answer.abend.is_none() {
        return TaskEnd::Normal;
    }
    let code = answer.abend.unwrap_or(AbendCode::from_field(b"ASP1"));
    TaskEnd::Abend(code, answer.text)
}

/// The task ends abnormally: backs out.
pub(crate) fn at_abend(host: &mut dyn Host, task: &mut TaskState) {
    host.forget_later();
    transom_region_data::uow_ended(host, task);
    if task.unit.end() {
        let called = task.calls.begins(Doing::Backout);
        let answer = ask_region(host, &Request::Backout);
        task.calls.ended(&called, [b' '; 8], answer.resp);
    }
}
