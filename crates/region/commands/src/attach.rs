//! What a task is given at its start: the first program's COMMAREA, or why it cannot run.
//!
//! Not here: the order of a start (`exec`).

use crate::task_state::Refusal;
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::payload::COMMAREA_BYTES_MAX;
use transom_workers::seam::{Area, Host};

/// The first program's COMMAREA: what was sent, followed by low values up to what the caller can
/// take back.
pub(crate) fn start_area(
    host: &mut dyn Host,
    sent: &[u8],
    reply_max: u32,
) -> Result<Area, Refusal> {
    let bytes = sent.len().max(reply_max as usize);
    if bytes > COMMAREA_BYTES_MAX {
        let text = messages::pg::commarea_not_possible(bytes, COMMAREA_BYTES_MAX).to_string();
        return Err(Refusal {
            resp: Resp::LENGERR,
            resp2: 11,
            text,
        });
    }
    if bytes == 0 {
        return Ok(Area::default());
    }
    let Some(address) = host.getmain(bytes, None) else {
        return Err(no_storage("COMMAREA", bytes));
    };
    let area = host.memory_mut(address, bytes);
    area[..sent.len()].copy_from_slice(sent);
    area[sent.len()..].fill(0);
    Ok(Area { address, bytes })
}

/// There is no task storage for it.
pub(crate) fn no_storage(what: &str, bytes: usize) -> Refusal {
    let text = messages::sm::no_task_storage(what, bytes).to_string();
    Refusal {
        resp: Resp::NOSTG,
        resp2: 0,
        text,
    }
}

/// What PGMIDERR's RESP2 means, in words.
pub(crate) fn pgmiderr_reason(resp2: u32) -> &'static str {
    match resp2 {
        1 => "it is not defined and no module of its name exists",
        2 => "it is disabled",
        3 => "its module cannot be loaded",
        9 => "program autoinstall did not define it",
        _ => "it was refused",
    }
}
