//! EXEC CICS PUT CONTAINER and PUT64 CONTAINER: store data in a named container.
//!
//! Conditions: INVREQ 4 (no current channel), 32 (DATATYPE is neither BIT nor CHAR), 33 (DATATYPE
//! of an existing container would change), 34 (code page given for BIT data); LENGERR 1 (FLENGTH
//! negative); CHANNELERR 1, CONTAINERERR 18 (name); CCSIDERR / CODEPAGEERR 1 (not a CCSID), 2
//! (not supported), 4 (characters lost in conversion, replaced by blanks).
//! Differs: an existing CHAR container that is overwritten takes the CCSID of the new data.

use super::named::{channel_for_put, container_name};
use super::state::Container;
use crate::command::{Cx, Done, Fail, NORMAL, area_in, raise};
use transom_commands::opt;
use transom_copybook::codepage::recode;
use transom_types::Resp;

/// The command.
pub(crate) fn put_container(cx: &mut Cx<'_>) -> Done {
    let length = match cx.number(opt::FLENGTH) {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 1))?,
        None => cx.call.bytes(opt::FROM).map_or(0, <[u8]>::len),
    };
    let name = container_name(cx, opt::CONTAINER)?;
    let from_ccsid = code_page(cx, opt::FROMCCSID, opt::FROMCODEPAGE)?;
    let wanted = wanted_type(cx, from_ccsid.is_some())?;
    let id = channel_for_put(cx, opt::CHANNEL)?;
    let local = cx.region.facts.local_ccsid;
    let (append, prepend) = (cx.has(opt::APPEND), cx.has(opt::PREPEND));
    let adds = append || prepend;
    let data = area_in(cx.host, cx.call, opt::FROM, length);
    let Some(channel) = cx.task.channels.get_mut(id) else {
        return raise(Resp::CHANNELERR, 2);
    };
    let Some(at) = channel.position(name) else {
        let ccsid = (wanted == Some(true)).then(|| from_ccsid.unwrap_or(local));
        let data = data.to_vec();
        channel.containers.push(Container {
            name,
            data,
            ccsid,
            set_area: 0,
        });
        return NORMAL;
    };
    let container = &mut channel.containers[at];
    if wanted.is_some_and(|char| char != container.ccsid.is_some()) {
        return raise(Resp::INVREQ, 33);
    }
    let given = from_ccsid.unwrap_or(local);
    match container.ccsid {
        Some(ccsid) if adds && ccsid != given => {
            let Some(converted) = recode(data, given, ccsid) else {
                return raise(Resp::CCSIDERR, 2);
            };
            add(&mut container.data, &converted.bytes, prepend);
            if converted.lossy {
                return raise(Resp::CCSIDERR, 4);
            }
            return NORMAL;
        }
        Some(_) if !adds => container.ccsid = Some(given),
        _ => {}
    }
    if !adds {
        container.data.clear();
    }
    add(&mut container.data, data, prepend);
    NORMAL
}

fn add(there: &mut Vec<u8>, data: &[u8], in_front: bool) {
    if in_front {
        there.splice(..0, data.iter().copied());
    } else {
        there.extend_from_slice(data);
    }
}

/// The CCSID an option pair asks for: a number (CCSIDERR) or a name (CODEPAGEERR).
pub(crate) fn code_page(
    cx: &Cx<'_>,
    ccsid: transom_commands::OptionId,
    name: transom_commands::OptionId,
) -> Result<Option<u32>, Fail> {
    if let Some(ccsid) = cx.number(ccsid) {
        let Some(ccsid) = u32::try_from(ccsid)
            .ok()
            .filter(|c| (1..=65_535).contains(c))
        else {
            return raise(Resp::CCSIDERR, 1);
        };
        return match transom_copybook::Encoding::by_ccsid(ccsid) {
            Some(_) => Ok(Some(ccsid)),
            None => raise(Resp::CCSIDERR, 2),
        };
    }
    let Some(field) = cx.call.bytes(name) else {
        return Ok(None);
    };
    let field = field.to_vec();
    let text = String::from_utf8_lossy(&field);
    let text = text.trim_end_matches([' ', '\0']);
    if text.is_empty() {
        return raise(Resp::CODEPAGEERR, 1);
    }
    match transom_copybook::Encoding::by_name(text) {
        Some(encoding) => Ok(Some(encoding.ccsid())),
        None => raise(Resp::CODEPAGEERR, 2),
    }
}

/// CHAR (true), BIT (false), or not said.
fn wanted_type(cx: &Cx<'_>, has_code_page: bool) -> Result<Option<bool>, Fail> {
    let char = cx.value_is(opt::CHAR, opt::DATATYPE, "CHAR");
    let bit = cx.value_is(opt::BIT, opt::DATATYPE, "BIT");
    match (char, bit) {
        (true, _) => Ok(Some(true)),
        (_, true) if has_code_page => raise(Resp::INVREQ, 34),
        (_, true) => Ok(Some(false)),
        _ if cx.has(opt::DATATYPE) => raise(Resp::INVREQ, 32),
        _ => Ok(has_code_page.then_some(true)),
    }
}
