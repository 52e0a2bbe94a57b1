//! READNEXT and READPREV: one record further.

use super::locked;
use super::position::{find, reqid, seek};
use crate::file_control::access::{Target, target};
use crate::file_control::sharing::{self, Integrity};
use crate::file_control::state::{Browse, Place};
use crate::file_control::{record, rid};
use transom_recovery::Direction;
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;
use transom_wire::definitions::FileUse;

/// READNEXT and READPREV.
pub(super) fn read(cx: &mut Cx<'_>, direction: Direction) -> Done {
    let target = target(cx, Some(FileUse::Browse), |_| true)?;
    let Some(at) = find(cx, target.name, reqid(cx)) else {
        let backward = direction == Direction::Backward;
        return raise(Resp::INVREQ, if backward { 41 } else { 34 });
    };
    let update = locked::update(cx, &target)?;
    let mut browse = cx.task.files.browses.swap_remove(at);
    let done = match sharing::integrity(cx, &target) {
        Integrity::Uncommitted if !update && browse.token.is_none() => {
            step(cx, &target, &mut browse, direction)
        }
        integrity => {
            let integrity = (!update).then_some(integrity);
            locked::step(cx, &target, &mut browse, direction, integrity)
        }
    };
    cx.task.files.browses.push(browse);
    done
}

/// Moves a browse by one record and hands it to the program.
fn step(cx: &mut Cx<'_>, target: &Target, browse: &mut Browse, direction: Direction) -> Done {
    seek(cx, target, browse, direction)?;
    let Some(seen) = browse.ahead.take() else {
        return raise(Resp::ENDFILE, 90);
    };
    seen.place(&mut browse.position);
    browse.place = Place::On(direction);
    let shown = browse.kind.field(seen.key);
    browse.shown.clear();
    browse.shown.extend_from_slice(shown);
    rid::show(cx, browse.kind, seen.key);
    record::give(cx, target, seen.record)?;
    if seen.duplicate {
        return raise(Resp::DUPKEY, 140);
    }
    NORMAL
}
