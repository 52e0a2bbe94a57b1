//! Where each field lies in program storage, and the COBOL text that says the same.
//!
//! Why together: programs are compiled with [`copybook`] and served with [`area`]; both walk the
//! fields in one order with one rule per field. Not here: reading or writing the storage.

use crate::attribute::{Extra, ExtraSet};
use crate::model::{Field, Language, Map, Mapset, Mode};

/// Bytes in front of a symbolic map with TIOAPFX=YES.
pub const PREFIX_BYTES: u32 = 12;
/// Length halfword and attribute byte in front of a field's data.
pub(crate) const ADJUNCT_BYTES: u32 = 3;
/// Last column of COBOL text.
const COBOL_COLUMNS: usize = 72;

/// Place of one occurrence of a field in the symbolic map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldArea {
    /// Offset of length halfword, attribute or flag byte and extended attributes; `None` for fields
    /// of a group behind its first.
    pub adjunct: Option<u32>,
    /// Offset of the data.
    pub data: u32,
}

/// Places of all named fields, and the size of the whole symbolic map.
///
/// One entry per field of the map: empty for constants, one per occurrence otherwise.
pub(crate) fn area(map: &Map) -> (Vec<Vec<FieldArea>>, u32) {
    let mut at = if map.prefix { PREFIX_BYTES } else { 0 };
    let extra = u32::from(map.symbolic_attributes.len());
    let mut all = Vec::with_capacity(map.fields.len());
    for field in &map.fields {
        let mut areas = Vec::new();
        if field.name.is_some() {
            for _ in 0..field.occurs.unwrap_or(1) {
                let leads = has_adjunct(field);
                let data = at + if leads { ADJUNCT_BYTES + extra } else { 0 };
                areas.push(FieldArea {
                    adjunct: leads.then_some(at),
                    data,
                });
                at = data + u32::from(field.length);
            }
        }
        all.push(areas);
    }
    (all, at)
}

/// Only the first field of a group has length and attributes.
pub(crate) fn has_adjunct(field: &Field) -> bool {
    field.group.as_ref().is_none_or(|(_, first)| *first)
}

/// The symbolic copybook of a mapset, fixed form; `None` when LANG is not COBOL.
pub fn copybook(mapset: &Mapset) -> Option<String> {
    if mapset.language != Language::Cobol {
        return None;
    }
    let mut text = Text {
        out: String::new(),
        tables: 0,
    };
    for (index, map) in mapset.maps.iter().enumerate() {
        let overlaid = match (&mapset.base, mapset.maps.first()) {
            (Some(base), _) => Some(base.clone()),
            (None, Some(first)) if index > 0 && !mapset.storage_auto => Some(record_name(first)),
            _ => None,
        };
        text.map(map, overlaid.as_deref());
    }
    Some(text.out)
}

/// Name of the first record of a map.
fn record_name(map: &Map) -> String {
    let suffix = if map.mode.is_input() { 'I' } else { 'O' };
    format!("{}{suffix}", map.name)
}

struct Text {
    out: String,
    /// OCCURS tables of output so far, over the whole mapset.
    tables: u32,
}

impl Text {
    fn map(&mut self, map: &Map, overlaid: Option<&str>) {
        let mut overlaid = overlaid.map(str::to_owned);
        if map.mode.is_input() {
            self.record(map, 'I', overlaid.as_deref());
            for field in map.fields.iter().filter(|f| f.name.is_some()) {
                self.input(field, map.symbolic_attributes);
            }
            overlaid = Some(record_name(map));
        }
        if map.mode.is_output() {
            self.record(map, 'O', overlaid.as_deref());
            for field in map.fields.iter().filter(|f| f.name.is_some()) {
                self.output(field, map);
            }
        }
    }

    fn record(&mut self, map: &Map, suffix: char, overlaid: Option<&str>) {
        let redefines = overlaid.map_or(String::new(), |o| format!(" REDEFINES {o}"));
        self.line(7, &format!("01  {}{suffix}{redefines}.", map.name));
        if map.prefix {
            self.line(11, "02  FILLER PIC X(12).");
        } else if map.fields.iter().all(|f| f.name.is_none()) {
            // COBOL has no empty record.
            self.line(11, "02  FILLER PIC X.");
        }
    }

