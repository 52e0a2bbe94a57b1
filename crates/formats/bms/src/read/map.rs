//! Operands of DFHMDI.

use super::common::{Common, report, unsupported};
use crate::model::{Map, Spot, Vertical};
use crate::problem::Problems;
use crate::scan::{Operand, Statement};
use crate::value::{number, pair, word, words, yes_no};
use crate::{MAX_COLUMNS, MAX_ROWS};
use transom_messages as messages;

pub(super) fn read(s: &Statement, defaults: &Common, problems: &mut Problems) -> (Map, Common) {
    let mut common = defaults.clone();
    let mut map = Map {
        name: s.name.clone(),
        mode: common.mode,
        rows: 24,
        columns: 80,
        line: Spot::At(1),
        column: Spot::At(1),
        right: false,
        vertical: Vertical::None,
        header: false,
        trailer: false,
        controls: common.controls,
        cursor_location: common.cursor_location,
        prefix: common.prefix,
        map_attributes: common.map_attributes,
        symbolic_attributes: common.symbolic_attributes,
        fields: Vec::new(),
    };
    for operand in &s.operands {
        let outcome = match operand.key.as_str() {
            "SIZE" => Some(
                pair(operand, (MAX_ROWS, MAX_COLUMNS)).map(|(rows, columns)| {
                    map.rows = rows;
                    map.columns = columns;
                }),
            ),
            "LINE" => Some(spot(operand, MAX_ROWS).map(|l| map.line = l)),
            "COLUMN" => Some(spot(operand, MAX_COLUMNS).map(|c| map.column = c)),
            "JUSTIFY" => Some(justify(operand, &mut map)),
            "HEADER" => Some(yes_no(operand).map(|y| map.header = y)),
            "TRAILER" => Some(yes_no(operand).map(|y| map.trailer = y)),
            "DATA" if operand.value.eq_ignore_ascii_case("FIELD") => Some(Ok(())),
            "TERM" | "FIELDS" => Some(Ok(())),
            "DATA" | "PARTN" | "OBFMT" | "FLDSEP" => {
                unsupported(operand, problems);
                continue;
            }
            _ => common.take(operand),
        };
        report(s, operand, outcome, problems);
    }
    common.settle();
    map.mode = common.mode;
    map.prefix = common.prefix;
    map.controls = common.controls;
    map.cursor_location = common.cursor_location;
    map.map_attributes = common.map_attributes;
    map.symbolic_attributes = common.symbolic_attributes;
    if u32::from(map.rows) * u32::from(map.columns) > u32::from(crate::MAX_CELLS) {
        problems.add(s.at, messages::bm::size_too_large(crate::MAX_CELLS));
    }
    (map, common)
}

fn spot(operand: &Operand, most: u16) -> Result<Spot, String> {
    match word(operand)?.as_str() {
        "NEXT" => Ok(Spot::Next),
        "SAME" => Ok(Spot::Same),
        digits => number(digits, 1, most)
            .map(Spot::At)
            .map_err(|e| format!("{e}, or NEXT or SAME")),
    }
}

fn justify(operand: &Operand, map: &mut Map) -> Result<(), String> {
    for w in words(operand) {
        match w.as_str() {
            "LEFT" => map.right = false,
            "RIGHT" => map.right = true,
            "FIRST" => map.vertical = Vertical::First,
            "LAST" => map.vertical = Vertical::Last,
            "BOTTOM" => map.vertical = Vertical::Bottom,
            _ => return Err("LEFT, RIGHT, FIRST, LAST or BOTTOM is expected".to_owned()),
        }
    }
    Ok(())
}
