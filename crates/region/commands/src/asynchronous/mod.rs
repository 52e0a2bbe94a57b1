//! The asynchronous API: RUN TRANSID, FETCH CHILD, FETCH ANY, FREE CHILD.
//!
//! Worker side, and how a channel travels to another task. Not here: running children (region
//! side).

pub(crate) mod fetch;
pub(crate) mod free;
pub(crate) mod run;

use crate::channel::{channel_name, find_or_create};
use crate::command::{Cx, Fail};
use crate::task_state::TaskState;
use transom_commands::opt;
use transom_wire::payload::{self, ContainerView, Sections};

/// What a task knows of its children and its parent.
#[derive(Default)]
pub(crate) struct TaskChildren {
    /// What the region said of the parent.
    pub parent: Vec<u8>,
    /// Answers taken so far; makes the names of their channels.
    pub fetched: u32,
}

/// A task begins.
pub(crate) fn begin(task: &mut TaskState, parent: Option<&[u8]>) {
    task.children.parent = parent.unwrap_or_default().to_vec();
}

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
    Ok(Some(payload::encode_channel_reply(
        name,
        count,
        views,
        &Sections::default(),
    )))
}
