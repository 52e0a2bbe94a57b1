//! The device MAPPINGDEV names, and EXEC CICS RECEIVE MAP MAPPINGDEV.
//!
//! MAPPINGDEV names a terminal by a fullword with its four characters (CICS: the terminal a data
//! stream is for, or came from); it needs no session with the task. The command maps data of a
//! RECEIVE, given in FROM, with the key in AID and the cursor in CURSOR. Conditions: MAPFAIL (a key
//! without data, nothing modified), INVMPSZ, INVREQ (an output-only map, no such terminal).

use super::super::{output, text};
use super::receive_map::{FROM_BYTES_MAX, Source, unpack_into};
use super::{device_of, send_map};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use crate::eib;
use transom_commands::opt;
use transom_copybook::codepage::{CP037, CodePage};
use transom_datastream::{Aid, ScreenSize};
use transom_types::Device;
use transom_types::{Resp, TermId};
use transom_wire::definitions::TerminalEntry;
use transom_wire::terminal as wire;

/// The device the option names.
pub(super) fn facts(cx: &mut Cx<'_>) -> Result<Device, Fail> {
    let Some(name) = cx.name::<4>(opt::MAPPINGDEV) else {
        return raise(Resp::INVREQ, 0);
    };
    let name = TermId::from_field(&name);
    if let Some(own) = cx.task.terminal.get()
        && own.facts.terminal == name
    {
        return Ok(own.facts.device.clone());
    }
    let found = match output::ask(cx, wire::Request::Inquire(name)) {
        Err(abend @ Fail::Abend(..)) => return Err(abend),
        found => found.ok(),
    };
    match found.and_then(|bytes| TerminalEntry::decode(&bytes)) {
        Some(entry) => Ok(entry.device),
        None => raise(Resp::INVREQ, 0),
    }
}

/// RECEIVE MAP MAPPINGDEV.
pub(crate) fn receive(cx: &mut Cx<'_>) -> Done {
    let facts = facts(cx)?;
    let found = send_map::find_for(cx, None)?;
    let Some(map) = found.map() else {
        return raise(Resp::INVREQ, 0);
    };
    let aid = cx.call.bytes(opt::AID).and_then(|aid| aid.first().copied());
    let aid = aid.map_or(Aid::ENTER.0, of_program);
    let cursor = cx.number(opt::CURSOR).and_then(|at| u16::try_from(at).ok());
    let cursor = cursor.unwrap_or(0);
    let Some(length) = length_of(cx.call, opt::FROM, &[opt::LENGTH], FROM_BYTES_MAX) else {
        return raise(Resp::INVREQ, 0);
    };
    let data = area_in(cx.host, cx.call, opt::FROM, length).to_vec();
    let device = device_of(&facts, false);
    let page = CodePage::by_ccsid(facts.ccsid).unwrap_or(&CP037);
    let record = record(page, device.size, (aid, cursor), &data);
    eib::set_input(cx.host.eib_mut(), CP037.to_latin1[usize::from(aid)], cursor);
    let source = Source {
        record: &record,
        device,
        page,
        upper_case: false,
    };
    unpack_into(cx, map, &source)?;
    NORMAL
}

/// Data of an earlier RECEIVE as the record it came from.
pub(super) fn record(
    page: &CodePage,
    size: ScreenSize,
    (aid, cursor): (u8, u16),
    data: &[u8],
) -> Vec<u8> {
    let mut record = vec![aid];
    record.extend(size.encode(cursor));
    record.extend(text::stream_to_device(page, data, size));
    record
}

/// An AID as programs see it (DFHAID) as the terminal sends it.
fn of_program(byte: u8) -> u8 {
    CP037.from_latin1[usize::from(byte)]
}
