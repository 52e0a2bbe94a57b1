//! EXEC CICS SEND MAP, with and without MAPPINGDEV.
//!
//! Conditions: INVMPSZ (the map is larger than the screen), INVREQ (no terminal; data for an
//! input-only map; a logical message it does not go with; INVREQ 200 in a linked program), OVERFLOW
//! (ACCUM), RETPAGE (SET has a page), LENGERR does not occur: data missing at the end counts as
//! nulls. With MAPPINGDEV also INVREQ for a device that is none. Abends: see `mapsets`.

use super::super::output::{erase_of, put};
use super::super::own::own;
use super::devices::device_of;
use super::maps::{Sent, find, find_for};
use super::message::how;
use super::page::Page;
use super::set_area::{hand_over, hand_page};
use super::write::alternate;
use super::write::{controls, device, record};
use super::{mapping_device, page_map};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, raise};
use transom_bms::{Content, Cursor, PhysicalMap, SendOptions, merge};
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn send_map(cx: &mut Cx<'_>) -> Done {
    let (how, logical) = how(cx)?;
    let found = find(cx)?;
    let Some(map) = found.map() else {
        return raise(Resp::INVREQ, 0);
    };
    let (data, options) = contents(cx, map)?;
    let sent = Sent {
        map,
        data: data.as_deref(),
        options,
        trailer_rows: found.mapset.trailer_rows(),
    };
    if logical {
        return page_map::send(cx, how, &sent);
    }
    let (set, lines) = (cx.has(opt::SET), cx.has(opt::NLEOM));
    let terminal = own(cx, Resp::INVREQ)?;
    let device = device(terminal, options.erase);
    let Ok(write) = merge(map, sent.data, &options, &device) else {
        return raise(Resp::INVMPSZ, 0);
    };
    if set {
        let alternate = alternate(terminal, options.erase);
        let facts = terminal.facts.device.clone();
        return hand_over(cx, vec![Page::new(&write, &facts, alternate)]);
    }
    let record = record(terminal, &write, lines);
    put(cx, record)?;
    NORMAL
}

/// SEND MAP MAPPINGDEV: for another device, into storage.
pub(crate) fn send_mapping_device(cx: &mut Cx<'_>) -> Done {
    let facts = mapping_device::facts(cx)?;
    let found = find_for(cx, None)?;
    let Some(map) = found.map() else {
        return raise(Resp::INVREQ, 0);
    };
    let (data, options) = contents(cx, map)?;
    let alternate = options.erase == transom_bms::Erase::Alternate;
    let device = device_of(&facts, alternate);
    let Ok(write) = merge(map, data.as_deref(), &options, &device) else {
        return raise(Resp::INVMPSZ, 0);
    };
    hand_page(cx, &Page::new(&write, &facts, alternate))?;
    NORMAL
}

/// Data and options of the command.
fn contents(cx: &mut Cx<'_>, map: &PhysicalMap) -> Result<(Option<Vec<u8>>, SendOptions), Fail> {
    let content = match (cx.has(opt::MAPONLY), cx.has(opt::DATAONLY)) {
        (true, _) => Content::MapOnly,
        (false, true) => Content::DataOnly,
        (false, false) => Content::Merged,
    };
    let data = (content != Content::MapOnly && cx.has(opt::FROM))
        .then(|| data(cx, map.area_bytes as usize));
    if data.is_some() && !map.output {
        return raise(Resp::INVREQ, 0);
    }
    let options = SendOptions {
        content,
        cursor: cursor(cx),
        erase: erase_of(cx),
        controls: controls(cx),
    };
    Ok((data, options))
}

/// The symbolic map: LENGTH bytes, else what the map takes of the program's structure.
fn data(cx: &Cx<'_>, map_bytes: usize) -> Vec<u8> {
    let field = cx.call.bytes(opt::FROM).map_or(0, <[u8]>::len);
    let given = cx.number(opt::LENGTH).and_then(|n| usize::try_from(n).ok());
    let length = given.filter(|n| *n > 0).unwrap_or(field).min(map_bytes);
    area_in(cx.host, cx.call, opt::FROM, length).to_vec()
}

fn cursor(cx: &Cx<'_>) -> Cursor {
    match cx.number(opt::CURSOR) {
        _ if !cx.has(opt::CURSOR) => Cursor::NotGiven,
        Some(at) if at >= 0 => u16::try_from(at).map_or(Cursor::NotGiven, Cursor::At),
        _ => Cursor::Symbolic,
    }
}
