//! SEND MAP: physical map and program storage to one write.
//!
//! The rules, field by field: an attribute of X'00' in program storage stands for the map's; data
//! that begins with X'00' stands for the map's contents; constants come from the map only; with
//! MAPONLY there is no program, with DATAONLY no map. Not here: where several maps go on a page
//! (`page`), which screen size is taken.

use crate::attribute::{Extra, attribute_from_program};
use crate::model::{Controls, Initial, Spot, Vertical};
use crate::physical::{PhysicalField, PhysicalMap};
use crate::screen::{Content, Cursor, Device, Erase, Order, ScreenWrite, SendOptions};
use std::fmt;
use transom_datastream::Attribute;

/// Length halfword that asks for the cursor.
const CURSOR_HERE: [u8; 2] = [0xff, 0xff];

/// The map does not fit on the screen (INVMPSZ).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeError {
    /// Lines and columns needed, the map's own place included.
    pub needed: (u32, u32),
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = self.needed;
        write!(f, "the map needs a screen of {rows} by {columns}")
    }
}

impl std::error::Error for SizeError {}

/// SEND MAP without ACCUM. `data` is the symbolic map in program storage, prefix included; bytes
/// missing at its end count as nulls.
pub fn merge(
    map: &PhysicalMap,
    data: Option<&[u8]>,
    options: &SendOptions,
    device: &Device,
) -> Result<ScreenWrite, SizeError> {
    let origin = origin(map, device)?;
    Ok(merge_at(map, data, options, device, origin))
}

/// Upper left corner of a map that stands alone, both from 0.
pub(crate) fn origin(map: &PhysicalMap, device: &Device) -> Result<(u16, u16), SizeError> {
    let number = |spot| match spot {
        Spot::At(n) => n.max(1) - 1,
        Spot::Next | Spot::Same => 0,
    };
    let row = match map.vertical {
        Vertical::Bottom => device.rows().saturating_sub(map.rows),
        Vertical::None | Vertical::First | Vertical::Last => number(map.line),
    };
    let margin = number(map.column);
    let needed = (
        u32::from(row) + u32::from(map.rows),
        u32::from(margin) + u32::from(map.columns),
    );
    if needed.0 > u32::from(device.rows()) || needed.1 > u32::from(device.columns()) {
        return Err(SizeError { needed });
    }
    let column = if map.right {
        device.columns() - margin - map.columns
    } else {
        margin
    };
    Ok((row, column))
}

/// Merges at a given corner.
pub(crate) fn merge_at(
    map: &PhysicalMap,
    data: Option<&[u8]>,
    options: &SendOptions,
    device: &Device,
    origin: (u16, u16),
) -> ScreenWrite {
    let mut writer = Writer {
        map,
        data: match options.content {
            Content::MapOnly => &[],
            Content::Merged | Content::DataOnly => data.unwrap_or_default(),
        },
        options,
        device,
        origin,
        orders: Vec::new(),
        at: None,
    };
    for field in &map.fields {
        if options.content == Content::DataOnly {
            writer.data_only(field);
        } else {
            writer.whole(field);
        }
    }
    let controls = if options.controls == Default::default() {
        map.controls
    } else {
        options.controls
    };
    ScreenWrite {
        erase: options.erase,
        controls,
        cursor: writer.cursor(),
        orders: writer.orders,
    }
}

struct Writer<'a> {
    map: &'a PhysicalMap,
    data: &'a [u8],
    options: &'a SendOptions,
    device: &'a Device,
    origin: (u16, u16),
    orders: Vec<Order>,
    /// Where the device stands; unknown at the beginning.
    at: Option<u16>,
}

