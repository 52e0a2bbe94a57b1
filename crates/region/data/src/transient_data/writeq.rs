//! EXEC CICS WRITEQ TD: add a record at the end of a queue.
//!
//! Without LENGTH the size of FROM, or RECORDSIZE of a file of fixed records. A write to a
//! logically recoverable queue that another unit of work is writing waits for its end. Conditions:
//! QIDERR, LENGERR (LENGTH not 1 to 32,763, longer than RECORDSIZE, or not RECORDSIZE when records
//! are fixed), INVREQ (a file opened for input), DISABLED, NOTOPEN, NOSPACE, IOERR, LOCKED,
//! SYSIDERR.

use super::queue::{queue, request};
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, NORMAL, area_in, length_of, raise};
use transom_types::Resp;
use transom_wire::definitions::{TdKind, TdQueueEntry, TdRecovery};
use transom_wire::transient_data::{Action, RECORD_BYTES_MAX};

/// The command.
pub(crate) fn writeq(cx: &mut Cx<'_>) -> Done {
    let (name, queue) = queue(cx)?;
    if queue.kind == TdKind::Input {
        return raise(Resp::INVREQ, 0);
    }
    let length = length(cx, &queue).filter(|length| fits(&queue, *length));
    let Some(length) = length else {
        return raise(Resp::LENGERR, 0);
    };
    let record = area_in(cx.host, cx.call, opt::FROM, length).to_vec();
    cx.ask(&request(cx, name, Action::Write(record)))?;
    if queue.kind == TdKind::Intra && queue.recovery == TdRecovery::Logical {
        cx.task.unit.touch();
    }
    NORMAL
}

fn length(cx: &Cx<'_>, queue: &TdQueueEntry) -> Option<usize> {
    if !cx.has(opt::LENGTH) && queue.fixed && queue.record_bytes > 0 {
        return usize::try_from(queue.record_bytes).ok();
    }
    length_of(cx.call, opt::FROM, &[opt::LENGTH], RECORD_BYTES_MAX)
}

fn fits(queue: &TdQueueEntry, length: usize) -> bool {
    let record = queue.record_bytes as usize;
    let is_file = queue.kind == TdKind::Output;
    match (is_file && record > 0, queue.fixed) {
        (true, true) => length == record,
        (true, false) => (1..=record).contains(&length),
        (false, _) => length > 0,
    }
}
