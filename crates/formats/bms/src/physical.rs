//! Physical maps: what SEND MAP and RECEIVE MAP need at run time, nothing of the source.
//!
//! Why a model of its own: tables are spread into single fields and every field knows its place in
//! program storage, so run time does no layout. A physical mapset is loaded as a file of its own
//! form (`wire`). Not here: the merge itself.

use crate::attribute::{ExtraSet, Extras};
use crate::model::{Controls, Initial, Map, Mapset, Spot, Vertical};
use crate::symbolic::{self, FieldArea, PREFIX_BYTES, has_adjunct};

/// A mapset ready to be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhysicalMapset {
    /// Up to 8 characters, upper case.
    pub name: String,
    /// Suffix of a version for one kind of terminal.
    pub suffix: Option<char>,
    /// Maps in the order of the source.
    pub maps: Vec<PhysicalMap>,
}

/// A map ready to be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhysicalMap {
    /// Up to 7 characters, upper case.
    pub name: String,
    /// Lines.
    pub rows: u16,
    /// Columns.
    pub columns: u16,
    /// LINE.
    pub line: Spot,
    /// COLUMN.
    pub column: Spot,
    /// Columns count from the right margin.
    pub right: bool,
    /// Vertical JUSTIFY.
    pub vertical: Vertical,
    /// HEADER=YES.
    pub header: bool,
    /// TRAILER=YES.
    pub trailer: bool,
    /// May be received.
    pub input: bool,
    /// May be sent with data.
    pub output: bool,
    /// CURSLOC=YES.
    pub cursor_location: bool,
    /// CTRL.
    pub controls: Controls,
    /// MAPATTS.
    pub map_attributes: ExtraSet,
    /// DSATTS.
    pub symbolic_attributes: ExtraSet,
    /// Bytes in front of the first field in the symbolic map: 0 or 12.
    pub prefix: u32,
    /// Size of the symbolic map in bytes, prefix included.
    pub area_bytes: u32,
    /// Fields in the order of the source, occurrences one by one.
    pub fields: Vec<PhysicalField>,
}

/// One field, or one occurrence of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhysicalField {
    /// Upper case; empty for a constant.
    pub name: String,
    /// Offset of the attribute byte in the map, line by line.
    pub position: u16,
    /// Characters.
    pub length: u16,
    /// Has an attribute byte; fields of a group behind its first have none.
    pub leads: bool,
    /// Basic attribute, six bits.
    pub attribute: u8,
    /// IC.
    pub cursor: bool,
    /// Extended attributes, wire values.
    pub extras: Extras,
    /// Default contents, as long as the field.
    pub initial: Initial,
    /// Input is justified to the right.
    pub right: bool,
    /// Input is filled with zeros.
    pub zero: bool,
    /// Input is not folded to upper case.
    pub keep_case: bool,
    /// Place in the symbolic map; `None` for a constant.
    pub area: Option<FieldArea>,
}

impl PhysicalMapset {
    /// Name under which it is loaded: with the suffix of its terminals, if it has one.
    pub fn load_name(&self) -> String {
        self.name.chars().chain(self.suffix).collect()
    }

    /// Map by name (upper case, without trailing blanks).
    pub fn map(&self, name: &str) -> Option<&PhysicalMap> {
        self.maps.iter().find(|m| m.name == name)
    }

    /// Lines of the longest trailer map, 0 without one: what a page keeps free for it.
    pub fn trailer_rows(&self) -> u16 {
        let trailers = self.maps.iter().filter(|m| m.trailer);
        trailers.map(|m| m.rows).max().unwrap_or(0)
    }
}

impl From<&Mapset> for PhysicalMapset {
    fn from(mapset: &Mapset) -> Self {
        Self {
            name: mapset.name.clone(),
            suffix: mapset.suffix,
            maps: mapset.maps.iter().map(physical_map).collect(),
        }
    }
}

fn physical_map(map: &Map) -> PhysicalMap {
    let (areas, area_bytes) = symbolic::area(map);
    let mut fields = Vec::new();
    for (field, areas) in map.fields.iter().zip(areas) {
        let count = field.occurs.unwrap_or(1);
        for occurrence in 0..count {
            fields.push(PhysicalField {
                name: field.name.clone().unwrap_or_default(),
                position: field
                    .position
                    .saturating_add(occurrence.saturating_mul(field.length + 1)),
                length: field.length,
                leads: has_adjunct(field),
                attribute: field.attribute,
                cursor: field.cursor && occurrence == 0,
                extras: field.extras,
                initial: field.initial.clone(),
                right: field.right,
                zero: field.zero,
                keep_case: field.keep_case,
                area: areas.get(usize::from(occurrence)).copied(),
            });
        }
    }
    PhysicalMap {
        name: map.name.clone(),
        rows: map.rows,
        columns: map.columns,
        line: map.line,
        column: map.column,
        right: map.right,
        vertical: map.vertical,
        header: map.header,
        trailer: map.trailer,
        input: map.mode.is_input(),
        output: map.mode.is_output(),
        cursor_location: map.cursor_location,
        controls: map.controls,
        map_attributes: map.map_attributes,
        symbolic_attributes: map.symbolic_attributes,
        prefix: if map.prefix { PREFIX_BYTES } else { 0 },
        area_bytes,
        fields,
    }
}
