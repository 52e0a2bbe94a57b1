//! EXEC CICS READ: read one record, for update with a lock.
//!
//! Without UPDATE it sees the last committed state and the task's own changes; CONSISTENT and
//! REPEATABLE wait for those of others. With UPDATE the record is locked until REWRITE, DELETE,
//! UNLOCK or the end of the unit of work; a wait that is too long ends the task with AKCS (DTIMOUT)
//! or AFCV (a file with RLS: DTIMOUT, else FTIMEOUT), a deadlock with AFCF, with RLS AFCW. A record
//! that is not there is not locked. Conditions: those of `access`,
//! `rid`, `record` and `sharing`; NOTFND 80; DUPKEY 140 (more records have the alternate key);
//! INVREQ 28 (a record of the file is already held without TOKEN), 44 (UPDATE with GENERIC or GTEQ
//! of a user-maintained data table); LOCKED 106; RECORDBUSY 107
//! (NOSUSPEND).

use super::access::{Target, target};
use super::sharing::{self, Integrity};
use super::state::HELD_MAX;
use super::{record, rid, source};
use transom_commands::opt;
use transom_datasets::{Find, Found};
use transom_region_task::command::{Cx, Done, Fail, NORMAL, raise};
use transom_types::Resp;
use transom_wire::definitions::FileUse;

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
    if update && target.entry.is_user_table() && rid.find != Find::Equal {
        return raise(Resp::INVREQ, 44);
    }
    let found = if update {
        for_update(cx, &target, rid.key, rid.find)?
    } else {
        match sharing::integrity(cx, &target) {
            Integrity::Uncommitted => source::read(cx, &target, &rid.key, rid.find)?,
            integrity => {
                let found = sharing::read(cx, &target, rid.key, rid.find)?;
                sharing::was_read(cx, &target, integrity, &found.position)?;
                found
            }
        }
    };
    record::give(cx, &target, &found.record)?;
    if found.duplicate {
        return raise(Resp::DUPKEY, 140);
    }
    NORMAL
}

fn for_update(cx: &mut Cx<'_>, target: &Target, key: Vec<u8>, find: Find) -> Result<Found, Fail> {
    let files = &cx.task.files;
    let held = !cx.has(opt::TOKEN) && files.held(target.name, None).is_some();
    if held || files.held.len() >= HELD_MAX {
        return raise(Resp::INVREQ, 28);
    }
    let (found, sure) = sharing::read_for_update(cx, target, key, find)?;
    sharing::hold(cx, target, &found.position, sure);
    Ok(found)
}
