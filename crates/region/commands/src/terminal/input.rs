//! Input of the terminal: the record the task began with, then what the region hands on.
//!
//! The region has read each record already ([`InboundRecord`]). EIBAID and EIBCPOSN are set
//! when a task begins and by every read. The key may send the program to a label (HANDLE AID),
//! which counts before any condition of the same command.

use super::output;
use super::own::own;
use crate::command::{Cx, Done, Fail};
use crate::eib;
use transom_commands::cmd;
use transom_copybook::codepage::CP037;
use transom_datastream::Aid;
use transom_monitoring::field;
use transom_types::Resp;
use transom_wire::inbound::InboundRecord;
use transom_wire::terminal::{Input, Request};
use transom_workers::seam::{Host, Outcome};

/// The next record of the terminal: what began the task, or a new one.
pub(crate) fn next(cx: &mut Cx<'_>) -> Result<Input, Fail> {
    let terminal = own(cx, Resp::NOTALLOC)?;
    let passed = terminal.passed.take();
    let first = match passed {
        Some(passed) => Input::Message(passed.data),
        None => std::mem::take(&mut terminal.first),
    };
    if first != Input::None {
        if let Input::Message(_) = first {
            eib::set_input(cx.host.eib_mut(), program_byte(Aid::ENTER.0), 0);
        }
        return Ok(first);
    }
    let records = output::take(terminal);
    let limit = terminal.profile.read_timeout_ms;
    read(cx, Request::Read(records, limit))
}

/// The contents of the screen, asked of the terminal (RECEIVE BUFFER).
pub(crate) fn buffer(cx: &mut Cx<'_>) -> Result<Input, Fail> {
    let terminal = own(cx, Resp::NOTALLOC)?;
    let mut records = output::take(terminal);
    records.push(vec![transom_datastream::Command::ReadBuffer.byte()]);
    read(cx, Request::Fetch(records))
}

fn read(cx: &mut Cx<'_>, request: Request) -> Result<Input, Fail> {
    let answer = output::ask(cx, request)?;
    // A region answers nothing else.
    let record = InboundRecord::decode(&answer).unwrap_or_default();
    show_key(cx.host, &record);
    let counts = &mut cx.task.counts;
    counts.count_bytes((field::TCMSGIN1, field::TCCHRIN1), record.bytes.len());
    if cx.call.command() == cmd::RECEIVE_MAP {
        counts.change((field::BMSMAPCT, field::BMSINCT));
    }
    Ok(Input::Record(record))
}

/// EIBAID and EIBCPOSN of a record.
pub(crate) fn show_key(host: &mut dyn Host, record: &InboundRecord) {
    let aid = record.aid().map_or(0, |aid| aid.0);
    eib::set_input(
        host.eib_mut(),
        program_byte(aid),
        record.cursor.unwrap_or(0),
    );
}

/// An AID or attribute as programs see it: the character it is in code page 037.
fn program_byte(byte: u8) -> u8 {
    CP037.to_latin1[usize::from(byte)]
}

/// Where HANDLE AID sends the program after a read; otherwise `done`.
pub(crate) fn branch(cx: &mut Cx<'_>, done: Done) -> Done {
    if cx.call.nohandle() || matches!(done, Err(Fail::Abend(..))) {
        return done;
    }
    let (shown, _) = eib::input(cx.host.eib_mut());
    let key = (0..=u8::MAX)
        .find(|byte| program_byte(*byte) == shown)
        .map(Aid);
    let Some(key) = key else { return done };
    let Some(handles) = cx.task.handles() else {
        return done;
    };
    let any = key.is_short_read() || key.pf_number().is_some();
    let label_of = |keyword: &str| {
        let option = transom_commands::option_by_name(keyword)?;
        let entry = handles.aids.iter().find(|(known, _)| *known == option.0);
        entry.map(|(_, label)| *label)
    };
    let anykey = || any.then(|| label_of("ANYKEY")).flatten();
    match label_of(&keyword(key)).or_else(anykey) {
        Some(label) => Ok(Outcome::Branch(label)),
        None => done,
    }
}

/// The option of HANDLE AID for a key.
fn keyword(key: Aid) -> String {
    match key {
        Aid::PEN => "LIGHTPEN".into(),
        Aid::OPERATOR_ID => "OPERID".into(),
        Aid::TRIGGER => "TRIGGER".into(),
        Aid::CLEAR_PARTITION => "CLRPARTN".into(),
        key => key.name(),
    }
}