    fn input(&mut self, field: &Field, extras: ExtraSet) {
        let name = field.name.as_deref().unwrap_or_default();
        let level = self.open(field, |times| format!("{name}D OCCURS {times} TIMES."));
        if has_adjunct(field) {
            level.line(self, &format!("{name}L    COMP  PIC  S9(4)."));
            level.line(self, &format!("{name}F    PICTURE X."));
            // A table names its attribute in the output record.
            if field.occurs.is_none() {
                level.line(self, &format!("FILLER REDEFINES {name}F."));
                let (column, deeper) = level.deeper();
                self.line(column, &format!("{deeper:02} {name}A    PICTURE X."));
            }
            if !extras.is_empty() {
                level.line(self, &format!("FILLER   PICTURE X({}).", extras.len()));
            }
        }
        self.data(level, field, 'I', field.picture_in.as_deref());
    }

    fn output(&mut self, field: &Field, map: &Map) {
        let name = field.name.as_deref().unwrap_or_default();
        self.tables += u32::from(field.occurs.is_some());
        let table = self.tables;
        let level = self.open(field, |times| format!("DFHMS{table} OCCURS {times} TIMES."));
        if has_adjunct(field) {
            if map.mode == Mode::Out || field.occurs.is_some() {
                level.line(self, "FILLER PICTURE X(2).");
                level.line(self, &format!("{name}A    PICTURE X."));
            } else {
                level.line(self, "FILLER PICTURE X(3).");
            }
            for kind in Extra::ALL {
                if map.symbolic_attributes.has(kind) {
                    level.line(self, &format!("{name}{}    PICTURE X.", kind.suffix()));
                }
            }
        }
        self.data(level, field, 'O', field.picture_out.as_deref());
    }

    /// Opens a table or group where one begins; returns the level of the field's items.
    fn open(&mut self, field: &Field, table: impl Fn(u16) -> String) -> Level {
        match (&field.group, field.occurs) {
            (Some((group, first)), _) => {
                if *first {
                    Level::OUTER.line(self, &format!("{group}."));
                }
                Level::INNER
            }
            (None, Some(times)) => {
                Level::OUTER.line(self, &table(times));
                Level::INNER
            }
            (None, None) => Level::OUTER,
        }
    }

    fn data(&mut self, level: Level, field: &Field, suffix: char, picture: Option<&str>) {
        let name = field.name.as_deref().unwrap_or_default();
        match picture {
            Some(p) => level.line(self, &format!("{name}{suffix}  PIC {p}.")),
            // COBOL has no item of length 0; such a field cannot be named usefully anyway.
            None if field.length == 0 => {}
            None => level.line(self, &format!("{name}{suffix}  PIC X({}).", field.length)),
        }
    }

    /// A line at a column; an item that is too long goes on in the next line.
    fn line(&mut self, column: usize, text: &str) {
        let breaks = text
            .rfind("PIC")
            .filter(|_| column + text.len() > COBOL_COLUMNS);
        let (first, second) = text.split_at(breaks.unwrap_or(text.len()));
        self.push(column, first.trim_end());
        if !second.is_empty() {
            self.push(column + 4, second);
        }
    }

    fn push(&mut self, column: usize, text: &str) {
        self.out.extend(std::iter::repeat_n(' ', column));
        self.out.push_str(text);
        self.out.push('\n');
    }
}

/// Level number of the items of a field.
#[derive(Clone, Copy)]
struct Level(u8);

impl Level {
    const OUTER: Self = Self(2);
    const INNER: Self = Self(3);

    fn line(self, text: &mut Text, item: &str) {
        let column = if self.0 == 2 { 11 } else { 13 };
        text.line(column, &format!("{:02}  {item}", self.0));
    }

    fn deeper(self) -> (usize, u8) {
        (if self.0 == 2 { 13 } else { 15 }, self.0 + 1)
    }
}
