//! Transient data: WRITEQ TD, READQ TD, DELETEQ TD.
//!
//! Worker side: arguments and conditions; every command is one round trip. Not here: queues, files and
//! triggers (region side).

pub(crate) mod deleteq;
pub(crate) mod readq;
pub(crate) mod writeq;

use crate::codec::Writer;
use crate::command::{Cx, Fail, raise};
use crate::definitions::{TdKind, TdQueueEntry};
use transom_commands::opt;
use transom_types::Resp;

/// Most bytes of one record.
pub const RECORD_BYTES_MAX: usize = 32_763;
/// Queues an indirect name may lead through.
const INDIRECT_MAX: usize = 32;

/// Requests of this domain, first byte; the queue's name and DTIMOUT in milliseconds follow.
pub(crate) mod ask {
    /// WRITEQ: the record.
    pub(crate) const WRITE: u8 = 1;
    /// READQ: whether the task waits for a queue in use.
    pub(crate) const READ: u8 = 2;
    /// DELETEQ.
    pub(crate) const DELETE: u8 = 3;
    /// INQUIRE TDQUEUE.
    pub(crate) const INQUIRE: u8 = 4;
    /// SET TDQUEUE CLOSED: the file begins anew when it is used again.
    pub(crate) const CLOSE: u8 = 5;
}

/// The queue a command names, indirect names followed. Conditions: QIDERR, SYSIDERR (another region),
/// DISABLED, NOTOPEN.
pub(crate) fn queue(cx: &mut Cx<'_>) -> Result<TdQueueEntry, Fail> {
    let mut name = cx.name::<4>(opt::QUEUE).unwrap_or([b' '; 4]);
    cx.resource(&name);
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

/// The beginning of a request.
pub(crate) fn request(cx: &Cx<'_>, what: u8, queue: &TdQueueEntry, bytes: usize) -> Writer {
    let mut out = Writer::with_capacity(bytes + 16);
    out.u8(what)
        .raw(&queue.name)
        .u64(cx.task.transaction.dtimout_ms);
    out
}
