//! EXEC CICS WRITE: add a record.
//!
//! A KSDS or path takes the key from the record; RIDFLD must say the same. An ESDS answers the RBA
//! in RIDFLD, an RRDS takes the slot number from it. MASSINSERT writes each record at once as well;
//! UNLOCK after it does nothing. Conditions: those of `access`, `rid` and `record`; DUPREC 150 (key
//! or unique alternate key exists); INVREQ 23 (RIDFLD is not the key in the record), 44
//! (MASSINSERT into a user-maintained data table); NOSPACE 100, 102 (such a table is full);
//! LOCKED 106; RECORDBUSY 107 (NOSUSPEND).

use super::access::{Target, target};
use super::held::patience;
use super::rid_kind::RidKind;
use super::{record, rid};
use transom_commands::opt;
use transom_datasets::Find;
use transom_region_task::command::{Cx, Done, Fail, NORMAL, raise};
use transom_types::{Position, Resp};
use transom_wire::definitions::FileUse;
use transom_wire::file_control::Action;
use transom_wire::language::whole;

/// The command.
pub(crate) fn write(cx: &mut Cx<'_>) -> Done {
    let target = target(cx, Some(FileUse::Add), |file| file.add)?;
    let kind = rid::kind(cx, &target)?;
    if cx.has(opt::MASSINSERT) && target.entry.is_user_table() {
        return raise(Resp::INVREQ, 44);
    }
    let record = record::take(cx, &target)?;
    let slot = match kind {
        RidKind::Key => {
            same_key(cx, &target, &record)?;
            None
        }
        RidKind::Rrn => {
            let key = rid::read(cx, &target, Find::Equal)?.key;
            key.try_into().ok().map(u32::from_be_bytes)
        }
        RidKind::Rba | RidKind::Xrba => None,
    };
    let recoverable = target.entry.is_recoverable();
    if recoverable {
        cx.task.unit.touch();
    }
    let action = Action::Insert(slot, record, patience(cx, &target.entry));
    let answer = target.ask(cx, action)?;
    cx.task.files.changed(&target.shape, recoverable);
    if matches!(kind, RidKind::Rba | RidKind::Xrba)
        && let Some(position) = whole::<Position>(&answer)
    {
        rid::show(cx, kind, &position.key);
    }
    NORMAL
}

/// RIDFLD has the key that the record has.
fn same_key(cx: &mut Cx<'_>, target: &Target, record: &[u8]) -> Result<(), Fail> {
    if cx.has(opt::GENERIC) {
        return raise(Resp::INVREQ, 25);
    }
    let rid = rid::read(cx, target, Find::Equal)?;
    let from = target.shape.key_offset as usize;
    let Some(key) = record.get(from..from + rid.key.len()) else {
        return raise(Resp::LENGERR, 12);
    };
    if key != rid.key {
        return raise(Resp::INVREQ, 23);
    }
    Ok(())
}
