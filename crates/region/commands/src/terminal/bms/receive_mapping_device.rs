//! EXEC CICS RECEIVE MAP MAPPINGDEV.
//!
//! The command maps data of a RECEIVE, given in FROM, with the key in AID and the cursor in CURSOR.
//! Conditions: MAPFAIL (a key without data, nothing modified), INVMPSZ, INVREQ (an output-only map,
//! no such terminal).

use super::devices::device_of;
use super::mapping_device::{facts, record};
use super::maps::find_for;
use super::receive_map::{FROM_BYTES_MAX, Source, unpack_into};
use crate::command::{Cx, Done, NORMAL, area_in, length_of, raise};
use crate::eib;
use transom_commands::opt;
use transom_copybook::codepage::{CP037, CodePage};
use transom_datastream::Aid;
use transom_types::Resp;

/// RECEIVE MAP MAPPINGDEV.
pub(crate) fn receive(cx: &mut Cx<'_>) -> Done {
    let facts = facts(cx)?;
    let found = find_for(cx, None)?;
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

/// An AID as programs see it (DFHAID) as the terminal sends it.
fn of_program(byte: u8) -> u8 {
    CP037.from_latin1[usize::from(byte)]
}
