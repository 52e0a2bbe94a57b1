//! EXEC CICS DELETE CONTAINER and DELETE CHANNEL.
//!
//! Conditions: INVREQ 4 (no current channel), 32 (DELETE CHANNEL of the current channel);
//! CHANNELERR 1, 2; CONTAINERERR 10 (no such container), 18 (name).

use super::{container_name, existing_channel};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;

/// DELETE CONTAINER.
pub(crate) fn delete_container(cx: &mut Cx<'_>) -> Done {
    let name = container_name(cx, opt::CONTAINER)?;
    let id = existing_channel(cx, opt::CHANNEL)?;
    let Some(channel) = cx.task.channels.get_mut(id) else {
        return raise(Resp::CHANNELERR, 2);
    };
    let Some(at) = channel.position(name) else {
        return raise(Resp::CONTAINERERR, 10);
    };
    let container = channel.containers.remove(at);
    if container.set_area != 0 {
        cx.host.freemain(container.set_area);
    }
    NORMAL
}

/// DELETE CHANNEL. The current channel belongs to the caller and stays.
pub(crate) fn delete_channel(cx: &mut Cx<'_>) -> Done {
    let id = existing_channel(cx, opt::CHANNEL)?;
    let in_use = cx.task.levels.iter().any(|level| level.channel == Some(id));
    if in_use {
        return raise(Resp::INVREQ, 32);
    }
    for area in cx.task.channels.remove(id) {
        cx.host.freemain(area);
    }
    NORMAL
}
