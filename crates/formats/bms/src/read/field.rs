//! Operands of DFHMDF.

use super::common::{Common, report, take_extra, unsupported};
use crate::attribute::{BRIGHT, DARK, DETECTABLE, MODIFIED, NUMERIC, PROTECTED};
use crate::model::{Field, Initial, Map, picture_length};
use crate::problem::Problems;
use crate::scan::{Operand, Statement};
use crate::value::{hexadecimal, latin1, number, pair, quoted, word, words};
use transom_messages as messages;

/// What operands say before they are put together.
#[derive(Default)]
struct Raw {
    position: Option<u16>,
    length: Option<u16>,
    attribute: Option<Basic>,
    justify: Option<(bool, bool)>,
    group: Option<String>,
}

#[derive(Default, Clone, Copy)]
struct Basic {
    bits: u8,
    numeric: bool,
    cursor: bool,
}

/// Protected and skipped, normal intensity: a field without ATTRB.
const ASKIP: u8 = PROTECTED | NUMERIC;

pub(super) fn read(
    s: &Statement,
    map: &Map,
    common: &Common,
    problems: &mut Problems,
) -> Option<Field> {
    let mut raw = Raw::default();
    let mut field = Field {
        name: (!s.name.is_empty()).then(|| s.name.clone()),
        position: 0,
        length: 0,
        attribute: ASKIP,
        cursor: false,
        extras: common.extras,
        initial: Initial::None,
        picture_in: None,
        picture_out: None,
        occurs: None,
        group: None,
        right: false,
        zero: false,
        keep_case: false,
    };
    let errors = problems.errors();
    for operand in &s.operands {
        if operand.key == "FLDSEP" {
            unsupported(operand, problems);
            continue;
        }
        let outcome = take(operand, map, &mut field, &mut raw, s, problems);
        report(s, operand, outcome, problems);
    }
    settle(s, map, &mut field, raw, problems);
    (errors == problems.errors()).then_some(field)
}

fn take(
    operand: &Operand,
    map: &Map,
    field: &mut Field,
    raw: &mut Raw,
    s: &Statement,
    problems: &mut Problems,
) -> Option<Result<(), String>> {
    Some(match operand.key.as_str() {
        "POS" => position(operand, map).map(|p| raw.position = Some(p)),
        "LENGTH" => word(operand)
            .and_then(|w| number(&w, 0, crate::MAX_FIELD_LENGTH))
            .map(|n| raw.length = Some(n)),
        "ATTRB" => {
            raw.attribute = Some(basic(operand, s, problems));
            Ok(())
        }
        "INITIAL" => latin1(operand).map(|t| field.initial = Initial::Text(t)),
        "XINIT" => hexadecimal(operand).map(|b| field.initial = Initial::Device(b)),
        "GINIT" => latin1(operand).map(|t| field.initial = Initial::Text(t)),
        "JUSTIFY" => justify(operand).map(|j| raw.justify = Some(j)),
        "PICIN" => quoted(operand).map(|p| field.picture_in = Some(p)),
        "PICOUT" => quoted(operand).map(|p| field.picture_out = Some(p)),
        "OCCURS" => word(operand)
            .and_then(|w| number(&w, 1, crate::MAX_FIELDS as u16))
            .map(|n| field.occurs = Some(n)),
        "GRPNAME" => word(operand).map(|w| raw.group = Some(w)),
        "CASE" => match word(operand) {
            Ok(w) if w == "MIXED" => {
                field.keep_case = true;
                Ok(())
            }
            _ => Err("MIXED is expected".to_owned()),
        },
        _ => return take_extra(&mut field.extras, operand),
    })
}

/// Puts together what depends on more than one operand.
fn settle(s: &Statement, map: &Map, field: &mut Field, raw: Raw, problems: &mut Problems) {
    let basic = raw.attribute;
    let given = basic.unwrap_or(Basic {
        bits: ASKIP,
        ..Basic::default()
    });
    field.attribute = given.bits;
    field.cursor = given.cursor;
    (field.right, field.zero) = raw.justify.unwrap_or((given.numeric, given.numeric));
    join_group(s, map, field, raw.group, basic.is_some(), problems);

    let pictures = [&field.picture_in, &field.picture_out];
    let by_picture = pictures
        .into_iter()
        .flatten()
        .find_map(|p| picture_length(p));
    // A field that only ends the one before it is often written without LENGTH.
    let stopper = field.name.is_none() && field.initial == Initial::None;
    match raw.length.or(by_picture).or(stopper.then_some(0)) {
        Some(length) => field.length = length,
        None => problems.add(s.at, messages::bm::length_missing()),
    }
    check_pictures(s, field, problems);
    match raw.position.or_else(|| follow(map)) {
        Some(position) => field.position = position,
        None => problems.add(s.at, messages::bm::position_missing()),
    }
    check_place(s, map, field, problems);
    fill_initial(s, field, problems);
}

