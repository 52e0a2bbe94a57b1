//! EXEC CICS RECEIVE MAP.
//!
//! EIBAID and EIBCPOSN tell the key and the cursor whatever happens. Conditions: MAPFAIL (a key
//! without data, nothing modified, or no formatted screen), INVMPSZ (the map is larger than the
//! screen), INVREQ (an output-only map; no terminal; INVREQ 200 in a linked program).

use super::super::wire::Input;
use super::super::{input, own, text};
use super::{device, send_map};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, area_out, length_of, raise, to_storage};
use transom_bms::{Erase, Received, UnpackError, UnpackOptions, unpack};
use transom_commands::opt;
use transom_datastream::Aid;
use transom_datastream::inbound::{Inbound, parse};
use transom_types::Resp;

/// Longest data of FROM.
const FROM_BYTES_MAX: usize = 32_767;

/// The command.
pub(crate) fn receive_map(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::INVREQ)?;
    let found = send_map::find(cx)?;
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
            Input::None | Input::Message(_) => Vec::new(),
        }
    };
    let asis = cx.has(opt::ASIS) && !first;
    let Some(map) = found.map() else {
        return raise(Resp::INVREQ, 0);
    };
    let terminal = own(cx, Resp::INVREQ)?;
    let folds = terminal.folds() && !asis;
    let (device, table) = (
        device(terminal, Erase::Keep),
        &terminal.page_of_device().to_latin1,
    );
    let area = match parse(&record, terminal.size()) {
        Ok(Inbound::Read(read)) => {
            let received = Received::of(&read.data);
            let options = UnpackOptions {
                cursor: read.cursor.unwrap_or(0),
                upper_case: folds,
                table,
            };
            unpack(map, &received, &device, &options)
        }
        _ => Err(UnpackError::MapFail),
    };
    let done = match area {
        Ok(area) => store(cx, &area),
        Err(UnpackError::MapFail) => raise(Resp::MAPFAIL, 0),
        Err(UnpackError::Size(_)) => raise(Resp::INVMPSZ, 0),
        Err(UnpackError::OutputOnly) => raise(Resp::INVREQ, 0),
    };
    input::branch(cx, done)
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
fn from(cx: &mut Cx<'_>) -> Result<Vec<u8>, Fail> {
    let Some(length) = length_of(cx.call, opt::FROM, &[opt::LENGTH], FROM_BYTES_MAX) else {
        return raise(Resp::INVREQ, 0);
    };
    let data = area_in(cx.host, cx.call, opt::FROM, length).to_vec();
    let terminal = own(cx, Resp::INVREQ)?;
    let size = terminal.size();
    let mut record = vec![Aid::ENTER.0];
    record.extend(size.encode(0));
    record.extend(text::stream_to_device(
        terminal.page_of_device(),
        &data,
        size,
    ));
    Ok(record)
}
