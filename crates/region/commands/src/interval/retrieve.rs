//! EXEC CICS RETRIEVE: the data of the START that began the task, and of further ones.
//!
//! A task at a terminal gets, call by call, the data of every expired START of its transaction and
//! terminal in the order they expired; another task gets the data of its own START once. WAIT waits
//! for a further one. LENGTH is the room on input and the data's length on output. Conditions:
//! ENDDATA (no more, or the task was not started so), ENVDEFERR (an option the START did not give;
//! the others are answered), LENGERR (INTO shorter than the data, which is cut; LENGTH negative).

use crate::command::{Cx, Done, NORMAL, area_out, raise, to_storage};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_wire::interval::{Request, Retrieved, StartData};

/// The command.
pub(crate) fn retrieve(cx: &mut Cx<'_>) -> Done {
    let room = match cx.number(opt::LENGTH) {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 0))?,
        None => cx.call.bytes(opt::INTO).map_or(0, <[u8]>::len),
    };
    if cx.task.interval.owner.is_none() {
        return raise(Resp::ENDDATA, 0);
    }
    let answer = cx.ask(&Request::Retrieve {
        wait: cx.has(opt::WAIT),
        dtimout_ms: cx.task.transaction.deadlock_timeout_ms(),
    })?;
    let Some(Retrieved { recoverable, data }) = Retrieved::decode(&answer) else {
        return raise(Resp::IOERR, 0);
    };
    if recoverable {
        cx.task.unit.touch();
    }
    give(cx, &data, room)
}

fn give(cx: &mut Cx<'_>, data: &StartData, room: usize) -> Done {
    let mut missing = false;
    let mut short = false;
    if cx.has(opt::INTO) || cx.has(opt::SET) {
        match &data.from {
            None => missing = true,
            Some(bytes) if cx.has(opt::SET) => {
                let area = to_storage(cx.host, bytes)?;
                let old = std::mem::replace(&mut cx.task.interval.data_area, area);
                if old != 0 {
                    cx.host.freemain(old);
                }
                cx.call.set_pointer(opt::SET, area);
                cx.set_number(opt::LENGTH, bytes.len() as i64);
            }
            Some(bytes) => {
                area_out(cx.host, cx.call, opt::INTO, &bytes[..bytes.len().min(room)]);
                cx.set_number(opt::LENGTH, bytes.len() as i64);
                short = room < bytes.len();
            }
        }
    }
    let mut name = |option: OptionId, value: Option<&[u8]>| {
        if !cx.call.has(option) {
            return;
        }
        match (value, cx.call.bytes_mut(option)) {
            (Some(value), Some(field)) => {
                field.fill(b' ');
                let bytes = value.len().min(field.len());
                field[..bytes].copy_from_slice(&value[..bytes]);
            }
            _ => missing = true,
        }
    };
    name(opt::RTRANSID, data.rtransid.as_ref().map(|n| &n[..]));
    name(opt::RTERMID, data.rtermid.as_ref().map(|n| &n[..]));
    name(opt::QUEUE, data.queue.as_ref().map(|n| &n[..]));
    if missing {
        return raise(Resp::ENVDEFERR, 0);
    }
    if short {
        return raise(Resp::LENGERR, 0);
    }
    NORMAL
}
