//! Inbound records the screen makes.
//!
//! What: Read Modified, Read Modified All, Read Buffer, in all reply modes. Why: nulls, wraps and
//! attributes must come out as from a terminal. Not here: parsing them (`inbound`).

use super::Screen;
use crate::attribute::{AttributeKind, Extended, FieldAttribute};
use crate::order::{GE, SA, SBA, SF, SFE};
use crate::outbound::ReplyMode;

/// A record under construction.
struct Reading {
    out: Vec<u8>,
    /// Attributes of the field that is read.
    field: Extended,
    /// Character attributes told so far.
    told: Extended,
    /// Nulls are sent.
    nulls: bool,
}

impl Screen {
    /// Key, cursor and modified fields; key only after PA and CLEAR unless `all`.
    pub(super) fn read_modified(&self, all: bool) -> Vec<u8> {
        let mut reading = self.begin(false);
        if self.aid.is_short_read() && !all {
            reading.out.truncate(1);
            return reading.out;
        }
        if self.fields == 0 {
            for at in 0..self.positions() {
                self.put_character(&mut reading, at);
            }
            return reading.out;
        }
        for position in self.field_positions() {
            let start = usize::from(position);
            let bits = self.field_bits(start).unwrap_or_default();
            if !FieldAttribute::from_byte(bits).is_modified() {
                continue;
            }
            reading.out.push(SBA);
            let first = self.wrapped(start + 1) as u16;
            reading.out.extend(self.size.encode(first));
            reading.field = self.extended_at(start);
            for step in 1..=self.field_length(start) {
                self.put_character(&mut reading, self.wrapped(start + step));
            }
        }
        reading.out
    }

    /// Key, cursor and every position.
    pub(super) fn read_buffer(&self) -> Vec<u8> {
        let mut reading = self.begin(true);
        let last = self.positions().saturating_sub(1);
        let around = self.field_start(last).map(|start| self.extended_at(start));
        reading.field = around.unwrap_or_default();
        for at in 0..self.positions() {
            match self.field_bits(at) {
                Some(bits) => self.put_field(&mut reading, at, FieldAttribute::from_byte(bits)),
                None => self.put_character(&mut reading, at),
            }
        }
        reading.out
    }

    fn begin(&self, nulls: bool) -> Reading {
        let mut out = vec![self.aid.0];
        out.extend(self.size.encode(self.cursor));
        Reading {
            out,
            field: Extended::DEFAULT,
            told: Extended::DEFAULT,
            nulls,
        }
    }

    fn put_field(&self, reading: &mut Reading, at: usize, attribute: FieldAttribute) {
        reading.field = self.extended_at(at);
        let out = &mut reading.out;
        if self.reply_mode == ReplyMode::Field {
            out.extend([SF, attribute.byte()]);
            return;
        }
        let count = reading.field.attributes().count() as u8 + 1;
        out.extend([SFE, count, AttributeKind::Field as u8, attribute.byte()]);
        for pair in reading.field.attributes() {
            out.extend([pair.kind as u8, pair.value]);
        }
    }

    /// One character with the attribute changes in front of it.
    fn put_character(&self, reading: &mut Reading, at: usize) {
        let byte = self.byte(at);
        if byte == 0 && !reading.nulls {
            return;
        }
        let own = self.extended_at(at);
        if self.reply_mode == ReplyMode::Character {
            self.put_changes(reading, own);
        }
        let set = match own.get(AttributeKind::CharacterSet) {
            0 => reading.field.get(AttributeKind::CharacterSet),
            set => set,
        };
        // Real terminals send GE even where an SA in front says the set already.
        if set == Extended::GRAPHIC && byte >= 0x40 {
            reading.out.push(GE);
        }
        reading.out.push(byte);
    }

    fn put_changes(&self, reading: &mut Reading, now: Extended) {
        for kind in &self.reply_kinds {
            let value = now.get(*kind);
            if reading.told.get(*kind) != value {
                reading.out.extend([SA, *kind as u8, value]);
                reading.told.set(*kind, value);
            }
        }
    }
}
