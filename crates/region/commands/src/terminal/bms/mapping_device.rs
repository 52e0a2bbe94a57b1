//! The device MAPPINGDEV names.
//!
//! MAPPINGDEV names a terminal by a fullword with its four characters (CICS: the terminal a data
//! stream is for, or came from); it needs no session with the task. Condition: INVREQ (no such
//! terminal).

use super::super::{output, text};
use crate::command::{Cx, Fail, raise};
use transom_commands::opt;
use transom_copybook::codepage::CodePage;
use transom_datastream::ScreenSize;
use transom_types::Device;
use transom_types::{Resp, TermId};
use transom_wire::definitions::TerminalEntry;
use transom_wire::inbound::InboundRecord;
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

/// Data of an earlier RECEIVE as the record it came from.
pub(super) fn record(
    page: &CodePage,
    size: ScreenSize,
    (aid, cursor): (u8, u16),
    data: &[u8],
) -> InboundRecord {
    let mut record = vec![aid];
    record.extend(size.encode(cursor));
    record.extend(text::stream_to_device(page, data, size));
    InboundRecord::read(record, size)
}
