//! EXEC CICS POST: a timer event area that is posted when a time has come.
//!
//! The area has four bytes, low values at first; posted, its first byte is X'40' and its third
//! X'80'. A task has one POST at a time: a further one ends the one before. The area is posted when
//! the task runs WAIT EVENT, WAITCICS, WAIT EXTERNAL, DELAY, POST or CANCEL after the time; a task
//! that looks at it in a loop has to give control up there. Conditions: EXPIRED (the time has
//! passed; the area is posted), INVREQ 4, 5, 6 (time), NOSTG.

use super::reqid::reqid;
use super::state::{ITEM, Post};
use super::when;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::{ReqId, Resp};
use transom_wire::Space;
use transom_wire::interval::Posted;
use transom_workers::seam::Address;

/// Bytes of the area.
pub(crate) const AREA_BYTES: usize = 4;
const POSTED: [u8; AREA_BYTES] = [0x40, 0, 0x80, 0];

/// The command.
pub(crate) fn post(cx: &mut Cx<'_>) -> Done {
    let wait_ms = when::wait_ms(cx)?;
    let reqid = reqid(cx);
    if let Some(reqid) = reqid {
        crate::eib::set_reqid(cx.host.eib_mut(), reqid);
    }
    cancel_own(cx);
    let Some(area) = cx.host.getmain(AREA_BYTES, Some(0)) else {
        return raise(Resp::NOSTG, 0);
    };
    cx.call.set_pointer(opt::SET, area);
    if wait_ms <= 0 {
        mark(cx, area);
        return raise(Resp::EXPIRED, 0);
    }
    let at = cx.host.abstime_ms() + wait_ms;
    if let Some(reqid) = &reqid {
        let posted = Posted {
            task: cx.task.number,
            at,
            cancelled: false,
        };
        cx.host
            .shared()
            .with_group(Space::Interval, reqid.as_bytes(), &mut |group| {
                // Without shared storage the POST works, only others cannot cancel it.
                let _ = group.put(ITEM, &posted.encode());
            });
    }
    cx.task.interval.post = Some(Post { area, at, reqid });
    NORMAL
}

/// Posts the area of the task's POST when its time has come or somebody cancelled it. Answers the
/// milliseconds left otherwise.
pub(crate) fn check(cx: &mut Cx<'_>) -> Option<u64> {
    let post = cx.task.interval.post.as_ref()?;
    let left = post.at.saturating_sub(cx.host.abstime_ms());
    if left > 0 && !is_cancelled(cx, post) {
        return Some(left as u64);
    }
    if let Some(post) = take_own(cx) {
        mark(cx, post.area);
        cx.task.interval.expired_post = true;
    }
    None
}

/// Ends the task's POST, expired or not, as if it had never been made; `false`: there is none.
pub(crate) fn cancel_own(cx: &mut Cx<'_>) -> bool {
    let had_expired = std::mem::take(&mut cx.task.interval.expired_post);
    take_own(cx).is_some() || had_expired
}

fn take_own(cx: &mut Cx<'_>) -> Option<Post> {
    let post = cx.task.interval.post.take()?;
    post.forget(cx.host, cx.task.number);
    Some(post)
}

/// Cancels the POST of any task by its REQID.
pub(crate) fn cancel(cx: &mut Cx<'_>, reqid: ReqId) -> bool {
    let own = cx.task.interval.post.as_ref();
    if own.is_some_and(|post| post.reqid == Some(reqid)) {
        return cancel_own(cx);
    }
    let mut task = None;
    cx.host
        .shared()
        .with_group(Space::Interval, reqid.as_bytes(), &mut |group| {
            let Some(mut posted) = group.get(ITEM).and_then(Posted::decode) else {
                return;
            };
            task = Some(posted.task);
            posted.cancelled = true;
            // Same size as before: needs no new storage.
            let _ = group.put(ITEM, &posted.encode());
        });
    if let Some(task) = task {
        cx.host.post(task);
    }
    task.is_some()
}

/// When the POST of this REQID expires, as ABSTIME.
pub(crate) fn waiting(cx: &Cx<'_>, reqid: ReqId) -> Option<i64> {
    let mut at = None;
    cx.host
        .shared()
        .with_group(Space::Interval, reqid.as_bytes(), &mut |group| {
            at = group
                .get(ITEM)
                .and_then(Posted::decode)
                .map(|posted| posted.at);
        });
    at
}

fn is_cancelled(cx: &Cx<'_>, post: &Post) -> bool {
    let Some(reqid) = &post.reqid else {
        return false;
    };
    let mut cancelled = false;
    cx.host
        .shared()
        .with_group(Space::Interval, reqid.as_bytes(), &mut |group| {
            let posted = group.get(ITEM).and_then(Posted::decode);
            cancelled = posted.is_some_and(|posted| posted.cancelled);
        });
    cancelled
}

fn mark(cx: &mut Cx<'_>, area: Address) {
    cx.host
        .memory_mut(area, AREA_BYTES)
        .copy_from_slice(&POSTED);
}
