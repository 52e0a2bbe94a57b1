//! One resource as it is shown, and changing it, by the INQUIRE and SET commands any program has.
//!
//! Not here: which resources a line means (`walk`).

use super::line::Line;
use crate::call::{Form, InternalCall};
use crate::session::Session;
use transom_commands::{ArgKind, OptionId, opt};
use transom_messages::{self as messages, Message};
use transom_resources::{Column, ColumnKind, List, View};
use transom_types::Resp;
use transom_wire::language;
use transom_workers::seam::Call;

/// Behind a resource that was named and is not there.
pub(super) const MISSING: &str = "NOT FOUND";
/// Digits of a name in hexadecimal.
pub(super) const HEX_DIGITS: usize = 16;

language! {
    /// A resource as it is shown.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub(super) struct Row {
        pub key: String,
        /// A cell for each column.
        pub cells: Vec<String>,
        /// What came of a change.
        pub note: String,
    }
}

pub(super) fn condition(call: &InternalCall) -> Message {
    let name = call.row().map_or("", |row| row.name);
    match call.response() {
        (Resp::INVREQ, 0) => messages::mt::not_available(name),
        (Resp::NOTAUTH, _) => messages::mt::not_authorized(name),
        (resp, resp2) => messages::mt::failed(name, resp, resp2),
    }
}

/// A call that asks for every column.
pub(super) fn inquiry(resource: &View) -> InternalCall {
    let mut call = InternalCall::new(resource.inquire);
    let known = call.row();
    for column in resource.columns {
        if known.is_some_and(|row| row.option_by_id(column.option).is_some()) {
            call = match column.kind {
                ColumnKind::Text(chars) => call.out_bytes(column.option, chars),
                ColumnKind::Value => call.out(column.option),
                ColumnKind::Hex(bytes) => call.out_bytes(column.option, bytes),
                ColumnKind::Number(_) => {
                    call.push(column.option, Form::Binary, vec![0; 8]);
                    call
                }
            };
        }
    }
    call
}

