//! How a channel travels to another task: RUN TRANSID and START CHANNEL.

use crate::channel::named::{channel_name, find_or_create};
use crate::command::{Cx, Fail};
use transom_commands::opt;
use transom_wire::payload::{self, ContainerView, Sections};

/// A copy of the channel the command names, if it names one; one that does not exist is made.
/// CHANNELERR 1: characters a name may not have.
pub(crate) fn copied_channel(cx: &mut Cx<'_>) -> Result<Option<Vec<u8>>, Fail> {
    let Some(name) = channel_name(cx, opt::CHANNEL)? else {
        return Ok(None);
    };
    let id = find_or_create(cx, name);
    let Some(channel) = cx.task.channels.get(id) else {
        return Ok(None);
    };
    let views = channel.containers.iter().map(|container| ContainerView {
        name: container.name,
        ccsid: container.ccsid,
        bytes: &container.data,
    });
    let count = channel.containers.len();
    Ok(Some(payload::write_channel_reply(
        name,
        count,
        views,
        &Sections::default(),
    )))
}
