//! READNEXT and READPREV that lock: UPDATE, CONSISTENT, REPEATABLE.
//!
//! What: the record of a step is locked, then read again; one that has gone meanwhile is passed
//! over. A record read for update stays locked until it is rewritten or deleted, or the browse
//! moves on or ends without that. Not here: where a browse stands.

use super::position::seek;
use crate::file_control::access::Target;
use crate::file_control::sharing::{self, Integrity};
use crate::file_control::state::HELD_MAX;
use crate::file_control::state::{Browse, Place};
use crate::file_control::{record, rid};
use transom_commands::opt;
use transom_recovery::Direction;
use transom_region_task::command::{Cx, Done, Fail, NORMAL, raise};
use transom_types::Resp;

/// Whether the record shall be updated. Conditions: INVREQ 54 (the file has no record level
/// sharing), 20 (it must not be updated), 28 (too many records are held).
pub(super) fn update(cx: &Cx<'_>, target: &Target) -> Result<bool, Fail> {
    if !cx.has(opt::UPDATE) && !cx.has(opt::TOKEN) {
        return Ok(false);
    }
    if !target.entry.rls {
        return raise(Resp::INVREQ, 54);
    }
    if !target.entry.update && !target.entry.delete {
        return raise(Resp::INVREQ, 20);
    }
    if cx.task.files.held.len() >= HELD_MAX {
        return raise(Resp::INVREQ, 28);
    }
    Ok(true)
}

/// Moves a browse by one record and hands it to the program; for update when there is no integrity.
pub(super) fn step(
    cx: &mut Cx<'_>,
    target: &Target,
    browse: &mut Browse,
    direction: Direction,
    integrity: Option<Integrity>,
) -> Done {
    let_go(cx, target, browse)?;
    loop {
        seek(cx, target, browse, direction)?;
        let Some(seen) = browse.ahead.take() else {
            return raise(Resp::ENDFILE, 90);
        };
        seen.place(&mut browse.position);
        let mut found = seen.to_found();
        browse.place = Place::On(direction);
        if integrity != Some(Integrity::Uncommitted) {
            match sharing::read_at(cx, target, &found.position)? {
                Some(record) => found.record = record,
                None => continue,
            }
        }
        browse.shown = browse.kind.field(&found.position.key).to_vec();
        rid::show(cx, browse.kind, &found.position.key);
        match integrity {
            None => browse.token = sharing::hold(cx, target, &found.position, None),
            Some(Integrity::Uncommitted) => {}
            Some(integrity) => sharing::was_read(cx, target, integrity, &found.position)?,
        }
        record::give(cx, target, &found.record)?;
        if found.duplicate {
            return raise(Resp::DUPKEY, 140);
        }
        return NORMAL;
    }
}

/// The record read for update last is given back, unless it was rewritten or deleted.
pub(super) fn let_go(cx: &mut Cx<'_>, target: &Target, browse: &mut Browse) -> Result<(), Fail> {
    let Some(token) = browse.token.take() else {
        return Ok(());
    };
    let Some(at) = cx.task.files.held(target.name, Some(token)) else {
        return Ok(());
    };
    let released = cx.task.files.held.swap_remove(at);
    sharing::give_back(cx, target, &released.position)
}
