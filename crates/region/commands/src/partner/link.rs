//! LINK to a program of another region (distributed program link).
//!
//! Passes: COMMAREA, of which DATALENGTH bytes travel there and all of it comes back, or a channel
//! with all its containers both ways. Unit of work: the task's own, which both regions end
//! together; with SYNCONRETURN one of its own, committed when the program returns. Conditions:
//! those of LINK as the other region says them; INVREQ 14 (SYNCONRETURN while a mirror of the unit
//! of work is there), 15 (another TRANSID than that of the mirror), 16 (TRANSID is blank), 19
//! (INPUTMSG); ROLLEDBACK 29 (SYNCONRETURN: the other region could not commit); SYSIDERR 18;
//! TERMERR 17 (the session broke off). An abend of the program is an abend of the caller with the
//! same code.

use super::exchange::{Sent, away, exchange};
use crate::asynchronous::copied_channel::copied_channel;
use crate::channel::state::Container as Kept;
use crate::command::{Cx, Done, Fail, NORMAL, Remote, raise};
use crate::program::arguments::commarea;
use crate::task_state::TaskState;
use transom_commands::opt;
use transom_types::{Container, ContainerData, Payload, ProgramName, Resp, TransId};
use transom_wire::partner::{Answer, Argument, Command, Given, Got};
use transom_wire::payload::{TaskReply, read_reply};
use transom_workers::seam::Area;

pub(super) fn link(cx: &mut Cx<'_>, remote: Remote) -> Done {
    if cx.has(opt::INPUTMSG) {
        return raise(Resp::INVREQ, 19);
    }
    let transid = transid(cx)?;
    let channel = copied_channel(cx)?;
    let area = match channel {
        Some(_) => Area::default(),
        None => commarea(cx)?,
    };
    let name = match &remote.name {
        Some((_, name)) => name.clone(),
        None => cx.call.bytes(opt::PROGRAM).unwrap_or_default().to_vec(),
    };
    let mut arguments = vec![Argument {
        option: opt::PROGRAM.0,
        value: Given::Bytes(name),
    }];
    if area.bytes > 0 {
        let sent = cx.number(opt::DATALENGTH);
        let sent = sent.and_then(|sent| usize::try_from(sent).ok());
        let sent = sent.unwrap_or(area.bytes).min(area.bytes);
        let bytes = cx.host.memory(area.address, sent).to_vec();
        arguments.push(Argument {
            option: opt::COMMAREA.0,
            value: Given::Commarea(area.bytes as u32, bytes),
        });
    }
    if channel.is_some() {
        let name = cx.call.bytes(opt::CHANNEL).unwrap_or_default().to_vec();
        arguments.push(Argument {
            option: opt::CHANNEL.0,
            value: Given::Bytes(name),
        });
    }
    let command = Command {
        id: cx.call.command().0,
        arguments,
        channel,
    };
    let apart = cx.has(opt::SYNCONRETURN);
    let answer = match exchange(cx, &remote, (transid, apart), &command)? {
        Sent::Answer(answer) => answer,
        Sent::Away(error, why) => return away(cx, remote, error, &why),
        Sent::Lost(why) => {
            cx.host.log(&why);
            return raise(Resp::TERMERR, 17);
        }
    };
    take(cx, area, &answer);
    match answer.resp {
        Resp::NORMAL => NORMAL,
        resp => raise(resp, answer.resp2),
    }
}

/// TRANSID of the command, else of the program's definition; blank: the region's default.
fn transid(cx: &mut Cx<'_>) -> Result<TransId, Fail> {
    if let Some(given) = cx.name::<4>(opt::TRANSID) {
        let given = TransId::from_field(&given);
        return match given.is_blank() {
            true => raise(Resp::INVREQ, 16),
            false => Ok(given),
        };
    }
    if let Some(other) = transom_region_task::routed::given::other_transid(cx) {
        return Ok(other);
    }
    let name = cx.name::<8>(opt::PROGRAM).unwrap_or([b' '; 8]);
    let program = ProgramName::from_field(&name);
    let entry = cx.region.caches.program(cx.host.shared(), program);
    Ok(entry.map_or(TransId::BLANK, |entry| entry.transid))
}

/// What the program left in COMMAREA or channel.
fn take(cx: &mut Cx<'_>, area: Area, answer: &Answer) {
    for stored in &answer.values {
        if let Got::Bytes(bytes) = &stored.value
            && stored.option == opt::COMMAREA.0
        {
            let bytes = bytes.get(..area.bytes).unwrap_or(bytes);
            let to = cx.host.memory_mut(area.address, bytes.len());
            to.copy_from_slice(bytes);
        }
    }
    if let Some(channel) = &answer.channel
        && let Ok(TaskReply::Normal(Payload::Channel { name, containers }, _)) =
            read_reply(channel.clone())
    {
        let id = crate::channel::named::find_or_create(cx, name);
        fill(cx.task, id, containers);
    }
}

/// Puts containers in place of those of a channel. Storage that GET SET gave of the old ones stays
/// to the end of the task.
pub(super) fn fill(task: &mut TaskState, id: u32, containers: Vec<Container>) {
    let Some(channel) = task.channels.get_mut(id) else {
        return;
    };
    channel.containers = containers
        .into_iter()
        .map(|container| {
            let (data, ccsid) = match container.data {
                ContainerData::Bit(bytes) => (bytes, None),
                ContainerData::Char { ccsid, bytes } => (bytes, Some(ccsid)),
            };
            Kept {
                name: container.name,
                data,
                ccsid,
                set_area: 0,
            }
        })
        .collect();
}
