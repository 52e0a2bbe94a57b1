//! EXEC CICS FETCH CHILD and FETCH ANY: wait for a child and take its answer.
//!
//! DTIMOUT does not end the wait, a purge does. A child whose user may not run it:
//! COMPSTATUS(SECERROR), ABCODE AASA. CHANNEL gets the name of a new channel with what the child
//! left in its own, blanks when it had none. NOSUSPEND does not wait, TIMEOUT waits so many
//! milliseconds, 0 without end. Conditions: NOTFINISHED 52 (NOSUSPEND), 53 (TIMEOUT); INVREQ 50
//! (not a child of the task, or freed), 51 (its answer was taken), 52 (FETCH ANY without any
//! child), 241 (TIMEOUT); NOTFND 1 (FETCH ANY: every answer was taken).

use crate::channel::state::Container;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::{ChannelName, Resp};
use transom_types::{ContainerData, Payload};
use transom_wire::asynchronous::{Fetched, Request};
use transom_wire::payload::{TaskReply, read_reply};

/// Longest TIMEOUT in milliseconds.
pub const TIMEOUT_MS_MAX: i64 = 40_800_000;

/// FETCH CHILD.
pub(crate) fn child(cx: &mut Cx<'_>) -> Done {
    let mut token = [0; 16];
    let given = cx.call.bytes(opt::CHILD).unwrap_or_default();
    let bytes = given.len().min(token.len());
    token[..bytes].copy_from_slice(&given[..bytes]);
    fetch(cx, Some(token)).map(drop)?;
    NORMAL
}

/// FETCH ANY.
pub(crate) fn any(cx: &mut Cx<'_>) -> Done {
    let token = fetch(cx, None)?;
    cx.set_bytes(opt::ANY, &token, 0);
    NORMAL
}

fn fetch(cx: &mut Cx<'_>, token: Option<[u8; 16]>) -> Result<[u8; 16], crate::command::Fail> {
    let timeout = cx.number(opt::TIMEOUT).unwrap_or(0);
    if !(0..=TIMEOUT_MS_MAX).contains(&timeout) {
        return raise(Resp::INVREQ, 241);
    }
    let answer = cx.ask(&Request::Fetch {
        at_once: cx.has(opt::NOSUSPEND),
        timeout_ms: timeout as u64,
        token,
    })?;
    let Some(fetched) = Fetched::decode(&answer) else {
        return raise(Resp::INVREQ, 50);
    };
    cx.set_cvda(opt::COMPSTATUS, fetched.status());
    let code = fetched.abcode.map(|code| code.as_str().to_owned());
    cx.set_text(opt::ABCODE, &code.unwrap_or_default());
    let name = answer_channel(cx, fetched.reply);
    let name = name.map_or([b' '; 16], |name| *name.as_bytes());
    cx.set_bytes(opt::CHANNEL, &name, b' ');
    Ok(fetched.token)
}

/// A channel of this level with the child's containers.
fn answer_channel(cx: &mut Cx<'_>, reply: Vec<u8>) -> Option<ChannelName> {
    let Ok(TaskReply::Normal(Payload::Channel { containers, .. }, _)) = read_reply(reply) else {
        return None;
    };
    cx.task.children.fetched = cx.task.children.fetched.wrapping_add(1);
    let name = format!("DFHASYNC{:08X}", cx.task.children.fetched);
    let name = ChannelName::from_field(name.as_bytes());
    let level = cx.task.levels.len().saturating_sub(1);
    let id = cx.task.channels.create(name, Some(level));
    let channel = cx.task.channels.get_mut(id)?;
    channel.containers = containers
        .into_iter()
        .map(|container| {
            let (ccsid, data) = match container.data {
                ContainerData::Bit(bytes) => (None, bytes),
                ContainerData::Char { ccsid, bytes } => (Some(ccsid), bytes),
            };
            Container {
                name: container.name,
                data,
                ccsid,
                set_area: 0,
            }
        })
        .collect();
    Some(name)
}
