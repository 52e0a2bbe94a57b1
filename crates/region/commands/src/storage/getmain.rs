//! EXEC CICS GETMAIN and GETMAIN64: get storage.
//!
//! SHARED storage outlives the task. Storage is all of one kind: BELOW, EXECUTABLE and the keys
//! have no effect. Conditions: LENGERR 1 (length below 1 or above [`GETMAIN_BYTES_MAX`]); NOSTG 2
//! (no storage). Differs: without NOSUSPEND, RESP or HANDLE CONDITION NOSTG a task that finds no
//! storage does not wait for it but ends with AKCS: the storage it lacks is its own.

use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::opt;
use transom_messages as messages;
use transom_types::{AbendCode, Resp};

/// Most bytes of one GETMAIN: 1 GiB, as the largest extended dynamic storage area.
pub const GETMAIN_BYTES_MAX: i64 = 1 << 30;

/// The command.
pub(crate) fn getmain(cx: &mut Cx<'_>) -> Done {
    let asked = cx
        .number(opt::FLENGTH)
        .or(cx.number(opt::LENGTH))
        .unwrap_or(0);
    if !(1..=GETMAIN_BYTES_MAX).contains(&asked) {
        return raise(Resp::LENGERR, 1);
    }
    let init = cx
        .call
        .bytes(opt::INITIMG)
        .and_then(|image| image.first().copied());
    let clear = init.or_else(|| cx.task.transaction.storage_clear.then_some(0));
    let bytes = asked as usize;
    let address = if cx.has(opt::SHARED) {
        cx.host.getmain_shared(bytes, clear)
    } else {
        cx.host.getmain(bytes, clear)
    };
    match address {
        Some(address) => {
            cx.call.set_pointer(opt::SET, address);
            NORMAL
        }
        None => Err(no_storage(cx, asked)),
    }
}

fn no_storage(cx: &mut Cx<'_>, bytes: i64) -> Fail {
    let handled = cx
        .task
        .handles()
        .is_some_and(|handles| handles.has_label(Resp::NOSTG));
    if handled || cx.call.nohandle() || cx.has(opt::NOSUSPEND) {
        return Fail::Raise(Resp::NOSTG, 2);
    }
    let text = messages::sm::getmain_failed(cx.task.program(), cx.call.line(), bytes).to_string();
    Fail::Abend(AbendCode::AKCS, text)
}
