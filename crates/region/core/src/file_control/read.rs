//! EXEC CICS READ: read one record, for update with a lock.
//!
//! Without UPDATE it sees the last committed state and the task's own changes. With UPDATE the record is locked until
//! REWRITE, DELETE, UNLOCK or the end of the unit of work; a wait longer than DTIMOUT ends the task with AKCS, a deadlock
//! with AFCW. CONSISTENT and REPEATABLE read as UNCOMMITTED does: what others have not committed is never seen.
//! Conditions: those of `access`, `rid` and `record`; NOTFND 80; DUPKEY 140 (more records have the alternate key); INVREQ
//! 28 (a record of the file is already held without TOKEN); LOCKED 106; RECORDBUSY 107 (NOSUSPEND).

use super::access::{Target, target};
use super::wire::{Action, decode_found};
use super::{HELD_MAX, HeldRecord, patience, record, rid, source};
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::definitions::FileUse;
use transom_commands::opt;
use transom_datasets::{Find, Found};
use transom_types::Resp;

/// The command.
pub(crate) fn read(cx: &mut Cx<'_>) -> Done {
    let update = cx.has(opt::UPDATE) || cx.has(opt::TOKEN);
    let used = if update {
        FileUse::ReadUpdate
    } else {
        FileUse::Read
    };
    let target = target(cx, Some(used), |file| {
        if update {
            file.update || file.delete
        } else {
            file.read
        }
    })?;
    let rid = rid::read(cx, &target, Find::Equal)?;
    let found = if update {
        for_update(cx, &target, rid.key, rid.find)?
    } else {
        source::read(cx, &target, &rid.key, rid.find)?
    };
    record::give(cx, &target, &found.record)?;
    if found.duplicate {
        return raise(Resp::DUPKEY, 140);
    }
    NORMAL
}

fn for_update(cx: &mut Cx<'_>, target: &Target, key: Vec<u8>, find: Find) -> Result<Found, Fail> {
    let with_token = cx.has(opt::TOKEN);
    if !with_token && cx.task.files.held(target.name, None).is_some() {
        return raise(Resp::INVREQ, 28);
    }
    if cx.task.files.held.len() >= HELD_MAX {
        return raise(Resp::INVREQ, 28);
    }
    cx.task.uow_open = true;
    let action = Action::Read(key, find, Some(patience(cx)));
    let answer = target.ask(cx, action)?;
    let Some(found) = decode_found(&answer).into_iter().next() else {
        return raise(Resp::NOTFND, 80);
    };
    let token = with_token.then(|| {
        cx.task.files.last_token = cx.task.files.last_token.wrapping_add(1).max(1);
        cx.task.files.last_token
    });
    cx.task.files.held.push(HeldRecord {
        file: target.name,
        token,
        position: found.position.clone(),
    });
    if let Some(token) = token {
        cx.set_number(opt::TOKEN, i64::from(token));
    }
    Ok(found)
}
