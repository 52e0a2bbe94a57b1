//! A 3270 display without glass: buffer, fields, cursor, keyboard lock.
//!
//! What: takes outbound records as a terminal does ([`Screen::apply`]), is typed into, and makes
//! the inbound records ([`Screen::press`]). Why: tests, the workload driver and the browser
//! terminal see one screen. It keeps 2 bytes per position, and 4 more once a host has used extended
//! attributes: 11.5 kB for 24x80. Not here: telnet (`Client`), code pages (a table comes from the
//! caller), light pen, partitions beside 0.

mod answer;
mod apply;
mod keyboard;
mod read;
mod structured;
mod view;

pub use keyboard::Inhibit;

use crate::address::ScreenSize;
use crate::aid::Aid;
use crate::attribute::{Attribute, AttributeKind, Extended, FieldAttribute};
use crate::outbound::ReplyMode;

/// What kind of display it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenOptions {
    /// Size after Erase/Write.
    pub default: ScreenSize,
    /// Size after Erase/Write Alternate.
    pub alternate: ScreenSize,
    /// Extended data stream: answers queries and takes structured fields.
    pub extended: bool,
    /// Numeric fields take digits, `-`, `.`, DUP and FM only.
    pub numeric_lock: bool,
    /// Graphic character set and code page told in the Query Reply, for example (697, 37).
    pub code_page: (u16, u16),
}

impl Default for ScreenOptions {
    /// A model 2 with extended data stream and code page 037.
    fn default() -> Self {
        Self {
            default: ScreenSize::MODEL_2,
            alternate: ScreenSize::MODEL_2,
            extended: true,
            numeric_lock: false,
            code_page: (697, 37),
        }
    }
}

/// What an outbound record brought about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    /// The record to send back: answer to a read or a query.
    pub reply: Option<Vec<u8>>,
    /// The alarm sounded.
    pub alarm: bool,
    /// Printing was asked for.
    pub print: bool,
    /// The keyboard was unlocked by this record.
    pub unlocked: bool,
}

/// One position of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The character in the terminal's code page; 0 is null. 0 also where a field attribute stands.
    pub byte: u8,
    /// The field attribute, if one stands here.
    pub field: Option<FieldAttribute>,
    /// Attributes of this character alone, or of the field if its attribute stands here.
    pub extended: Extended,
}

/// A display.
#[derive(Debug, Clone)]
pub struct Screen {
    options: ScreenOptions,
    size: ScreenSize,
    text: Vec<u8>,
    /// 0, or [`FIELD`] with the bits of a field attribute.
    field: Vec<u8>,
    /// Empty until an attribute that is not default is written.
    extended: Vec<Extended>,
    /// Number of field attributes; 0 is an unformatted screen.
    fields: usize,
    cursor: u16,
    locked: bool,
    insert: bool,
    aid: Aid,
    reply_mode: ReplyMode,
    reply_kinds: Vec<AttributeKind>,
}

/// Marks a field attribute in the field plane, so that attribute 0 is not "no field".
const FIELD: u8 = 0x80;

impl Screen {
    /// An erased screen of the default size, keyboard unlocked.
    pub fn new(options: ScreenOptions) -> Self {
        let size = options.default;
        Self {
            options,
            size,
            text: vec![0; size.positions()],
            field: vec![0; size.positions()],
            extended: Vec::new(),
            fields: 0,
            cursor: 0,
            locked: false,
            insert: false,
            aid: Aid::NONE,
            reply_mode: ReplyMode::Field,
            reply_kinds: Vec::new(),
        }
    }

    /// Size in force.
    pub fn size(&self) -> ScreenSize {
        self.size
    }

    pub fn cursor(&self) -> u16 {
        self.cursor
    }

    /// Moves the cursor; a position beyond the screen wraps.
    pub fn set_cursor(&mut self, position: u16) {
        self.cursor = (usize::from(position) % self.size.positions()) as u16;
    }

    /// The keyboard is locked, by the host or by an AID key.
    pub fn is_locked(&self) -> bool {
        self.locked
    }

    /// True if there is at least one field.
    pub fn is_formatted(&self) -> bool {
        self.fields > 0
    }

    pub fn reply_mode(&self) -> ReplyMode {
        self.reply_mode
    }

    /// The key that locked the keyboard, or [`Aid::NONE`].
    pub fn aid(&self) -> Aid {
        self.aid
    }

    /// Contents of a position; a position beyond the screen wraps.
    pub fn cell(&self, position: u16) -> Cell {
        let at = self.wrapped(usize::from(position));
        let field = self.field_bits(at);
        Cell {
            byte: self.byte(at),
            field: field.map(FieldAttribute::from_byte),
            extended: self.extended_at(at),
        }
    }

    /// Position of the field attribute that counts at a position; `None` on an unformatted screen.
    pub fn field_at(&self, position: u16) -> Option<u16> {
        let at = self.wrapped(usize::from(position));
        self.field_start(at).map(|found| found as u16)
    }

