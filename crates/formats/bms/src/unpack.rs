//! RECEIVE MAP: received fields to the symbolic map in program storage.
//!
//! Fields are found by the position of their data; what does not belong to a named field of the map
//! is left out, as constants with the modified data tag are. Not here: the data stream (the caller
//! has positions and bytes already), folding tables other than ASCII and Latin-1.

use crate::merge::{SizeError, origin, position};
use crate::physical::{PhysicalField, PhysicalMap};
use crate::screen::Device;
use std::borrow::Cow;
use transom_datastream::inbound::ModifiedField;

/// Flag: the operator erased the field.
pub const FLAG_ERASED: u8 = 0x80;
/// Flag: the cursor is in the field (CURSLOC=YES).
pub const FLAG_CURSOR: u8 = 0x02;

/// What a terminal sent for one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received<'a> {
    /// Position of the first character on the screen, from 0.
    pub position: u16,
    /// Characters in the terminal's code page; empty when the operator erased the field.
    pub data: Cow<'a, [u8]>,
}

impl<'a> Received<'a> {
    /// All fields of a record. A short read and a screen without fields have none: both are
    /// MAPFAIL.
    pub fn of(fields: impl IntoIterator<Item = ModifiedField<'a>>) -> Vec<Self> {
        let one = |field: ModifiedField<'a>| Self {
            position: field.position,
            data: field.characters.text(),
        };
        fields.into_iter().map(one).collect()
    }
}

/// How to unpack.
#[derive(Debug, Clone, Copy)]
pub struct UnpackOptions<'a> {
    /// Cursor position at the time of input.
    pub cursor: u16,
    /// Fold to upper case (UCTRAN of the terminal, not ASIS); CASE=MIXED fields are left.
    pub upper_case: bool,
    /// Terminal's code page to CCSID 819.
    pub table: &'a [u8; 256],
}

/// Why there is nothing to unpack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnpackError {
    /// No field was received: a short read (Clear, PA keys) or nothing modified (MAPFAIL).
    MapFail,
    /// The map does not fit on the screen (INVMPSZ).
    Size(SizeError),
    /// MODE=OUT (INVREQ).
    OutputOnly,
}

/// RECEIVE MAP. Gives the whole symbolic map, prefix included.
///
/// Fields that were not received have length 0 and nulls. A received field has the number of
/// characters as its length and is filled and justified as JUSTIFY says.
pub fn unpack(
    map: &PhysicalMap,
    received: &[Received<'_>],
    device: &Device,
    options: &UnpackOptions<'_>,
) -> Result<Vec<u8>, UnpackError> {
    if !map.input {
        return Err(UnpackError::OutputOnly);
    }
    if received.is_empty() {
        return Err(UnpackError::MapFail);
    }
    let origin = origin(map, device).map_err(UnpackError::Size)?;
    let mut area = vec![0; map.area_bytes as usize];
    let mut fields = map.fields.iter().peekable();
    while let Some(field) = fields.next() {
        let start = device.wrap(u32::from(position(map, field, device, origin)) + 1);
        // What was typed last counts if a terminal sends a field twice.
        let input = received.iter().rfind(|r| r.position == start);
        if field.area.is_some() && field.leads {
            flag_cursor(map, field, start, device, options.cursor, &mut area);
            if let Some(input) = input {
                lead(field, &input.data, options, &mut area);
            }
        }
        // The rest of a group arrives with its first field.
        while let Some(member) = fields.next_if(|f| !f.leads) {
            let own = device.wrap(u32::from(position(map, member, device, origin)) + 1);
            let offset = (u32::from(own) + device.cells() - u32::from(start)) % device.cells();
            let part = input.and_then(|i| i.data.get(offset as usize..));
            if let (Some(part), Some(at)) = (part.filter(|p| !p.is_empty()), member.area) {
                store(member, part, options, at.data, &mut area);
            }
        }
    }
    Ok(area)
}

/// Length, flag and data of a field with its own attribute byte.
fn lead(field: &PhysicalField, data: &[u8], options: &UnpackOptions<'_>, area: &mut [u8]) {
    let Some(at) = field.area else { return };
    let data = data.get(..usize::from(field.length)).unwrap_or(data);
    if let Some(adjunct) = at.adjunct.map(|a| a as usize) {
        if let Some(length) = area.get_mut(adjunct..adjunct + 2) {
            length.copy_from_slice(&(data.len() as u16).to_be_bytes());
        }
        if let Some(flag) = area.get_mut(adjunct + 2).filter(|_| data.is_empty()) {
            *flag |= FLAG_ERASED;
        }
    }
    if !data.is_empty() {
        store(field, data, options, at.data, area);
    }
}

fn flag_cursor(
    map: &PhysicalMap,
    field: &PhysicalField,
    start: u16,
    device: &Device,
    cursor: u16,
    area: &mut [u8],
) {
    if !map.cursor_location {
        return;
    }
    let distance = (u32::from(cursor) + device.cells() - u32::from(start)) % device.cells();
    let adjunct = field.area.and_then(|a| a.adjunct);
    if let Some(flag) = adjunct.and_then(|a| area.get_mut(a as usize + 2))
        && distance < u32::from(field.length)
    {
        *flag |= FLAG_CURSOR;
    }
}

/// Data in the program's code page, justified and filled.
fn store(
    field: &PhysicalField,
    data: &[u8],
    options: &UnpackOptions<'_>,
    at: u32,
    area: &mut [u8],
) {
    let length = usize::from(field.length);
    let Some(target) = area.get_mut(at as usize..at as usize + length) else {
        return;
    };
    target.fill(if field.zero { b'0' } else { b' ' });
    let count = data.len().min(length);
    let start = if field.right { length - count } else { 0 };
    for (to, from) in target.iter_mut().skip(start).zip(data) {
        let character = options.table.get(usize::from(*from)).copied().unwrap_or(0);
        *to = if options.upper_case && !field.keep_case {
            upper(character)
        } else {
            character
        };
    }
}

/// Upper case in CCSID 819.
fn upper(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | 0xe0..=0xf6 | 0xf8..=0xfe => byte - 0x20,
        _ => byte,
    }
}
