//! EXEC CICS INQUIRE UOW (with START, NEXT, END) and SET UOW.
//!
//! The identifier has 16 bytes, the last eight of which are zero. A unit of work that is in doubt,
//! or whose outcome a database does not know yet, is shunted; CEMT and LINK name the database.
//! Conditions: UOWNOTFOUND 1, ILLOGIC 1, END 2 (browse); SET: INVREQ 3 (UOWSTATE), 4 (it is not in
//! doubt). Differs: what is known of the task of a shunted unit of work ends with the region; FORCE
//! backs out, as ACTION(BACKOUT) of a transaction does.

use transom_commands::opt;
use transom_region_task::command::{Cx, Done, Fail, NORMAL, raise};
use transom_types::Resp;
use transom_wire::definitions::TaskEntry;
use transom_wire::language::whole;
use transom_wire::syncpoint::{Request, Stage, UnitId, UnitState};

/// INQUIRE UOW.
pub fn inquire(cx: &mut Cx<'_>) -> Done {
    if cx.has(opt::START) {
        if cx.task.browses.uows.is_some() {
            return raise(Resp::ILLOGIC, 1);
        }
        let all: Vec<UnitId> = whole(&cx.ask(&Request::List)?).unwrap_or_default();
        cx.task.browses.uows = Some(all.into());
        return NORMAL;
    }
    if cx.has(opt::END) {
        return match cx.task.browses.uows.take() {
            Some(_) => NORMAL,
            None => raise(Resp::ILLOGIC, 1),
        };
    }
    if !cx.has(opt::NEXT) {
        let id = identifier(cx);
        return shown(cx, id);
    }
    loop {
        let Some(names) = &mut cx.task.browses.uows else {
            return raise(Resp::ILLOGIC, 1);
        };
        let Some(next) = names.pop_front() else {
            return raise(Resp::END, 2);
        };
        match shown(cx, next) {
            // It ended since the browse began.
            Err(Fail::Raise(Resp::UOWNOTFOUND, _)) => {}
            other => {
                cx.set_bytes(opt::UOW, &next, 0);
                return other;
            }
        }
    }
}

fn identifier(cx: &Cx<'_>) -> UnitId {
    let given = cx.call.bytes(opt::UOW).unwrap_or_default();
    let mut id = UnitId::default();
    for (to, from) in id.iter_mut().zip(given) {
        *to = *from;
    }
    id
}

fn shown(cx: &mut Cx<'_>, id: UnitId) -> Done {
    let answer = cx.ask(&Request::Inquire(id))?;
    let Some(UnitState {
        stage,
        task,
        age_s,
        link,
    }) = UnitState::decode(&answer)
    else {
        return raise(Resp::UOWNOTFOUND, 1);
    };
    let (state, wait, cause) = match stage {
        Stage::InFlight => ("INFLIGHT", "ACTIVE", "NOTAPPLIC"),
        Stage::Committed => ("COMMIT", "SHUNTED", "CONNECTION"),
        Stage::BackedOut => ("BACKOUT", "SHUNTED", "CONNECTION"),
        Stage::InDoubt => ("INDOUBT", "SHUNTED", "CONNECTION"),
    };
    cx.set_cvda(opt::UOWSTATE, state);
    cx.set_cvda(opt::WAITSTATE, wait);
    cx.set_cvda(opt::WAITCAUSE, cause);
    cx.set_number(opt::AGE, i64::from(age_s));
    cx.set_number(opt::TASKID, i64::from(task));
    cx.set_text(opt::LINK, &link);
    let entry = TaskEntry::find(cx.host.shared(), task).filter(|_| task != 0);
    let names = entry
        .as_ref()
        .map(|e| (e.transid.as_str(), e.userid.as_str()));
    let (transid, userid) = names.unwrap_or_default();
    cx.set_text(opt::TRANSID, transid);
    cx.set_text(opt::USERID, userid);
    NORMAL
}

/// SET UOW.
pub fn set(cx: &mut Cx<'_>) -> Done {
    let commit = cx.value_is(opt::COMMIT, opt::UOWSTATE, "COMMIT");
    let backout = cx.value_is(opt::BACKOUT, opt::UOWSTATE, "BACKOUT")
        || cx.value_is(opt::FORCE, opt::UOWSTATE, "FORCE");
    if !commit && !backout {
        return raise(Resp::INVREQ, 3);
    }
    let id = identifier(cx);
    cx.ask(&Request::Decide { commit, id })?;
    NORMAL
}