    /// Positions of all field attributes, ascending.
    pub fn field_positions(&self) -> impl Iterator<Item = u16> + '_ {
        self.field
            .iter()
            .enumerate()
            .filter(|(_, bits)| **bits != 0)
            .map(|(at, _)| at as u16)
    }

    /// Attribute and first and last character position of the field at a position, wrap included;
    /// `None` on an unformatted screen. A field of length 0 has no last position before its first:
    /// length is the third value.
    pub fn field(&self, position: u16) -> Option<(FieldAttribute, u16, usize)> {
        let start = self.field_start(self.wrapped(usize::from(position)))?;
        let attribute = FieldAttribute::from_byte(self.field_bits(start)?);
        let length = self.field_length(start);
        Some((attribute, self.wrapped(start + 1) as u16, length))
    }

    fn positions(&self) -> usize {
        self.text.len()
    }

    fn wrapped(&self, at: usize) -> usize {
        at % self.positions().max(1)
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    fn field_bits(&self, at: usize) -> Option<u8> {
        self.field.get(at).copied().filter(|bits| *bits != 0)
    }

    fn extended_at(&self, at: usize) -> Extended {
        self.extended.get(at).copied().unwrap_or_default()
    }

    /// Field attribute at or before a position, around the end of the screen.
    fn field_start(&self, at: usize) -> Option<usize> {
        if self.fields == 0 {
            return None;
        }
        let before = |range: &[u8]| range.iter().rposition(|bits| *bits != 0);
        let (head, tail) = self
            .field
            .split_at(at.saturating_add(1).min(self.positions()));
        before(head).or_else(|| before(tail).map(|found| head.len() + found))
    }

    /// Characters between the attribute at `start` and the next one.
    fn field_length(&self, start: usize) -> usize {
        let positions = self.positions();
        (1..positions)
            .find(|step| self.field_bits(self.wrapped(start + step)).is_some())
            .map_or(positions.saturating_sub(1), |step| step - 1)
    }

    fn is_protected(&self, at: usize) -> bool {
        self.field_start(at)
            .and_then(|start| self.field_bits(start))
            .is_some_and(|bits| FieldAttribute::from_byte(bits).is_protected())
    }

    /// First character position of the next unprotected field with at least one character, from
    /// `at` on; `at` itself counts if the attribute stands right before it. `None` if there is
    /// none.
    fn next_unprotected(&self, at: usize) -> Option<usize> {
        let positions = self.positions();
        (0..positions)
            .map(|step| self.wrapped(at + positions - 1 + step))
            .find(|start| self.is_input_start(*start))
            .map(|start| self.wrapped(start + 1))
    }

    /// An unprotected attribute that is followed by a character.
    fn is_input_start(&self, at: usize) -> bool {
        self.field_bits(at)
            .is_some_and(|bits| !FieldAttribute::from_byte(bits).is_protected())
            && self.field_bits(self.wrapped(at + 1)).is_none()
    }

    fn set_byte(&mut self, at: usize, byte: u8, extended: Extended) {
        if let Some(bits) = self.field.get_mut(at) {
            self.fields -= usize::from(*bits != 0).min(self.fields);
            *bits = 0;
        }
        if let Some(place) = self.text.get_mut(at) {
            *place = byte;
        }
        self.set_extended(at, extended);
    }

    fn set_field(&mut self, at: usize, attribute: FieldAttribute, extended: Extended) {
        if let Some(bits) = self.field.get_mut(at) {
            self.fields += usize::from(*bits == 0);
            *bits = FIELD | attribute.byte() & 0x3F;
        }
        if let Some(place) = self.text.get_mut(at) {
            *place = 0;
        }
        self.set_extended(at, extended);
    }

    fn set_extended(&mut self, at: usize, extended: Extended) {
        if self.extended.is_empty() {
            if extended.is_default() {
                return;
            }
            self.extended = vec![Extended::DEFAULT; self.positions()];
        }
        if let Some(place) = self.extended.get_mut(at) {
            *place = extended;
        }
    }

    fn set_modified(&mut self, at: usize, modified: bool) {
        if let Some(start) = self.field_start(at)
            && let Some(bits) = self.field.get_mut(start)
        {
            *bits = *bits & !0x01 | u8::from(modified);
        }
    }

    fn modify_field(&mut self, at: usize, attributes: impl Iterator<Item = Attribute>) {
        let mut extended = self.extended_at(at);
        for attribute in attributes {
            match attribute.kind {
                AttributeKind::Field => {
                    let field = FieldAttribute::from_byte(attribute.value);
                    self.set_field(at, field, extended);
                }
                kind => extended.set(kind, attribute.value),
            }
        }
        self.set_extended(at, extended);
    }

    /// All nulls, no fields, cursor at 0, in this size.
    fn erase(&mut self, size: ScreenSize) {
        self.size = size;
        for plane in [&mut self.text, &mut self.field] {
            plane.clear();
            plane.resize(size.positions(), 0);
        }
        self.extended.clear();
        self.fields = 0;
        self.cursor = 0;
        self.insert = false;
    }

    fn unlock(&mut self) {
        self.locked = false;
        self.aid = Aid::NONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_of_24_by_80_takes_less_than_16_kilobytes() {
        let mut screen = Screen::new(ScreenOptions::default());
        let mut red = Extended::DEFAULT;
        red.set(AttributeKind::Foreground, 0xF2);
        screen.set_byte(0, 0xC1, red);
        let planes = screen.text.capacity() + screen.field.capacity();
        let extended = screen.extended.capacity() * size_of::<Extended>();
        assert!(size_of::<Screen>() + planes + extended <= 12 * 1024);
    }
}