pub(super) fn cells(resource: &View, call: &InternalCall) -> Vec<String> {
    let cell = |column: &Column| match column.kind {
        ColumnKind::Text(_) => call.got_text(column.option),
        ColumnKind::Number(_) => call.got_number(column.option).to_string(),
        ColumnKind::Value => shown(value_name(column, call)),
        ColumnKind::Hex(_) => hex(call, column.option),
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
    // So many letters that a value and its opposite differ.
    let long = ["NOT", "SHUT", "CMDSEC", "RESSEC", "AUTO"];
    let chars = match long.iter().find(|start| word.starts_with(**start)) {
        Some(start) => start.len().max(3) + if *start == "NOT" { 2 } else { 1 },
        None => 3,
    };
    let lower = word.chars().take(chars).flat_map(char::to_lowercase);
    let mut text: String = lower.collect();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// A resource that the line names: as it is, or that it is not there.
pub(super) fn named(
    session: &mut Session<'_>,
    resource: &View,
    name: &str,
) -> Result<Row, Message> {
    match asked(session, resource, name) {
        Ok(row) => Ok(row),
        Err(call) if is_missing(&call) => Ok(missing(name)),
        Err(call) => Err(condition(&call)),
    }
}

/// The row of what is not there.
pub(super) fn missing(name: &str) -> Row {
    Row {
        key: name.to_owned(),
        cells: Vec::new(),
        note: MISSING.to_owned(),
    }
}

/// The condition says that no such resource is there.
fn is_missing(call: &InternalCall) -> bool {
    matches!(
        call.response().0,
        Resp::PGMIDERR
            | Resp::TRANSIDERR
            | Resp::FILENOTFOUND
            | Resp::NOTFND
            | Resp::QIDERR
            | Resp::TERMIDERR
            | Resp::TASKIDERR
            | Resp::JIDERR
            | Resp::PROFILEIDERR
            | Resp::SYSIDERR
            | Resp::UOWNOTFOUND
            | Resp::UOWLNOTFOUND
            | Resp::TCIDERR
            | Resp::ENDDATA
    )
}

pub(super) fn one(session: &mut Session<'_>, resource: &View, name: &str) -> Result<Row, Message> {
    asked(session, resource, name).map_err(|call| condition(&call))
}

/// INQUIRE of one resource; the call where it answers a condition.
fn asked(session: &mut Session<'_>, resource: &View, name: &str) -> Result<Row, Box<InternalCall>> {
    let call = match resource.list {
        List::One => inquiry(resource).out_bytes(resource.key, resource.key_chars),
        List::Tasks => inquiry(resource).number(resource.key, name.parse().unwrap_or(0)),
        List::Browse => {
            let name = format!("{name:width$}", width = resource.key_chars);
            inquiry(resource).text(resource.key, name)
        }
        List::Hex => inquiry(resource).text(resource.key, key_bytes(resource, name)),
    };
    let call = session.ran(call);
    if !call.is_normal() {
        return Err(Box::new(call));
    }
    let key = match resource.list {
        List::One if has_name(resource) => call.got_text(resource.key),
        List::One => String::new(),
        _ => name.trim_end().to_owned(),
    };
    Ok(Row {
        key,
        cells: cells(resource, &call),
        note: String::new(),
    })
}

/// What there is but one of has a name: a system, the only resource of its kind.
fn has_name(resource: &View) -> bool {
    resource.key == opt::SYSID || transom_commands::option_name(resource.key) == resource.name
}

/// A change of one resource.
pub(super) enum Change {
    /// A word of the kind.
    Word(&'static str),
    /// A number.
    Number(&'static Column, i64),
}

/// What a line of SET asks for.
pub(super) fn changes(line: &Line) -> Result<Vec<Change>, Message> {
    let Some(resource) = line.resource else {
        return Ok(Vec::new());
    };
    let mut changes = Vec::new();
    for (word, value) in &line.words {
        let number = resource.settable(word).filter(|_| !value.is_empty());
        match (number, resource.word(word)) {
            (Some(column), _) => changes.push(Change::Number(column, number_of(value)?)),
            (None, Some(whole)) if value.is_empty() => changes.push(Change::Word(whole)),
            _ => return Err(messages::mt::nothing_to_set(resource.name, word)),
        }
    }
    match changes.is_empty() {
        true => Err(messages::mt::set_what(resource.name)),
        false => Ok(changes),
    }
}

/// A number as typed.
pub(super) fn number_of(text: &str) -> Result<i64, Message> {
    let number = text.trim().parse();
    number.map_err(|_| messages::mt::not_a_number(text))
}

/// Changes one resource; answers NORMAL or the condition.
pub(super) fn set(
    session: &mut Session<'_>,
    resource: &View,
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
        List::Browse => call.text(resource.key, format!("{key:w$}", w = resource.key_chars)),
        List::Hex => call.text(resource.key, key_bytes(resource, key)),
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
        _ if is_missing(&call) => MISSING.into(),
        (resp, resp2) => format!("{resp} {resp2}"),
    }
}

/// DISCARD of one resource; answers NORMAL or the condition.
pub(super) fn discard(session: &mut Session<'_>, resource: &View, key: &str) -> String {
    let Some(command) = resource.discard else {
        return "INVREQ".into();
    };
    let name = format!("{key:w$}", w = resource.key_chars);
    let call = session.ran(InternalCall::new(command).text(resource.key, name));
    match call.response() {
        (Resp::NORMAL, _) => "NORMAL".into(),
        (Resp::NOTAUTH, _) => "NOT AUTHORIZED".into(),
        _ if is_missing(&call) => MISSING.into(),
        (resp, resp2) => format!("{resp} {resp2}"),
    }
}

/// Bytes of an option in hexadecimal.
pub(super) fn hex(call: &InternalCall, option: OptionId) -> String {
    let bytes = Call::bytes(call, option).unwrap_or_default();
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The name that is shown by its first digits.
pub(super) fn key_bytes(resource: &View, digits: &str) -> Vec<u8> {
    let mut bytes = from_hex(digits);
    bytes.resize(resource.key_chars, 0);
    bytes
}

/// The bytes such digits mean; what is no digit counts as 0.
fn from_hex(digits: &str) -> Vec<u8> {
    let digit = |c: u8| char::from(c).to_digit(16).unwrap_or(0) as u8;
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| pair.iter().fold(0, |value, c| (value << 4) | digit(*c)))
        .collect()
}

pub(super) fn printable(text: &str) -> String {
    let shown = |c: char| {
        if c < ' ' || ('\u{7f}'..'\u{a0}').contains(&c) {
            '.'
        } else {
            c
        }
    };
    text.chars().map(shown).collect()
}

/// A word is a keyword of the SET command, or a value of one of its options.
fn with_word(call: InternalCall, resource: &View, word: &'static str) -> InternalCall {
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
