//! EXEC CICS GET CONTAINER and GET64 CONTAINER: read a container.
//!
//! FLENGTH is the room on input (INTO; with BYTEOFFSET the bytes wanted) and the length of the data
//! on output. SET answers storage that stays valid until the next GET SET of the container.
//! Conditions: INVREQ 4 (no current channel), 36 (CONVERTST); LENGERR 1 (FLENGTH negative), 11 (the
//! area is shorter than the data, which is cut); CHANNELERR 1, 2; CONTAINERERR 10 (no such
//! container), 18 (name); CCSIDERR / CODEPAGEERR 1, 2, 3 (BIT data is not converted), 4 (characters
//! lost).

use super::named::{container_name, existing_channel};
use super::put_container::code_page;
use crate::command::{Cx, Done, Fail, NORMAL, area_out, raise, to_storage};
use std::borrow::Cow;
use transom_commands::opt;
use transom_copybook::codepage::recode;
use transom_types::Resp;

/// The command.
pub(crate) fn get_container(cx: &mut Cx<'_>) -> Done {
    let name = container_name(cx, opt::CONTAINER)?;
    let target = target_ccsid(cx)?;
    let id = existing_channel(cx, opt::CHANNEL)?;
    let Some(at) = cx
        .task
        .channels
        .get(id)
        .and_then(|channel| channel.position(name))
    else {
        return raise(Resp::CONTAINERERR, 10);
    };
    let Some(channel) = cx.task.channels.get_mut(id) else {
        return raise(Resp::CHANNELERR, 2);
    };
    let container = &mut channel.containers[at];
    let (data, problem) = in_code_page(container, target);
    let offset = usize::try_from(cx.call.number(opt::BYTEOFFSET).unwrap_or(0)).unwrap_or(0);
    let rest = data.get(offset..).unwrap_or(&[]);
    let ccsid = container.ccsid.unwrap_or(0);
    cx.call.set_number(opt::CCSID, i64::from(ccsid));
    if cx.call.has(opt::NODATA) {
        cx.call.set_number(opt::FLENGTH, rest.len() as i64);
        return problem.map_or(NORMAL, Err);
    }
    if cx.call.has(opt::SET) {
        let wanted = match cx.call.number(opt::FLENGTH) {
            // On SET the length is output only, unless a part is asked for.
            Some(length) if cx.call.has(opt::BYTEOFFSET) && length > 0 => length as usize,
            _ => usize::MAX,
        };
        let part = &rest[..rest.len().min(wanted)];
        let area = to_storage(cx.host, part)?;
        cx.call.set_number(opt::FLENGTH, part.len() as i64);
        let old = std::mem::replace(&mut container.set_area, area);
        if old != 0 {
            cx.host.freemain(old);
        }
        cx.call.set_pointer(opt::SET, area);
        return problem.map_or(NORMAL, Err);
    }
    let room = match cx.call.number(opt::FLENGTH) {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 1))?,
        None => cx.call.bytes(opt::INTO).map_or(0, <[u8]>::len),
    };
    let part = &rest[..rest.len().min(room)];
    area_out(cx.host, cx.call, opt::INTO, part);
    cx.call.set_number(opt::FLENGTH, rest.len() as i64);
    if room < rest.len() && !cx.call.has(opt::BYTEOFFSET) {
        return raise(Resp::LENGERR, 11);
    }
    problem.map_or(NORMAL, Err)
}

/// The CCSID to answer in; `None`: as stored.
fn target_ccsid(cx: &Cx<'_>) -> Result<Target, Fail> {
    if cx.value_is(opt::NOCONVERT, opt::CONVERTST, "NOCONVERT") {
        return Ok(Target::AsStored);
    }
    if cx.has(opt::CONVERTST) {
        return raise(Resp::INVREQ, 36);
    }
    Ok(match code_page(cx, opt::INTOCCSID, opt::INTOCODEPAGE)? {
        Some(ccsid) if cx.has(opt::INTOCCSID) => Target::Asked(ccsid, Resp::CCSIDERR),
        Some(ccsid) => Target::Asked(ccsid, Resp::CODEPAGEERR),
        None => Target::Local(cx.region.facts.local_ccsid),
    })
}

enum Target {
    AsStored,
    Local(u32),
    Asked(u32, Resp),
}

/// The data in the wanted code page, and the condition to raise besides handing it over.
fn in_code_page(
    container: &super::state::Container,
    target: Target,
) -> (Cow<'_, [u8]>, Option<Fail>) {
    let stored = Cow::Borrowed(container.data.as_slice());
    let (to, resp) = match (container.ccsid, target) {
        (_, Target::AsStored) | (None, Target::Local(_)) => return (stored, None),
        (None, Target::Asked(_, resp)) => return (stored, Some(Fail::Raise(resp, 3))),
        (Some(_), Target::Local(to)) => (to, Resp::CCSIDERR),
        (Some(_), Target::Asked(to, resp)) => (to, resp),
    };
    match container.ccsid {
        Some(from) if from != to => match recode(&container.data, from, to) {
            Some(done) => {
                let problem = done.lossy.then_some(Fail::Raise(resp, 4));
                (Cow::Owned(done.bytes), problem)
            }
            None => (stored, Some(Fail::Raise(resp, 2))),
        },
        _ => (stored, None),
    }
}
