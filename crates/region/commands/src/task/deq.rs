//! EXEC CICS DEQ: give a resource back.
//!
//! Takes back one ENQ of the same lifetime; the resource is free when none is left. A resource the
//! task does not own is left alone; one that was taken away from it ends the task with ASRB.
//! Conditions: LENGERR 1 (LENGTH), INVREQ 2 (MAXLIFETIME).

use super::enq::{key, lifetime};
use crate::command::{Cx, Done, Fail, NORMAL};
use transom_messages as messages;
use transom_types::AbendCode;
use transom_wire::Space;
use transom_wire::task::Lock;

/// The command.
pub(crate) fn deq(cx: &mut Cx<'_>) -> Done {
    let (key, lifetime) = (key(cx)?, lifetime(cx)?);
    let me = cx.task.number;
    let (mut post, mut mine, mut owned) = (None, false, false);
    cx.host
        .shared()
        .with_group(Space::Enqueue, &key, &mut |group| {
            let mut lock = Lock::read(group);
            owned = lock.owner == me;
            if !owned {
                return;
            }
            let count = lock.count(lifetime);
            *count = count.saturating_sub(1);
            post = lock.pass_on();
            mine = lock.owner == me;
            // Shrinking an item needs no new storage.
            let _ = lock.write(group);
        });
    if !owned && cx.task.held.iter().any(|held| held.key == key) {
        let text = messages::nq::taken_away().to_string();
        return Err(Fail::Abend(AbendCode::ASRB, text));
    }
    if !mine {
        cx.task.held.retain(|held| held.key != key);
    }
    if let Some(next) = post {
        cx.host.post(next);
    }
    NORMAL
}
