//! EXEC CICS DELETE: delete the record read for update, the one RIDFLD names, or all with a generic
//! key.
//!
//! NUMREC answers how many. Conditions: those of `access` and `rid`; NOTFND 80; INVREQ 21 (ESDS),
//! 22 (GENERIC, but no keys), 42 (KEYLENGTH(0)), 31 (no RIDFLD and no record held), 47 (unknown
//! TOKEN); DUPKEY 140 (more records have the alternate key); LOCKED 106; RECORDBUSY 107
//! (NOSUSPEND).

use super::access::{Target, target};
use super::held::{held, patience};
use super::rid;
use transom_commands::opt;
use transom_datasets::Find;
use transom_region_task::command::{Cx, Done, Fail, NORMAL, raise};
use transom_types::Resp;
use transom_wire::definitions::{FileEntry, FileType, FileUse};
use transom_wire::file_control::Action;
use transom_wire::language::whole;

/// The command.
pub(crate) fn delete(cx: &mut Cx<'_>) -> Done {
    let target = target(cx, None, |file| file.delete)?;
    if target.shape.organization == FileType::Esds {
        return raise(Resp::INVREQ, 21);
    }
    let recoverable = target.entry.is_recoverable();
    if !cx.has(opt::RIDFLD) {
        held_record(cx, &target)?;
        changed(cx, &target, 1);
        return NORMAL;
    }
    if cx.has(opt::GENERIC) && !target.shape.is_keyed() {
        return raise(Resp::INVREQ, 22);
    }
    let rid = rid::read(cx, &target, Find::Equal)?;
    if recoverable {
        cx.task.unit.touch();
    }
    if rid.generic {
        // No key at all would mean every record.
        if rid.key.is_empty() {
            return raise(Resp::INVREQ, 42);
        }
        let action = Action::DeleteGeneric(rid.key, patience(cx, &target.entry));
        let answer = target.ask(cx, action)?;
        let count = whole::<u32>(&answer).unwrap_or(0);
        changed(cx, &target, count);
        return NORMAL;
    }
    let answer = target.ask(cx, Action::DeleteKey(rid.key, patience(cx, &target.entry)))?;
    changed(cx, &target, 1);
    if answer == [1] {
        return raise(Resp::DUPKEY, 140);
    }
    NORMAL
}

fn held_record(cx: &mut Cx<'_>, target: &Target) -> Result<(), Fail> {
    let at = held(cx, target.name, 31)?;
    let Some(position) = cx.task.files.held.get(at).map(|held| held.position.clone()) else {
        return Ok(());
    };
    let done = target.ask(cx, Action::Delete(position, patience(cx, &target.entry)));
    if !matches!(done, Err(Fail::Raise(resp, _)) if resp != Resp::NOTFND) {
        cx.task.files.held.swap_remove(at);
    }
    done.map(drop)
}

fn changed(cx: &mut Cx<'_>, target: &Target, count: u32) {
    cx.set_number(opt::NUMREC, i64::from(count.min(32_767)));
    FileEntry::count(
        cx.host.shared(),
        target.name,
        FileUse::Delete,
        u64::from(count),
    );
    let recoverable = target.entry.is_recoverable();
    cx.task.files.changed(&target.shape, recoverable);
}
