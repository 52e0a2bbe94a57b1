//! Options and values of a command as lines of the screen, and what goes into variables.

use super::command::{Parsed, VARIABLE_BYTES_MAX};
use crate::call::{Argument, Form, InternalCall, SECRETS};
use crate::session::Session;
use crate::words::Value;
use transom_commands::{ArgKind, OptionId, opt};
use transom_workers::seam::{Address, Call};

/// Bytes of a value that are shown.
const SHOWN_BYTES_MAX: usize = 400;
/// Characters of a value in one row.
const ROW_CHARS: usize = 60;

/// A command as it was understood.
pub(super) fn parsed(parsed: &Parsed) -> Vec<String> {
    let mut lines = vec![format!("EXEC CICS {}", parsed.command.name)];
    for given in &parsed.given {
        let keyword = given.spec.keyword;
        lines.push(match &given.value {
            None => format!("  {keyword}"),
            Some(Value::Variable(name)) => format!("  {keyword}( &{name} )"),
            Some(_) if SECRETS.contains(&given.spec.id) => format!("  {keyword}( ******** )"),
            Some(Value::Literal(bytes)) => format!("  {keyword}( '{}' )", printable(bytes)),
        });
    }
    lines.extend(left_out(parsed));
    lines
}

/// Options that could be given too, as many in a row as fit.
fn left_out(parsed: &Parsed) -> Vec<String> {
    let options = parsed.command.options.iter().filter(|option| {
        option.status != transom_commands::Status::Invreq
            && !parsed.given.iter().any(|given| given.spec.id == option.id)
    });
    let mut rows: Vec<String> = Vec::new();
    for option in options {
        let argument = if matches!(option.argument, ArgKind::None) {
            ""
        } else {
            "()"
        };
        let text = format!(" < {}{argument} >", option.keyword);
        match rows
            .last_mut()
            .filter(|row| row.len() + text.len() <= ROW_CHARS + 14)
        {
            Some(row) => row.push_str(&text),
            None => rows.push(format!(" {text}")),
        }
    }
    rows
}

/// A command that ran, with the values of its options.
pub(super) fn of_call(call: &InternalCall, hex: bool) -> Vec<String> {
    let row = call.row();
    let mut lines = vec![format!("EXEC CICS {}", row.map_or("", |row| row.name))];
    for argument in call.arguments() {
        let keyword = transom_commands::option_name(argument.option);
        if argument.form == Form::Flag {
            lines.push(format!("  {keyword}"));
            continue;
        }
        let spec = row.and_then(|row| row.option_by_id(argument.option));
        let cvda = spec.is_some_and(|s| matches!(s.argument, ArgKind::Cvda | ArgKind::CvdaOut));
        let shown: Vec<char> = shown(argument, cvda, hex).chars().collect();
        let mut chunks = shown
            .chunks(ROW_CHARS)
            .map(|chunk| chunk.iter().collect::<String>());
        lines.push(format!(
            "  {keyword}( {} )",
            chunks.next().unwrap_or_default()
        ));
        lines.extend(chunks.map(|chunk| format!("      {chunk}")));
    }
    lines
}

fn shown(argument: &Argument, cvda: bool, hex: bool) -> String {
    if SECRETS.contains(&argument.option) {
        return "********".into();
    }
    let length = argument
        .storage
        .iter()
        .rposition(|b| !matches!(b, b' ' | 0));
    let used = argument
        .storage
        .get(..length.map_or(0, |at| at + 1))
        .unwrap_or_default();
    let used = used.get(..SHOWN_BYTES_MAX).unwrap_or(used);
    if hex || argument.form == Form::Pointer {
        let bytes = match argument.form {
            Form::Text => used,
            _ => argument.storage.as_slice(),
        };
        let digits: String = bytes.iter().map(|b| format!("{b:02X}")).collect();
        return format!("X'{digits}'");
    }
    match (argument.form, argument.as_number()) {
        (Form::Text, _) | (_, None) => format!("'{}'", printable(used)),
        (_, Some(number)) => {
            let name = i32::try_from(number).ok().filter(|_| cvda);
            match name.and_then(transom_commands::cvda_name) {
                Some(name) => name.to_owned(),
                None => format!("{number:+011}"),
            }
        }
    }
}

fn printable(bytes: &[u8]) -> String {
    let shown = |b: &u8| match b {
        0x20..=0x7E | 0xA0..=0xFF => char::from(*b),
        _ => '.',
    };
    bytes.iter().map(shown).collect()
}

/// What a variable gets from an option.
pub(super) fn variable(call: &InternalCall, option: OptionId) -> Option<Vec<u8>> {
    let argument = call.arguments().iter().find(|a| a.option == option)?;
    let number = argument.as_number().filter(|_| argument.form != Form::Text);
    let mut bytes = match number {
        Some(number) => number.to_string().into_bytes(),
        None => argument.storage.clone(),
    };
    bytes.truncate(VARIABLE_BYTES_MAX);
    Some(bytes)
}

/// Gives a COMMAREA storage a program can work in; 0: the command has none.
pub(super) fn commarea_storage(session: &mut Session<'_>, call: &mut InternalCall) -> Address {
    let Some(bytes) = call.bytes(opt::COMMAREA).map(<[u8]>::to_vec) else {
        return 0;
    };
    let Some(address) = session.host.getmain(bytes.len().max(1), None) else {
        return 0;
    };
    session
        .host
        .memory_mut(address, bytes.len())
        .copy_from_slice(&bytes);
    for argument in call.arguments_mut() {
        if argument.option == opt::COMMAREA {
            argument.address = address;
        }
    }
    address
}

/// What the program left in it.
pub(super) fn commarea_back(session: &mut Session<'_>, call: &mut InternalCall, from: Address) {
    let area = call
        .arguments_mut()
        .iter_mut()
        .find(|a| a.option == opt::COMMAREA);
    if let Some(area) = area.filter(|_| from != 0) {
        let bytes = session.host.memory(from, area.storage.len());
        area.storage.copy_from_slice(bytes);
    }
}
