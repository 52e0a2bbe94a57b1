//! The map file: a physical mapset as bytes.
//!
//! Why a form of its own: it is loaded by every worker at its first SEND MAP, so it is read in one
//! pass without any text. Layout: magic, version, checksum, then mapset, maps and fields, integers
//! big-endian, texts with their length in front. What is read is checked as if a stranger had written it.
//! Not here: files.

use crate::attribute::{ExtraSet, Extras};
use crate::model::{Controls, Initial, PrintLine, Spot, Vertical};
use crate::physical::{PhysicalField, PhysicalMap, PhysicalMapset};
use crate::symbolic::{ADJUNCT_BYTES, FieldArea, PREFIX_BYTES};
use crate::{MAX_CELLS, MAX_COLUMNS, MAX_FIELD_LENGTH, MAX_FIELDS, MAX_MAPS, MAX_ROWS};
use std::fmt;

const MAGIC: &[u8; 6] = b"TXMMAP";
/// Version of the form; others are refused.
pub const MAP_FILE_VERSION: u16 = 1;
/// Magic, version, checksum.
const HEADER_BYTES: usize = 16;

/// A map file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapFileError {
    reason: &'static str,
}

impl fmt::Display for MapFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TXMBM0020E no usable map file: {}", self.reason)
    }
}

impl std::error::Error for MapFileError {}

type Result<T> = std::result::Result<T, MapFileError>;

fn error<T>(reason: &'static str) -> Result<T> {
    Err(MapFileError { reason })
}

impl PhysicalMapset {
    /// The mapset as a map file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::new());
        out.text(self.name.as_bytes());
        out.0.push(self.suffix.map_or(0, |c| c as u8));
        out.u16(self.maps.len());
        for map in &self.maps {
            out.map(map);
        }
        let mut file = Vec::with_capacity(HEADER_BYTES + out.0.len());
        file.extend_from_slice(MAGIC);
        file.extend(MAP_FILE_VERSION.to_be_bytes());
        file.extend(checksum(&out.0).to_be_bytes());
        file.extend(out.0);
        file
    }

    /// A mapset from a map file.
    ///
    /// # Errors
    /// The file is of another kind or version, damaged, or says what no map can be.
    pub fn from_bytes(file: &[u8]) -> Result<Self> {
        let mut reader = Reader(file);
        if reader.take(MAGIC.len())? != MAGIC {
            return error("it is no map file");
        }
        if reader.u16()? != MAP_FILE_VERSION {
            return error("it is of another version");
        }
        let mut sum = [0; 8];
        sum.copy_from_slice(reader.take(8)?);
        if u64::from_be_bytes(sum) != checksum(reader.0) {
            return error("it is damaged");
        }
        let name = reader.name(8)?;
        let suffix = match reader.u8()? {
            0 => None,
            c if c.is_ascii_alphanumeric() => Some(char::from(c)),
            _ => return error("its suffix is no character"),
        };
        let count = usize::from(reader.u16()?);
        if count > MAX_MAPS {
            return error("it has too many maps");
        }
        let maps = (0..count).map(|_| reader.map()).collect::<Result<_>>()?;
        if !reader.0.is_empty() {
            return error("it is longer than its maps");
        }
        Ok(Self { name, suffix, maps })
    }
}

/// FNV-1a: finds damage, not malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

struct Writer(Vec<u8>);

impl Writer {
    fn u16(&mut self, n: usize) {
        self.0
            .extend(u16::try_from(n).unwrap_or(u16::MAX).to_be_bytes());
    }

    fn u32(&mut self, n: u32) {
        self.0.extend(n.to_be_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.u16(text.len());
        self.0.extend_from_slice(text);
    }

    fn bits<const N: usize>(&mut self, bits: [bool; N]) {
        let byte = bits.iter().rev().fold(0, |all, b| all << 1 | u8::from(*b));
        self.0.push(byte);
    }

    fn spot(&mut self, spot: Spot) {
        // Numbers are below MAX_ROWS and MAX_COLUMNS, so the two words have room above them.
        self.u16(match spot {
            Spot::At(n) => usize::from(n),
            Spot::Next => NEXT.into(),
            Spot::Same => SAME.into(),
        });
    }

    fn map(&mut self, map: &PhysicalMap) {
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
            map.vertical == Vertical::First,
            map.vertical == Vertical::Last,
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

const NEXT: u16 = 0xffff;
const SAME: u16 = 0xfffe;

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.0.split_at_checked(count) {
            Some((taken, rest)) => {
                self.0 = rest;
                Ok(taken)
            }
            None => error("it is cut short"),
        }
    }

    fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?.first().copied().unwrap_or(0))
    }

    fn u16(&mut self) -> Result<u16> {
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

    fn name(&mut self, most: usize) -> Result<String> {
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

    fn map(&mut self) -> Result<PhysicalMap> {
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
        let [print, free_keyboard, alarm, reset_modified, low, high] = self.bits()?;
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
                (_, true) => Vertical::Last,
            },
            header,
            trailer,
            input,
            output,
            cursor_location,
            controls: Controls {
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
            },
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
