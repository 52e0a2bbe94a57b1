//! Reading a map file: bytes to maps and fields, each value checked against what a map can be.
//!
//! Not here: header and checksum.

use super::form::{NEXT, Result, SAME, error};
use crate::attribute::{ExtraSet, Extras};
use crate::model::{Controls, Initial, PrintLine, Spot, Vertical};
use crate::physical::{PhysicalField, PhysicalMap};
use crate::symbolic::{ADJUNCT_BYTES, FieldArea, PREFIX_BYTES};
use crate::{MAX_CELLS, MAX_COLUMNS, MAX_FIELD_LENGTH, MAX_FIELDS, MAX_ROWS};

pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.0.split_at_checked(count) {
            Some((taken, rest)) => {
                self.0 = rest;
                Ok(taken)
            }
            None => error("it is cut short"),
        }
    }

    pub(super) fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?.first().copied().unwrap_or(0))
    }

    pub(super) fn u16(&mut self) -> Result<u16> {
        let mut bytes = [0; 2];
        bytes.copy_from_slice(self.take(2)?);
        Ok(u16::from_be_bytes(bytes))
    }

    fn u32(&mut self) -> Result<u32> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4)?);
        Ok(u32::from_be_bytes(bytes))
    }

    fn text(&mut self, most: usize) -> Result<&'a [u8]> {
        let length = usize::from(self.u16()?);
        if length > most {
            return error("a text is too long");
        }
        self.take(length)
    }

    pub(super) fn name(&mut self, most: usize) -> Result<String> {
        let text = self.text(most)?;
        if !text.iter().all(u8::is_ascii_graphic) {
            return error("a name is no name");
        }
        Ok(text.iter().map(|b| char::from(*b)).collect())
    }

    fn bits<const N: usize>(&mut self) -> Result<[bool; N]> {
        let byte = self.u8()?;
        if N < 8 && byte >> N != 0 {
            return error("a switch is unknown");
        }
        Ok(std::array::from_fn(|n| byte >> n & 1 == 1))
    }

    fn within(&mut self, from: u16, to: u16) -> Result<u16> {
        match self.u16()? {
            n if (from..=to).contains(&n) => Ok(n),
            _ => error("a number is out of range"),
        }
    }

    fn spot(&mut self, most: u16) -> Result<Spot> {
        match self.u16()? {
            NEXT => Ok(Spot::Next),
            SAME => Ok(Spot::Same),
            n if (1..=most).contains(&n) => Ok(Spot::At(n)),
            _ => error("a number is out of range"),
        }
    }

    fn extras(&mut self) -> Result<ExtraSet> {
        ExtraSet::from_bits(self.u8()?).map_or_else(|| error("an attribute is unknown"), Ok)
    }

    pub(super) fn map(&mut self) -> Result<PhysicalMap> {
        let name = self.name(7)?;
        let rows = self.within(1, MAX_ROWS)?;
        let columns = self.within(1, MAX_COLUMNS)?;
        let line = self.spot(MAX_ROWS)?;
        let column = self.spot(MAX_COLUMNS)?;
        let [
            right,
            header,
            trailer,
            input,
            output,
            cursor_location,
            first,
            last,
        ] = self.bits()?;
        let mut map = PhysicalMap {
            name,
            rows,
            columns,
            line,
            column,
            right,
            vertical: match (first, last) {
                (false, false) => Vertical::None,
                (true, false) => Vertical::First,
                (false, true) => Vertical::Last,
                (true, true) => Vertical::Bottom,
            },
            header,
            trailer,
            input,
            output,
            cursor_location,
            controls: self.controls()?,
            map_attributes: self.extras()?,
            symbolic_attributes: self.extras()?,
            prefix: self.u32()?,
            area_bytes: self.u32()?,
            fields: Vec::new(),
        };
        let most = MAX_FIELDS as u32 * (u32::from(MAX_FIELD_LENGTH) + 16);
        if map.prefix > PREFIX_BYTES || map.area_bytes > most + PREFIX_BYTES {
            return error("its symbolic map is too large");
        }
        let count = usize::from(self.u16()?);
        if count > MAX_FIELDS {
            return error("it has too many fields");
        }
        for _ in 0..count {
            let field = self.field(&map)?;
            map.fields.push(field);
        }
        Ok(map)
    }

    fn controls(&mut self) -> Result<Controls> {
        let [print, free_keyboard, alarm, reset_modified, low, high] = self.bits()?;
        Ok(Controls {
            print,
            free_keyboard,
            alarm,
            reset_modified,
            line: match (low, high) {
                (false, false) => PrintLine::Honeom,
                (true, false) => PrintLine::L40,
                (false, true) => PrintLine::L64,
                (true, true) => PrintLine::L80,
            },
        })
    }

    fn field(&mut self, map: &PhysicalMap) -> Result<PhysicalField> {
        let name = self.name(30)?;
        let position = self.within(0, MAX_CELLS)?;
        let length = self.within(0, MAX_FIELD_LENGTH)?;
        let [leads, cursor, right, zero, keep_case, named] = self.bits()?;
        let attribute = self.u8()?;
        let mut values = [0; 7];
        values.copy_from_slice(self.take(7)?);
        let kind = self.u8()?;
        let contents = self.text(usize::from(length))?.to_vec();
        let area = if named {
            Some(self.area(map, length)?)
        } else {
            None
        };
        Ok(PhysicalField {
            name,
            position,
            length,
            leads,
            attribute: if attribute < 64 {
                attribute
            } else {
                return error("an attribute is unknown");
            },
            cursor,
            extras: Extras::from_wire(values),
            initial: match kind {
                0 => Initial::None,
                1 => Initial::Text(contents),
                2 => Initial::Device(contents),
                _ => return error("a kind of contents is unknown"),
            },
            right,
            zero,
            keep_case,
            area,
        })
    }

    fn area(&mut self, map: &PhysicalMap, length: u16) -> Result<FieldArea> {
        let adjunct = Some(self.u32()?).filter(|a| *a != u32::MAX);
        let data = self.u32()?;
        let extra = ADJUNCT_BYTES + u32::from(map.symbolic_attributes.len());
        let inside = |at: u32, bytes: u32| {
            at >= map.prefix
                && at
                    .checked_add(bytes)
                    .is_some_and(|end| end <= map.area_bytes)
        };
        if !inside(data, length.into()) || adjunct.is_some_and(|a| !inside(a, extra)) {
            return error("a field lies outside its symbolic map");
        }
        Ok(FieldArea { adjunct, data })
    }
}
