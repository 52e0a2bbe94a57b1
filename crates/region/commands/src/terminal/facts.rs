//! Facts about the terminal of a task, for ASSIGN.
//!
//! Flags are X'FF' or X'00' as CICS has them. Sources: the public description of ASSIGN.

use super::bms::state::Message;
use super::state::Terminal;
use crate::command::Cx;
use transom_commands::{OptionId, opt};

/// Device types in TERMCODE: a 3270 display and a 3270 printer; the model is a character.
const TERMCODE_DISPLAY: [u8; 2] = [0x91, b'2'];
const TERMCODE_PRINTER: [u8; 2] = [0x93, b'2'];

/// What an option answers.
enum Value {
    Text(String),
    Number(i64),
    Flag(bool),
    Bytes(Vec<u8>),
}

/// Answers an option that describes the terminal. `false`: it is none, or the task has none.
pub(crate) fn assign(cx: &mut Cx<'_>, option: OptionId) -> bool {
    let Some(terminal) = cx.task.terminal.get() else {
        return false;
    };
    let Some(value) =
        of_message(&cx.task.terminal.page, option).or_else(|| value(terminal, option))
    else {
        return false;
    };
    match value {
        Value::Text(text) => cx.set_text(option, &text),
        Value::Number(number) => cx.set_number(option, number),
        Value::Flag(flag) => cx.set_bytes(option, &[if flag { 0xFF } else { 0 }], 0),
        Value::Bytes(bytes) => cx.set_bytes(option, &bytes, 0),
    }
    true
}

fn of_message(message: &Message, option: OptionId) -> Option<Value> {
    let placed = &message.placed;
    let number = |n: u16| Value::Number(i64::from(n));
    Some(match option {
        opt::MAPHEIGHT => number(placed.rows),
        opt::MAPWIDTH => number(placed.columns),
        opt::MAPLINE => number(placed.line),
        opt::MAPCOLUMN => number(placed.column),
        opt::PAGENUM => number(message.page_number()),
        opt::DESTCOUNT => Value::Number(message.destinations() as i64),
        _ => return None,
    })
}

fn value(terminal: &Terminal, option: OptionId) -> Option<Value> {
    let (facts, device) = (&terminal.facts, &terminal.facts.device);
    let size = terminal.size();
    let number = |n: u16| Value::Number(i64::from(n));
    Some(match option {
        opt::FACILITY => Value::Text(facts.terminal.as_str().to_owned()),
        opt::NETNAME => Value::Text(facts.netname.clone()),
        opt::SCRNHT => Value::Number(size.rows() as i64),
        opt::SCRNWD => Value::Number(size.columns() as i64),
        opt::DEFSCRNHT => number(device.default_size.0),
        opt::DEFSCRNWD => number(device.default_size.1),
        opt::ALTSCRNHT => number(device.alternate_size.0),
        opt::ALTSCRNWD => number(device.alternate_size.1),
        opt::TERMCODE if device.printer => Value::Bytes(TERMCODE_PRINTER.to_vec()),
        opt::TERMCODE => Value::Bytes(TERMCODE_DISPLAY.to_vec()),
        opt::COLOR => Value::Flag(device.colour),
        opt::HILIGHT => Value::Flag(device.highlight),
        opt::OUTLINE => Value::Flag(device.outline),
        opt::VALIDATION => Value::Flag(device.validation),
        opt::EXTDS => Value::Flag(device.extended),
        opt::EWASUPP => Value::Flag(device.alternate_size != device.default_size),
        opt::DS3270 => Value::Flag(!facts.scs),
        opt::DSSCS => Value::Flag(facts.scs),
        opt::FCI => Value::Bytes(vec![0x01]),
        _ => return None,
    })
}
