//! Writing a map file: maps and fields to bytes.
//!
//! Not here: header and checksum.

use super::form::{NEXT, SAME};
use crate::model::{Initial, PrintLine, Spot, Vertical};
use crate::physical::{PhysicalField, PhysicalMap};

pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn u16(&mut self, n: usize) {
        self.0
            .extend(u16::try_from(n).unwrap_or(u16::MAX).to_be_bytes());
    }

    fn u32(&mut self, n: u32) {
        self.0.extend(n.to_be_bytes());
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        self.u16(text.len());
        self.0.extend_from_slice(text);
    }

    fn bits<const N: usize>(&mut self, bits: [bool; N]) {
        let byte = bits.iter().rev().fold(0, |all, b| all << 1 | u8::from(*b));
        self.0.push(byte);
    }

    fn spot(&mut self, spot: Spot) {
        self.u16(match spot {
            Spot::At(n) => usize::from(n),
            Spot::Next => NEXT.into(),
            Spot::Same => SAME.into(),
        });
    }

    pub(super) fn map(&mut self, map: &PhysicalMap) {
        self.text(map.name.as_bytes());
        self.u16(map.rows.into());
        self.u16(map.columns.into());
        self.spot(map.line);
        self.spot(map.column);
        self.bits([
            map.right,
            map.header,
            map.trailer,
            map.input,
            map.output,
            map.cursor_location,
            matches!(map.vertical, Vertical::First | Vertical::Bottom),
            matches!(map.vertical, Vertical::Last | Vertical::Bottom),
        ]);
        let controls = &map.controls;
        self.bits([
            controls.print,
            controls.free_keyboard,
            controls.alarm,
            controls.reset_modified,
            matches!(controls.line, PrintLine::L40 | PrintLine::L80),
            matches!(controls.line, PrintLine::L64 | PrintLine::L80),
        ]);
        self.0.push(map.map_attributes.bits());
        self.0.push(map.symbolic_attributes.bits());
        self.u32(map.prefix);
        self.u32(map.area_bytes);
        self.u16(map.fields.len());
        for field in &map.fields {
            self.field(field);
        }
    }

    fn field(&mut self, field: &PhysicalField) {
        let (kind, contents): (u8, &[u8]) = match &field.initial {
            Initial::None => (0, &[]),
            Initial::Text(t) => (1, t),
            Initial::Device(d) => (2, d),
        };
        self.text(field.name.as_bytes());
        self.u16(field.position.into());
        self.u16(field.length.into());
        self.bits([
            field.leads,
            field.cursor,
            field.right,
            field.zero,
            field.keep_case,
            field.area.is_some(),
        ]);
        self.0.push(field.attribute);
        self.0.extend(field.extras.to_wire());
        self.0.push(kind);
        self.text(contents);
        if let Some(area) = field.area {
            self.u32(area.adjunct.unwrap_or(u32::MAX));
            self.u32(area.data);
        }
    }
}
