//! The queue of a command, and what is asked of the region about it.

use crate::command::{Cx, Fail, raise};
use transom_commands::opt;
use transom_types::{Resp, TdQueueName};
use transom_wire::definitions::{TdKind, TdQueueEntry};
use transom_wire::transient_data::{Action, Request};

/// Queues an indirect name may lead through.
const INDIRECT_MAX: usize = 32;

/// The queue a command names, indirect names followed. Conditions: QIDERR, SYSIDERR (another
/// region), DISABLED, NOTOPEN.
pub(crate) fn queue(cx: &mut Cx<'_>) -> Result<TdQueueEntry, Fail> {
    let name = cx.name::<4>(opt::QUEUE);
    let mut name = name.map_or(TdQueueName::BLANK, TdQueueName::new);
    cx.resource(name.as_bytes());
    if cx.is_remote(opt::SYSID) {
        return raise(Resp::SYSIDERR, 1);
    }
    for _ in 0..INDIRECT_MAX {
        let Some(entry) = TdQueueEntry::find(cx.host.shared(), name) else {
            return raise(Resp::QIDERR, 0);
        };
        match entry.kind {
            TdKind::Indirect => name = entry.target,
            TdKind::Remote => return raise(Resp::SYSIDERR, 1),
            _ if !entry.enabled => return raise(Resp::DISABLED, 0),
            _ if !entry.open => return raise(Resp::NOTOPEN, 0),
            _ => return Ok(entry),
        }
    }
    raise(Resp::QIDERR, 0)
}

/// A request about the queue.
pub(crate) fn request(cx: &Cx<'_>, queue: &TdQueueEntry, action: Action) -> Request {
    Request {
        queue: queue.name,
        dtimout_ms: cx.task.transaction.deadlock_timeout_ms(),
        action,
    }
}
