//! EXEC CICS DELETE CONTAINER and DELETE CHANNEL.
//!
//! Conditions: INVREQ 4 (no current channel); CHANNELERR 1, 2, and of DELETE CHANNEL 4 (the current
//! channel), 5 (DFHTRANSACTION), 6 (made by another program); CONTAINERERR 10 (no such container),
//! 18 (name).

use super::named::{TRANSACTION_CHANNEL, container_name, existing_channel};
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

/// DELETE CHANNEL. Only the program that made a channel may delete it.
pub(crate) fn delete_channel(cx: &mut Cx<'_>) -> Done {
    let id = existing_channel(cx, opt::CHANNEL)?;
    if cx
        .task
        .levels
        .last()
        .is_some_and(|level| level.channel == Some(id))
    {
        return raise(Resp::CHANNELERR, 4);
    }
    match cx
        .task
        .channels
        .get(id)
        .map(|channel| (channel.name, channel.level))
    {
        Some((name, _)) if name.as_bytes() == TRANSACTION_CHANNEL => {
            return raise(Resp::CHANNELERR, 5);
        }
        Some((_, Some(level))) if level + 1 == cx.task.levels.len() => {}
        _ => return raise(Resp::CHANNELERR, 6),
    }
    for area in cx.task.channels.remove(id) {
        cx.host.freemain(area);
    }
    NORMAL
}
