//! The queue of a command, and what is asked of the region about it.

use transom_commands::opt;
use transom_region_task::command::{Cx, Fail, Remote, raise};
use transom_types::{Resp, SysId, TdQueueName};
use transom_wire::definitions::{TdKind, TdQueueEntry};
use transom_wire::transient_data::{Action, Request};

/// The name a command has and the queue, indirect names followed. Conditions: QIDERR, SYSIDERR
/// (another region), DISABLED, NOTOPEN.
pub(crate) fn queue(cx: &mut Cx<'_>) -> Result<(TdQueueName, TdQueueEntry), Fail> {
    let name = cx.name::<4>(opt::QUEUE);
    let name = name.map_or(TdQueueName::BLANK, TdQueueName::new);
    cx.resource(name.as_bytes());
    if let Some(system) = cx.remote(opt::SYSID) {
        return Err(Remote::by_sysid(system, 1));
    }
    match TdQueueEntry::led_to(cx.host.shared(), name) {
        None => raise(Resp::QIDERR, 0),
        Some(entry) if entry.kind == TdKind::Remote => Err(remote(&entry)),
        Some(entry) if !entry.enabled => raise(Resp::DISABLED, 0),
        Some(entry) if !entry.open => raise(Resp::NOTOPEN, 0),
        Some(entry) => Ok((name, entry)),
    }
}

/// REMOTENAME is the name there.
fn remote(entry: &TdQueueEntry) -> Fail {
    let there = match entry.remote_name == [b' '; 4] {
        true => *entry.name.as_bytes(),
        false => entry.remote_name,
    };
    let there = Some((opt::QUEUE, there.to_vec()));
    Remote::of(SysId::from_field(&entry.remote_system), there, 1, None)
}

/// A request about a queue, by the name the command has: authority is over that.
pub fn request(cx: &Cx<'_>, queue: TdQueueName, action: Action) -> Request {
    Request {
        queue,
        dtimout_ms: cx.task.transaction.deadlock_timeout_ms(),
        action,
    }
}
