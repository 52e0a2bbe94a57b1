//! EXEC CICS RECEIVE (3270).
//!
//! The first RECEIVE of a task gets what started it, if nothing was sent before; others wait for
//! the user. Programs see the data behind the cursor address: text in their code page, SBA orders
//! as they are. Conditions: LENGERR (more data than MAXLENGTH or LENGTH takes, without NOTRUNCATE),
//! NOTALLOC (no terminal), TERMERR (it is gone), INVREQ 200 (linked program). EOC is shown in
//! EIBEOC and not raised. EIBCOMPL shows whether NOTRUNCATE left data behind. A record of
//! structured fields (AID X'88') is handed over as it is.

use super::own::own;
use super::{input, text};
use crate::command::{Cx, Done, Fail, NORMAL, area_out, raise, to_storage};
use crate::eib;
use transom_commands::{OptionId, opt};
use transom_datastream::Aid;
use transom_types::Resp;
use transom_wire::terminal::Input;

/// RECEIVE.
pub(crate) fn receive(cx: &mut Cx<'_>) -> Done {
    let done = take(cx, &[opt::LENGTH, opt::FLENGTH]);
    input::branch(cx, done)
}

/// The input of RECEIVE and CONVERSE; `lengths` take the length.
pub(super) fn take(cx: &mut Cx<'_>, lengths: &[OptionId]) -> Done {
    let rest = std::mem::take(&mut own(cx, Resp::NOTALLOC)?.rest);
    let data = if rest.is_empty() || cx.has(opt::BUFFER) {
        data(cx)?
    } else {
        rest
    };
    let max = max_length(cx, lengths);
    let given = data.get(..max).unwrap_or(&data);
    let complete = given.len() == data.len() || !cx.has(opt::NOTRUNCATE);
    eib::set_end_of_chain(cx.host.eib_mut(), complete);
    for option in lengths {
        cx.set_number(*option, data.len() as i64);
    }
    if cx.has(opt::SET) {
        let address = to_storage(cx.host, given)?;
        cx.call.set_pointer(opt::SET, address);
    } else if cx.has(opt::INTO) {
        area_out(cx.host, cx.call, opt::INTO, given);
    }
    if given.len() == data.len() {
        return NORMAL;
    }
    if !cx.has(opt::NOTRUNCATE) {
        return raise(Resp::LENGERR, 0);
    }
    let (given, rest) = (given.len(), data.get(max..).unwrap_or_default().to_vec());
    own(cx, Resp::NOTALLOC)?.rest = rest;
    for option in lengths {
        cx.set_number(*option, given as i64);
    }
    NORMAL
}

/// A record without AID and cursor address.
fn data(cx: &mut Cx<'_>) -> Result<Vec<u8>, Fail> {
    let first = cx
        .task
        .terminal
        .get()
        .is_some_and(|own| own.first != Input::None || own.passed_bytes() > 0);
    let record = if cx.has(opt::BUFFER) {
        input::buffer(cx)?
    } else {
        input::next(cx)?
    };
    let asis = cx.has(opt::ASIS) && !first;
    let terminal = own(cx, Resp::NOTALLOC)?;
    Ok(match record {
        Input::Message(message) => message,
        Input::None => Vec::new(),
        // Structured fields begin behind the AID, without a cursor, and are no text.
        Input::Record(record) if record.aid() == Some(Aid::STRUCTURED_FIELD) => {
            record.bytes.get(1..).unwrap_or_default().to_vec()
        }
        Input::Record(record) => {
            let page = terminal.page_of_device();
            text::stream_to_program(page, record.data(), terminal.folds() && !asis)
        }
    })
}

/// Bytes the program can take: MAXLENGTH, else what the length option says, else the size of INTO.
fn max_length(cx: &Cx<'_>, lengths: &[OptionId]) -> usize {
    let given = cx
        .number(opt::MAXLENGTH)
        .or_else(|| cx.number(opt::MAXFLENGTH))
        .or_else(|| lengths.iter().find_map(|option| cx.number(*option)));
    match given {
        Some(length) => usize::try_from(length).unwrap_or(0),
        None if cx.has(opt::SET) => usize::MAX,
        None => cx.call.bytes(opt::INTO).map_or(0, <[u8]>::len),
    }
}
