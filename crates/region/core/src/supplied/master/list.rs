//! Finding resources and changing them, by the INQUIRE and SET commands any program has.

use super::line::Line;
use super::resources::{Column, Kind, List, Resource};
use crate::supplied::call::{Form, InternalCall};
use crate::supplied::session::Session;
use transom_commands::{ArgKind, cmd, opt};
use transom_types::Resp;
use transom_workers::seam::Call;

/// Most resources of one list.
const ROWS_MAX: usize = 10_000;

/// A resource as it is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub key: String,
    /// A cell for each column.
    pub cells: Vec<String>,
    /// What came of a change.
    pub note: String,
}

/// All resources the line selects. The error is the condition of the INQUIRE.
pub(super) fn rows(session: &mut Session<'_>, line: &Line) -> Result<Vec<Row>, String> {
    let Some(resource) = line.resource else {
        return Ok(Vec::new());
    };
    let mut rows = match resource.list {
        List::Tasks => tasks(session, resource)?,
        List::One => vec![one(session, resource, "")?],
        List::Browse | List::Units if line.is_plain() => {
            let names = line.names.iter();
            let found = names.map(|name| one(session, resource, name));
            found.collect::<Result<_, _>>()?
        }
        List::Browse | List::Units => browse(session, resource, line)?,
    };
    if resource.list == List::Tasks {
        rows.retain(|row| line.selects(&row.key));
    }
    // Words of an INQUIRE select resources in that state.
    for (word, _) in &line.words {
        let whole = resource.word(word);
        rows.retain(|row| whole.is_none_or(|w| row.cells.iter().any(|c| *c == shown(w))));
    }
    Ok(rows)
}

fn condition(call: &InternalCall) -> String {
    let name = call.row().map_or("", |row| row.name);
    match call.response() {
        (Resp::INVREQ, 0) => format!("TXMMT0005E {name} is not available in this region"),
        (Resp::NOTAUTH, _) => format!("TXMMT0016E {name}: NOT AUTHORIZED"),
        (resp, resp2) => format!("TXMMT0006E {name}: {resp} {resp2}"),
    }
}

/// A call that asks for every column.
fn inquiry(resource: &Resource) -> InternalCall {
    let mut call = InternalCall::new(resource.inquire);
    let known = call.row();
    for column in resource.columns {
        if known.is_some_and(|row| row.option_by_id(column.option).is_some()) {
            call = match column.kind {
                Kind::Text(chars) => call.out_bytes(column.option, chars),
                Kind::Value => call.out(column.option),
                Kind::Number(_) => {
                    call.push(column.option, Form::Binary, vec![0; 8]);
                    call
                }
            };
        }
    }
    call
}

fn cells(resource: &Resource, call: &InternalCall) -> Vec<String> {
    let cell = |column: &Column| match column.kind {
        Kind::Text(_) => call.got_text(column.option),
        Kind::Number(_) => call.got_number(column.option).to_string(),
        Kind::Value => shown(value_name(column, call)),
    };
    resource.columns.iter().map(cell).collect()
}

/// Several names may share a number; one of the column's own words is meant.
fn value_name(column: &Column, call: &InternalCall) -> &'static str {
    let number = call.got_number(column.option);
    let same = |word: &&&str| transom_commands::dfhvalue(word).map(i64::from) == Some(number);
    // IGNORE and NOTAPPLIC are one number; where a state is shown it is the latter.
    if number == transom_commands::dfhvalue("NOTAPPLIC").map_or(-1, i64::from) {
        return "";
    }
    column
        .words
        .iter()
        .find(same)
        .copied()
        .unwrap_or_else(|| call.got_cvda(column.option))
}

