//! The queue of a command, and what is asked of the region about it.

use crate::command::{Cx, Fail, raise};
use transom_commands::opt;
use transom_types::{Resp, TdQueueName};
use transom_wire::definitions::{TdKind, TdQueueEntry};
use transom_wire::transient_data::{Action, Request};

/// The name a command has and the queue, indirect names followed. Conditions: QIDERR, SYSIDERR
/// (another region), DISABLED, NOTOPEN.
pub(crate) fn queue(cx: &mut Cx<'_>) -> Result<(TdQueueName, TdQueueEntry), Fail> {
    let name = cx.name::<4>(opt::QUEUE);
    let name = name.map_or(TdQueueName::BLANK, TdQueueName::new);
    cx.resource(name.as_bytes());
    if cx.is_remote(opt::SYSID) {
        return raise(Resp::SYSIDERR, 1);
    }
    match TdQueueEntry::led_to(cx.host.shared(), name) {
        None => raise(Resp::QIDERR, 0),
        Some(entry) if entry.kind == TdKind::Remote => raise(Resp::SYSIDERR, 1),
        Some(entry) if !entry.enabled => raise(Resp::DISABLED, 0),
        Some(entry) if !entry.open => raise(Resp::NOTOPEN, 0),
        Some(entry) => Ok((name, entry)),
    }
}

/// A request about a queue, by the name the command has: authority is over that.
pub(crate) fn request(cx: &Cx<'_>, queue: TdQueueName, action: Action) -> Request {
    Request {
        queue,
        dtimout_ms: cx.task.transaction.deadlock_timeout_ms(),
        action,
    }
}