/// A single field may run over the end: its data goes on at the beginning of the screen.
fn check_place(s: &Statement, map: &Map, field: &Field, problems: &mut Problems) {
    let cells = u32::from(map.rows) * u32::from(map.columns);
    let count = u32::from(field.occurs.unwrap_or(1));
    let end = u32::from(field.position) + count * (u32::from(field.length) + 1);
    let (rows, columns) = (map.rows, map.columns);
    if count > 1 && end > cells {
        problems.add(
            s.at,
            messages::bm::occurrences_end_behind_map(rows, columns),
        );
    } else if end > cells && u32::from(field.position) + 1 < cells {
        problems.add(s.at, messages::bm::field_ends_behind_map(rows, columns));
    }
}

/// Without POS a field follows the one before it.
fn follow(map: &Map) -> Option<u16> {
    match map.fields.last() {
        None => Some(0),
        Some(f) => {
            let count = f.occurs.unwrap_or(1);
            f.position
                .checked_add(count.checked_mul(f.length.checked_add(1)?)?)
        }
    }
}

fn join_group(
    s: &Statement,
    map: &Map,
    field: &mut Field,
    group: Option<String>,
    has_attribute: bool,
    problems: &mut Problems,
) {
    let Some(group) = group else { return };
    let before = map.fields.last().and_then(|f| f.group.as_ref());
    let first = before.is_none_or(|(name, _)| *name != group);
    if field.occurs.is_some() {
        problems.add(s.at, messages::bm::group_and_occurs());
    } else if field.name.is_none() {
        problems.add(s.at, messages::bm::group_without_name());
    } else if !first && has_attribute {
        problems.add(s.at, messages::bm::group_attributes(&group));
    }
    field.group = Some((group, first));
}

fn check_pictures(s: &Statement, field: &Field, problems: &mut Problems) {
    for picture in [&field.picture_in, &field.picture_out]
        .into_iter()
        .flatten()
    {
        match picture_length(picture) {
            Some(length) if length != field.length => {
                problems.add(
                    s.at,
                    messages::bm::picture_length(picture, length, field.length),
                );
            }
            Some(_) => {}
            None => {
                problems.add(s.at, messages::bm::not_a_picture(picture));
            }
        }
    }
}

/// Contents are cut or filled with blanks to the field's length.
fn fill_initial(s: &Statement, field: &mut Field, problems: &mut Problems) {
    let length = usize::from(field.length);
    let (bytes, blank) = match &mut field.initial {
        Initial::None => return,
        Initial::Text(t) => (t, b' '),
        Initial::Device(d) => (d, 0x40),
    };
    let cut = bytes.len() > length;
    bytes.resize(length, blank);
    if length == 0 {
        field.initial = Initial::None;
    }
    if cut {
        problems.add(s.at, messages::bm::initial_cut(length));
    }
}

fn position(operand: &Operand, map: &Map) -> Result<u16, String> {
    if operand.value.starts_with('(') {
        let (line, column) = pair(operand, (map.rows, map.columns))?;
        return Ok((line - 1) * map.columns + column - 1);
    }
    let last = map.rows.saturating_mul(map.columns).saturating_sub(1);
    number(&word(operand)?, 0, last)
}

/// Unknown words are left out with a warning: sources in the field have them.
fn basic(operand: &Operand, s: &Statement, problems: &mut Problems) -> Basic {
    let mut found = Basic::default();
    let mut normal = true;
    let mut detectable = false;
    for w in words(operand) {
        match w.as_str() {
            "ASKIP" => found.bits |= ASKIP,
            "PROT" => found.bits |= PROTECTED,
            "UNPROT" | "NORM" => {}
            "NUM" => {
                found.bits |= NUMERIC;
                found.numeric = true;
            }
            "BRT" => {
                found.bits |= BRIGHT;
                normal = false;
            }
            "DRK" => {
                found.bits |= DARK;
                normal = false;
            }
            "DET" => detectable = true,
            "IC" => found.cursor = true,
            "FSET" => found.bits |= MODIFIED,
            other => {
                problems.add(
                    operand.at,
                    messages::bm::not_an_attribute(&s.operation, other),
                );
            }
        }
    }
    if detectable && normal {
        found.bits |= DETECTABLE;
    }
    found
}

/// (right, zero). One half given implies the other: LEFT with BLANK, RIGHT with ZERO.
fn justify(operand: &Operand) -> Result<(bool, bool), String> {
    let mut right = None;
    let mut zero = None;
    for w in words(operand) {
        match w.as_str() {
            "LEFT" => right = Some(false),
            "RIGHT" => right = Some(true),
            "BLANK" => zero = Some(false),
            "ZERO" => zero = Some(true),
            _ => return Err("LEFT, RIGHT, BLANK or ZERO is expected".to_owned()),
        }
    }
    Ok(match (right, zero) {
        (Some(right), Some(zero)) => (right, zero),
        (Some(half), None) | (None, Some(half)) => (half, half),
        (None, None) => (false, false),
    })
}
