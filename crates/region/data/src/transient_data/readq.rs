//! EXEC CICS READQ TD: take the first record of a queue.
//!
//! LENGTH is the room on input and the record's length on output. A logically recoverable queue
//! whose next record belongs to a unit of work in progress, or that another one is reading, is
//! waited for unless NOSUSPEND is given or a HANDLE CONDITION QBUSY is in force (RESP and NOHANDLE
//! take that back). Conditions: QZERO (empty, end of the file), QBUSY, QIDERR, LENGERR (INTO
//! shorter than the record, which is cut; the record is gone), INVREQ (a file opened for output),
//! DISABLED, NOTOPEN, IOERR, LOCKED, SYSIDERR.

use super::queue::{queue, request};
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, give, raise};
use transom_types::Resp;
use transom_wire::definitions::{TdKind, TdRecovery};
use transom_wire::transient_data::Action;

/// The command.
pub(crate) fn readq(cx: &mut Cx<'_>) -> Done {
    let (name, queue) = queue(cx)?;
    let room = match cx.number(opt::LENGTH) {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 0))?,
        None => cx.call.bytes(opt::INTO).map_or(0, <[u8]>::len),
    };
    if !matches!(queue.kind, TdKind::Intra | TdKind::Input) {
        return raise(Resp::INVREQ, 0);
    }
    let has_label = cx
        .task
        .handles()
        .is_some_and(|handles| handles.has_label(Resp::QBUSY));
    let may_wait = !cx.has(opt::NOSUSPEND) && (cx.call.nohandle() || !has_label);
    let request = request(cx, name, Action::Read { may_wait });
    if queue.kind == TdKind::Intra && queue.recovery == TdRecovery::Logical {
        // Even an empty queue: the read locks its end.
        cx.task.unit.touch();
    }
    let data = cx.ask(&request)?;
    give(cx, &data, room, |task| &mut task.records.set_area)
}
