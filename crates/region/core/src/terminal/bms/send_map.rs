//! EXEC CICS SEND MAP.
//!
//! Conditions: INVMPSZ (the map is larger than the screen), INVREQ (no terminal; data for an
//! input-only map; INVREQ 200 in a linked program), OVERFLOW (ACCUM), LENGERR does not occur: data
//! missing at the end counts as nulls. Abends: see `mapsets`.

use super::super::output::{erase, put};
use super::super::own;
use super::{controls, device, page, record};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, raise};
use transom_bms::{Content, Cursor, SendOptions, merge};
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn send_map(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::INVREQ)?;
    let found = find(cx)?;
    let Some(map) = found.map() else {
        return raise(Resp::INVREQ, 0);
    };
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
        erase: erase(cx)?,
        controls: controls(cx),
    };
    if cx.has(opt::ACCUM) {
        let handles = cx.task.handles();
        let label = handles.is_some_and(|handles| handles.has_label(Resp::OVERFLOW));
        let overflow = (found.mapset.trailer_rows(), label || cx.call.nohandle());
        page::accumulate(cx, map, data.as_deref(), &options, overflow)?;
        return NORMAL;
    }
    let terminal = own(cx, Resp::INVREQ)?;
    let Ok(write) = merge(
        map,
        data.as_deref(),
        &options,
        &device(terminal, options.erase),
    ) else {
        return raise(Resp::INVMPSZ, 0);
    };
    let record = record(terminal, &write);
    put(cx, record)?;
    NORMAL
}

/// The map a command names. MAPSET defaults to the map's name.
pub(super) fn find(cx: &mut Cx<'_>) -> Result<super::mapsets::Found, Fail> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).trim_end().to_uppercase();
    let map = cx
        .name::<7>(opt::MAP)
        .map(|name| text(&name))
        .unwrap_or_default();
    let mapset = cx.name::<8>(opt::MAPSET).map(|name| text(&name));
    let mapset = mapset.unwrap_or_else(|| map.clone());
    let terminal = own(cx, Resp::INVREQ)?;
    let suffix = terminal.facts.suffix;
    let suffix = (terminal.alternate && suffix != 0).then_some(char::from(suffix));
    let dir = cx.region.facts.map_dir.clone();
    cx.region.mapsets.find(&dir, &mapset, &map, suffix)
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
