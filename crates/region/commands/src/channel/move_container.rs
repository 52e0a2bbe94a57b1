//! EXEC CICS MOVE CONTAINER: rename a container, or move it to another channel.
//!
//! A container of the target name is replaced. Conditions: INVREQ 4 (no current channel);
//! CHANNELERR 1, 2 (CHANNEL or TOCHANNEL); CONTAINERERR 10 (no such container), 18 (name).

use super::named::{container_name, existing_channel, find_or_create};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn move_container(cx: &mut Cx<'_>) -> Done {
    let to_name = container_name(cx, opt::AS)?;
    let name = container_name(cx, opt::CONTAINER)?;
    let from = existing_channel(cx, opt::CHANNEL)?;
    let to = match super::named::channel_name(cx, opt::TOCHANNEL)? {
        Some(channel) => find_or_create(cx, channel),
        None => match cx.task.level().and_then(|level| level.channel) {
            // TOCHANNEL left out means the current channel.
            Some(current) => current,
            None if cx.has(opt::CHANNEL) => from,
            None => return raise(Resp::INVREQ, 4),
        },
    };
    let Some(at) = cx
        .task
        .channels
        .get(from)
        .and_then(|channel| channel.position(name))
    else {
        return raise(Resp::CONTAINERERR, 10);
    };
    if from == to && name == to_name {
        return NORMAL;
    }
    let Some(source) = cx.task.channels.get_mut(from) else {
        return raise(Resp::CHANNELERR, 2);
    };
    let mut container = source.containers.remove(at);
    container.name = to_name;
    let Some(target) = cx.task.channels.get_mut(to) else {
        return raise(Resp::CHANNELERR, 2);
    };
    let replaced = match target.position(to_name) {
        Some(at) => Some(std::mem::replace(&mut target.containers[at], container)),
        None => {
            target.containers.push(container);
            None
        }
    };
    if let Some(old) = replaced.filter(|old| old.set_area != 0) {
        cx.host.freemain(old.set_area);
    }
    NORMAL
}
