//! EXEC CICS RECEIVE MAP.
//!
//! EIBAID and EIBCPOSN tell the key and the cursor whatever happens. Conditions: MAPFAIL (a key
//! without data, nothing modified, or no formatted screen), INVMPSZ (the map is larger than the
//! screen), INVREQ (an output-only map; no terminal; INVREQ 200 in a linked program).

use super::super::input;
use super::super::own::own;
use super::mapping_device::record;
use super::maps;
use super::write::device;
use crate::command::{Cx, Done, Fail, NORMAL, area_in, area_out, length_of, raise, to_storage};
use transom_bms::{Device, Erase, PhysicalMap, Received, UnpackError, UnpackOptions, unpack};
use transom_commands::opt;
use transom_copybook::codepage::CodePage;
use transom_datastream::Aid;
use transom_types::Resp;
use transom_wire::inbound::InboundRecord;
use transom_wire::terminal::Input;

/// Longest data of FROM.
pub(super) const FROM_BYTES_MAX: usize = 32_767;

/// What there is to unpack.
pub(super) struct Source<'a> {
    pub record: &'a InboundRecord,
    pub device: Device,
    pub page: &'static CodePage,
    pub upper_case: bool,
}

/// The command.
pub(crate) fn receive_map(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::INVREQ)?;
    let found = maps::find(cx)?;
    let first = cx
        .task
        .terminal
        .get()
        .is_some_and(|own| own.first != Input::None);
    let record = if cx.has(opt::FROM) {
        from(cx)?
    } else {
        match input::next(cx)? {
            Input::Record(record) => record,
            Input::None | Input::Message(_) => InboundRecord::default(),
        }
    };
    let asis = cx.has(opt::ASIS) && !first;
    let Some(map) = found.map() else {
        return raise(Resp::INVREQ, 0);
    };
    let terminal = own(cx, Resp::INVREQ)?;
    let source = Source {
        record: &record,
        device: device(terminal, Erase::Keep),
        page: terminal.page_of_device(),
        upper_case: terminal.folds() && !asis,
    };
    let done = unpack_into(cx, map, &source);
    input::branch(cx, done)
}

/// Unpacks a record into the program's storage.
pub(super) fn unpack_into(cx: &mut Cx<'_>, map: &PhysicalMap, source: &Source<'_>) -> Done {
    let record = source.record;
    let area = if record.is_read() {
        let received = Received::of(record.fields());
        let options = UnpackOptions {
            cursor: record.cursor.unwrap_or(0),
            upper_case: source.upper_case,
            table: &source.page.to_latin1,
        };
        unpack(map, &received, &source.device, &options)
    } else {
        Err(UnpackError::MapFail)
    };
    match area {
        Ok(area) => store(cx, &area),
        Err(UnpackError::MapFail) => raise(Resp::MAPFAIL, 0),
        Err(UnpackError::Size(_)) => raise(Resp::INVMPSZ, 0),
        Err(UnpackError::OutputOnly) => raise(Resp::INVREQ, 0),
    }
}

fn store(cx: &mut Cx<'_>, area: &[u8]) -> Done {
    if cx.has(opt::SET) {
        let address = to_storage(cx.host, area)?;
        cx.call.set_pointer(opt::SET, address);
    } else if cx.has(opt::INTO) {
        area_out(cx.host, cx.call, opt::INTO, area);
    }
    NORMAL
}

/// Data a RECEIVE brought before, as the record of an ENTER.
fn from(cx: &mut Cx<'_>) -> Result<InboundRecord, Fail> {
    let Some(length) = length_of(cx.call, opt::FROM, &[opt::LENGTH], FROM_BYTES_MAX) else {
        return raise(Resp::INVREQ, 0);
    };
    let data = area_in(cx.host, cx.call, opt::FROM, length).to_vec();
    let terminal = own(cx, Resp::INVREQ)?;
    let (page, size) = (terminal.page_of_device(), terminal.size());
    Ok(record(page, size, (Aid::ENTER.0, 0), &data))
}