impl Writer<'_> {
    /// Position of a field's attribute byte on the screen.
    fn position(&self, field: &PhysicalField) -> u16 {
        position(self.map, field, self.device, self.origin)
    }

    fn byte(&self, offset: u32) -> u8 {
        self.data.get(offset as usize).copied().unwrap_or(0)
    }

    /// Attribute bits the program gives.
    fn attribute(&self, field: &PhysicalField) -> Option<u8> {
        let adjunct = field.area?.adjunct?;
        attribute_from_program(self.byte(adjunct + 2))
    }

    /// Value of an extended attribute the program gives.
    fn extra(&self, field: &PhysicalField, kind: Extra) -> Option<u8> {
        let adjunct = field.area?.adjunct?;
        let symbolic = self.map.symbolic_attributes;
        let index = symbolic.iter().position(|k| k == kind)? as u32;
        kind.from_program(self.byte(adjunct + 3 + index))
    }

    /// Kinds that this map sends to this terminal.
    fn kinds(&self) -> impl Iterator<Item = Extra> + use<> {
        let (map, device) = (self.map.map_attributes, self.device.extras);
        map.iter().filter(move |k| device.has(*k))
    }

    /// Data the program gives, if its first byte is not null.
    fn text(&self, field: &PhysicalField) -> Option<Vec<u8>> {
        let start = field.area?.data as usize;
        let given = self.data.get(start..)?;
        let given = given.get(..usize::from(field.length)).unwrap_or(given);
        given.first().filter(|b| **b != 0)?;
        let mut text = given.to_vec();
        text.resize(usize::from(field.length), 0);
        if self.options.erase.is_whole() {
            // The screen has nulls already.
            let end = text.iter().rposition(|b| *b != 0).map_or(0, |at| at + 1);
            text.truncate(end);
        }
        Some(text)
    }

    /// A field of a whole map: attributes always, contents from program or map.
    fn whole(&mut self, field: &PhysicalField) {
        let position = self.position(field);
        if field.leads {
            let bits = self.attribute(field).unwrap_or(field.attribute);
            let extras = self
                .kinds()
                .map(|k| (k, self.extra(field, k).unwrap_or(field.extras.get(k))))
                .filter(|(_, value)| *value != 0)
                .filter_map(|(k, value)| Some(Attribute::new(k.wire_kind()?, value)))
                .collect();
            self.go(position);
            self.orders.push(Order::StartField(bits, extras));
            self.advance(1);
        }
        let contents = match (self.text(field), &field.initial) {
            (Some(text), _) => Order::Text(text),
            (None, Initial::Text(text)) => Order::Text(text.clone()),
            (None, Initial::Device(bytes)) => Order::Device(bytes.clone()),
            (None, Initial::None) => return,
        };
        self.contents(position, contents);
    }

    /// A field of DATAONLY: what the program gives, the screen keeps the rest.
    fn data_only(&mut self, field: &PhysicalField) {
        let position = self.position(field);
        let bits = self.attribute(field);
        let extras: Vec<Attribute> = self
            .kinds()
            .filter_map(|k| Some(Attribute::new(k.wire_kind()?, self.extra(field, k)?)))
            .collect();
        if bits.is_some() || !extras.is_empty() {
            self.go(position);
            // On an erased screen there is no field to modify, and a terminal that knows no
            // extended attributes knows no Modify Field.
            let modify = !self.options.erase.is_whole() && !self.device.extras.is_empty();
            self.orders.push(if modify {
                Order::ModifyField(bits, extras)
            } else {
                Order::StartField(bits.unwrap_or(0), extras)
            });
            self.advance(1);
        }
        if let Some(text) = self.text(field) {
            self.contents(position, Order::Text(text));
        }
    }

    fn contents(&mut self, position: u16, contents: Order) {
        let length = match &contents {
            Order::Text(bytes) | Order::Device(bytes) => bytes.len() as u32,
            _ => 0,
        };
        if length > 0 {
            self.go(self.device.wrap(u32::from(position) + 1));
            self.orders.push(contents);
            self.advance(length);
        }
    }

    fn go(&mut self, position: u16) {
        if self.at != Some(position) {
            self.orders.push(Order::SetAddress(position));
            self.at = Some(position);
        }
    }

    fn advance(&mut self, by: u32) {
        self.at = self.at.map(|at| self.device.wrap(u32::from(at) + by));
    }

    fn cursor(&self) -> Option<u16> {
        let data_position =
            |field: &PhysicalField| self.device.wrap(u32::from(self.position(field)) + 1);
        // Of several fields with IC the last has the cursor.
        let of_map = || {
            self.map
                .fields
                .iter()
                .rfind(|f| f.cursor)
                .map(data_position)
        };
        match self.options.cursor {
            Cursor::At(n) => Some(n).filter(|n| u32::from(*n) < self.device.cells()),
            Cursor::NotGiven => of_map(),
            Cursor::Symbolic => self
                .map
                .fields
                .iter()
                .find(|f| self.wants_cursor(f))
                .map(data_position)
                .or_else(of_map),
        }
    }

    fn wants_cursor(&self, field: &PhysicalField) -> bool {
        let length = field.area.and_then(|a| a.adjunct).map(|a| a as usize);
        length.is_some_and(|at| self.data.get(at..at + 2) == Some(&CURSOR_HERE))
    }
}

/// Position of a field's attribute byte on the screen.
pub(crate) fn position(
    map: &PhysicalMap,
    field: &PhysicalField,
    device: &Device,
    origin: (u16, u16),
) -> u16 {
    let width = map.columns.max(1);
    let row = u32::from(origin.0) + u32::from(field.position / width);
    let column = u32::from(origin.1) + u32::from(field.position % width);
    device.wrap(row * u32::from(device.columns()) + column)
}

/// SEND CONTROL: no map, only controls and cursor. Without a cursor it stays where the device
/// leaves it.
pub fn control(erase: Erase, controls: Controls, cursor: Option<u16>) -> ScreenWrite {
    ScreenWrite {
        erase,
        controls,
        orders: Vec::new(),
        cursor,
    }
}
