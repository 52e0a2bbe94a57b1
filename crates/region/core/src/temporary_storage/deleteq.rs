//! EXEC CICS DELETEQ TS: delete a queue with all its items.
//!
//! Conditions: QIDERR (no such queue), INVREQ (name), LOCKED (a recoverable queue, by a unit of work in
//! doubt), SYSIDERR.

use super::{Header, ask, place, queue, request};
use crate::command::{Cx, Done, NORMAL, raise};
use crate::requests::Domain;
use transom_types::Resp;
use transom_workers::seam::Space;

/// The command.
pub(crate) fn deleteq(cx: &mut Cx<'_>) -> Done {
    let name = queue(cx)?;
    if place(cx, &name)?.stored {
        let mut out = request(ask::DELETE, &name, 0);
        out.u64(cx.task.transaction.dtimout_ms);
        cx.task.uow_open = true;
        cx.ask(Domain::TemporaryStorage, &out.0)?;
        return NORMAL;
    }
    let mut found = false;
    cx.host
        .shared()
        .with_group(Space::TsMain, &name, &mut |group| {
            found = Header::read(group).is_some();
            group.remove_all();
        });
    if !found {
        return raise(Resp::QIDERR, 0);
    }
    NORMAL
}
