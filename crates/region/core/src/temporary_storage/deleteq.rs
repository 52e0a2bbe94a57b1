//! EXEC CICS DELETEQ TS: delete a queue with all its items.
//!
//! Conditions: QIDERR (no such queue), INVREQ (name), SYSIDERR.

use super::{Header, queue};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;
use transom_workers::seam::Space;

/// The command.
pub(crate) fn deleteq(cx: &mut Cx<'_>) -> Done {
    let name = queue(cx)?;
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
