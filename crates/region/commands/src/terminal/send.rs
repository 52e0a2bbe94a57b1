//! EXEC CICS SEND (3270) and WAIT TERMINAL.
//!
//! FROM is a 3270 data stream without command and WCC: text of the program's code page with orders
//! in it (see `text`), or with STRFIELD structured fields, which go as they are. CTLCHAR is the
//! WCC; without it the keyboard is unlocked and modified data tags are reset. A printer of LU type
//! 1 gets FROM as SCS. INVITE and LAST say what the program does next, which is seen anyway.
//! Conditions: INVREQ (a data stream no terminal can take, INVREQ 200 in a linked program), LENGERR
//! (a length out of range), NOTALLOC (no terminal), TERMERR (the terminal is gone).

use super::output::{command, erase, flush, put};
use super::own::own;
use super::text;
use crate::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use transom_commands::{OptionId, opt};
use transom_datastream::scs;
use transom_datastream::{Command, Outbound, Wcc};
use transom_messages as messages;
use transom_types::Resp;

/// Longest data of one SEND.
pub(crate) const SEND_BYTES_MAX: usize = 32_767;

/// SEND.
pub(crate) fn send(cx: &mut Cx<'_>) -> Done {
    write(cx, &[opt::LENGTH, opt::FLENGTH])?;
    NORMAL
}

/// WAIT TERMINAL: what was sent has left the region.
pub(crate) fn wait_terminal(cx: &mut Cx<'_>) -> Done {
    flush(cx)?;
    NORMAL
}

/// The output of SEND and CONVERSE; nothing without FROM.
pub(super) fn write(cx: &mut Cx<'_>, lengths: &[OptionId]) -> Result<(), Fail> {
    own(cx, Resp::NOTALLOC)?;
    if cx.has(opt::FROM) {
        let Some(length) = length_of(cx.call, opt::FROM, lengths, SEND_BYTES_MAX) else {
            return raise(Resp::LENGERR, 0);
        };
        let data = area_in(cx.host, cx.call, opt::FROM, length).to_vec();
        let record = record(cx, &data)?;
        put(cx, record)?;
    }
    Ok(())
}

fn record(cx: &mut Cx<'_>, data: &[u8]) -> Result<Vec<u8>, Fail> {
    if cx.has(opt::STRFIELD) {
        let mut record = vec![Command::WriteStructuredField.byte()];
        record.extend_from_slice(data);
        return Ok(record);
    }
    let wcc = match cx.call.bytes(opt::CTLCHAR).and_then(<[u8]>::first) {
        None => Wcc::UNLOCK_RESET.byte(),
        Some(byte) => control_character(*byte),
    };
    let erase = erase(cx)?;
    let program = cx.task.program();
    let terminal = own(cx, Resp::NOTALLOC)?;
    let page = terminal.page_of_device();
    if terminal.facts.scs {
        return Ok(scs::of_program(&page.from_latin1, data));
    }
    let (command, size) = command(terminal, erase);
    let data = text::stream_to_device(page, data, size);
    match Outbound::from_application(command, wcc, &data, size) {
        Ok(record) => Ok(record.into_bytes()),
        Err(error) => {
            let text = messages::zc::record_not_made("SEND", program, error);
            cx.host.log(text.line());
            raise(Resp::INVREQ, 0)
        }
    }
}

/// A WCC as a program gives it: the byte itself (X'C3'), or the character it is (`C`).
fn control_character(byte: u8) -> u8 {
    if byte < 0x80 && byte.is_ascii_alphanumeric() {
        transom_copybook::codepage::CP037.from_latin1[usize::from(byte)]
    } else {
        Wcc::from_byte(byte).byte()
    }
}