/// `ENABLED` -> `Ena`, `NOTADDABLE` -> `Notad`.
pub(super) fn shown(word: &str) -> String {
    let chars = if word.starts_with("NOT") { 5 } else { 3 };
    let lower = word.chars().take(chars).flat_map(char::to_lowercase);
    let mut text: String = lower.collect();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

fn one(session: &mut Session<'_>, resource: &Resource, name: &str) -> Result<Row, String> {
    let call = match resource.list {
        List::One => inquiry(resource).out_bytes(resource.key, resource.key_chars),
        List::Tasks => inquiry(resource).number(resource.key, name.parse().unwrap_or(0)),
        List::Browse | List::Units => inquiry(resource).text(resource.key, key_of(resource, name)),
    };
    let call = session.ran(call);
    if !call.is_normal() {
        return Err(condition(&call));
    }
    let key = match resource.list {
        List::One => call.got_text(resource.key),
        _ => name.trim_end().to_owned(),
    };
    Ok(Row {
        key,
        cells: cells(resource, &call),
        note: String::new(),
    })
}

/// A key as the commands take it.
fn key_of(resource: &Resource, shown: &str) -> Vec<u8> {
    if resource.list == List::Units {
        let number = u64::from_str_radix(shown, 16).unwrap_or(0);
        return [number.to_be_bytes(), [0; 8]].concat();
    }
    format!("{shown:width$}", width = resource.key_chars).into_bytes()
}

/// The part of an identifier of a unit of work that is not always zero.
fn digits(id: &[u8]) -> String {
    id.iter().take(8).map(|b| format!("{b:02X}")).collect()
}

fn browse(session: &mut Session<'_>, resource: &Resource, line: &Line) -> Result<Vec<Row>, String> {
    let start = session.ran(InternalCall::new(resource.inquire).flag(opt::START));
    if !start.is_normal() {
        return Err(condition(&start));
    }
    let mut rows = Vec::new();
    while rows.len() < ROWS_MAX {
        let next = inquiry(resource).out_bytes(resource.key, resource.key_chars);
        let next = session.ran(next.flag(opt::NEXT));
        if !next.is_normal() {
            break;
        }
        let key = match resource.list {
            List::Units => digits(next.bytes(resource.key).unwrap_or_default()),
            _ => next.got_text(resource.key),
        };
        if line.selects(&key) {
            rows.push(Row {
                key,
                cells: cells(resource, &next),
                note: String::new(),
            });
        }
    }
    session.ran(InternalCall::new(resource.inquire).flag(opt::END));
    Ok(rows)
}

fn tasks(session: &mut Session<'_>, resource: &Resource) -> Result<Vec<Row>, String> {
    let list = InternalCall::new(cmd::INQUIRE_TASK_LIST)
        .out(opt::LISTSIZE)
        .out(opt::SET);
    let list = session.ran(list);
    if !list.is_normal() {
        return Err(condition(&list));
    }
    let count = usize::try_from(list.got_number(opt::LISTSIZE))
        .unwrap_or(0)
        .min(ROWS_MAX);
    let address = list.pointer(opt::SET).unwrap_or(0);
    let bytes = match count {
        0 => Vec::new(),
        _ => session.host.memory(address, count * 4).to_vec(),
    };
    let numbers = bytes.chunks_exact(4).filter_map(|n| n.try_into().ok());
    let numbers = numbers.map(|n: [u8; 4]| format!("{:07}", u32::from_be_bytes(n)));
    // A task may have ended since.
    Ok(numbers
        .filter_map(|name| one(session, resource, &name).ok())
        .collect())
}

/// A change of one resource.
pub(super) enum Change {
    /// A word of the kind.
    Word(&'static str),
    /// A number.
    Number(&'static Column, i64),
}

/// What a line of SET asks for. The error is one sentence.
pub(super) fn changes(line: &Line) -> Result<Vec<Change>, String> {
    let Some(resource) = line.resource else {
        return Ok(Vec::new());
    };
    let mut changes = Vec::new();
    for (word, value) in &line.words {
        let number = resource.settable(word).filter(|_| !value.is_empty());
        match (number, resource.word(word)) {
            (Some(column), _) => changes.push(Change::Number(column, number_of(value)?)),
            (None, Some(whole)) if value.is_empty() => changes.push(Change::Word(whole)),
            _ => return Err(format!("TXMMT0007E {} has no {word} to set", resource.name)),
        }
    }
    match changes.is_empty() {
        true => Err(format!("TXMMT0008E say what to set of {}", resource.name)),
        false => Ok(changes),
    }
}

/// A number as typed.
pub(super) fn number_of(text: &str) -> Result<i64, String> {
    let number = text.trim().parse();
    number.map_err(|_| format!("TXMMT0009E {text} is not a number"))
}

/// Changes one resource; answers NORMAL or the condition.
pub(super) fn set(
    session: &mut Session<'_>,
    resource: &Resource,
    key: &str,
    changes: &[Change],
) -> String {
    let Some(command) = resource.set else {
        return "INVREQ".into();
    };
    let mut call = InternalCall::new(command);
    call = match resource.list {
        List::One => call,
        List::Tasks => call.number(resource.key, key.parse().unwrap_or(0)),
        List::Browse | List::Units => call.text(resource.key, key_of(resource, key)),
    };
    for change in changes {
        call = match change {
            Change::Number(column, number) => call.number(column.option, *number),
            Change::Word(word) => with_word(call, resource, word),
        };
    }
    let call = session.ran(call);
    match call.response() {
        (Resp::NORMAL, _) => "NORMAL".into(),
        (Resp::NOTAUTH, _) => "NOT AUTHORIZED".into(),
        (resp, resp2) => format!("{resp} {resp2}"),
    }
}

/// A word is a keyword of the SET command, or a value of one of its options.
fn with_word(call: InternalCall, resource: &Resource, word: &'static str) -> InternalCall {
    let keyword = call.row().and_then(|row| row.option(word));
    if let Some(option) = keyword.filter(|o| matches!(o.argument, ArgKind::None)) {
        return call.flag(option.id);
    }
    let column = resource.columns.iter().find(|c| c.words.contains(&word));
    match column {
        Some(column) => call.cvda(column.option, word),
        None => call,
    }
}
