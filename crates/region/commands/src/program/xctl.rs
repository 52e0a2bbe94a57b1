//! EXEC CICS XCTL: go on with another program at the same level.
//!
//! Passes: COMMAREA, or a channel. An area inside the level's own COMMAREA is handed on by address,
//! so that the level's caller sees what the new program stores; any other area lies in storage that
//! goes away with the program and is copied to task storage.
//! Conditions: PGMIDERR 1, 2, 3; LENGERR 11, 26, 27 (INPUTMSGLEN); INVREQ 8 (INPUTMSG without
//! terminal); CHANNELERR 1.

use super::arguments::{commarea, program_name};
use super::input_message;
use super::resolve::resolve;
use crate::channel;
use crate::command::{Cx, Done, Fail, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_workers::seam::{Address, Area, Outcome};

/// The command.
pub(crate) fn xctl(cx: &mut Cx<'_>) -> Done {
    let program = program_name(cx);
    let message = input_message::given(cx)?;
    let area = commarea(cx)?;
    let channel_name = channel::named::channel_name(cx, opt::CHANNEL)?;
    let module = resolve(cx.host, cx.region, program)?;
    let channel = channel_name.map(|name| channel::named::find_or_create(cx, name));
    let area = if channel.is_some() {
        Area::default()
    } else {
        area
    };
    let (area, copied) = lasting(cx, area)?;
    let own = cx.task.levels.len().saturating_sub(1);
    for freed in cx.task.channels.end_level(own, channel) {
        cx.host.freemain(freed);
    }
    if let Some(level) = cx.task.levels.last_mut() {
        if copied != 0 || area.bytes == 0 {
            let old = std::mem::replace(&mut level.copied_area, copied);
            if old != 0 {
                cx.host.freemain(old);
            }
        }
        level.invoked_by = std::mem::replace(&mut level.program, program);
        level.area = area;
        level.channel = channel;
        level.switch_to(0);
        level.handles = Default::default();
        level.pushed.clear();
    }
    let level = cx.task.levels.len();
    input_message::pass(cx, message, level);
    crate::eib::set_commarea_bytes(cx.host.eib_mut(), area.bytes);
    Ok(Outcome::Xctl(module, area))
}

/// The area at an address that outlives the program, and the storage it was copied to, if so.
fn lasting(cx: &mut Cx<'_>, area: Area) -> Result<(Area, Address), Fail> {
    let inside = |outer: Area| {
        area.address >= outer.address
            && area.address.saturating_add(area.bytes) <= outer.address.saturating_add(outer.bytes)
    };
    if area.bytes == 0
        || cx
            .task
            .levels
            .last()
            .is_some_and(|level| inside(level.area))
    {
        return Ok((area, 0));
    }
    let Some(address) = cx.host.getmain(area.bytes, None) else {
        return raise(Resp::NOSTG, 0);
    };
    let bytes = cx.host.memory(area.address, area.bytes).to_vec();
    cx.host
        .memory_mut(address, area.bytes)
        .copy_from_slice(&bytes);
    Ok((
        Area {
            address,
            bytes: area.bytes,
        },
        address,
    ))
}
