//! Inbound records the screen makes.
//!
//! What: Read Modified, Read Modified All, Read Buffer, in all reply modes. Why: nulls, wraps and attributes
//! must come out as from a terminal. Not here: parsing them (`inbound`).

use super::Screen;
use crate::attribute::{AttributeKind, Extended, FieldAttribute};
use crate::order::{GE, SA, SBA, SF, SFE};
use crate::outbound::ReplyMode;

impl Screen {
    /// Key, cursor and modified fields; key only after PA and CLEAR unless `all`.
    pub(super) fn read_modified(&self, all: bool) -> Vec<u8> {
        let mut out = vec![self.aid.0];
        if self.aid.is_short_read() && !all {
            return out;
        }
        out.extend(self.size.encode(self.cursor));
        let mut shown = Extended::DEFAULT;
        if self.fields == 0 {
            for at in 0..self.positions() {
                self.put_character(&mut out, at, &mut shown, false);
            }
            return out;
        }
        for position in self.field_positions() {
            let start = usize::from(position);
            let bits = self.field_bits(start).unwrap_or_default();
            if !FieldAttribute::from_byte(bits).is_modified() {
                continue;
            }
            out.push(SBA);
            out.extend(self.size.encode(self.wrapped(start + 1) as u16));
            for step in 1..=self.field_length(start) {
                self.put_character(&mut out, self.wrapped(start + step), &mut shown, false);
            }
        }
        out
    }

    /// Key, cursor and every position.
    pub(super) fn read_buffer(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.positions() + 64);
        out.push(self.aid.0);
        out.extend(self.size.encode(self.cursor));
        let mut shown = Extended::DEFAULT;
        for at in 0..self.positions() {
            match self.field_bits(at) {
                Some(bits) => self.put_field(&mut out, at, FieldAttribute::from_byte(bits)),
                None => self.put_character(&mut out, at, &mut shown, true),
            }
        }
        out
    }

    fn put_field(&self, out: &mut Vec<u8>, at: usize, attribute: FieldAttribute) {
        if self.reply_mode == ReplyMode::Field {
            out.extend([SF, attribute.byte()]);
            return;
        }
        let pairs: Vec<_> = self.extended_at(at).attributes().collect();
        out.extend([
            SFE,
            pairs.len() as u8 + 1,
            AttributeKind::Field as u8,
            attribute.byte(),
        ]);
        for pair in pairs {
            out.extend([pair.kind as u8, pair.value]);
        }
    }

    /// One character with the attribute changes in front of it; nulls only if `nulls`.
    fn put_character(&self, out: &mut Vec<u8>, at: usize, shown: &mut Extended, nulls: bool) {
        let byte = self.byte(at);
        if byte == 0 && !nulls {
            return;
        }
        let extended = self.extended_at(at);
        let in_character_mode = self.reply_mode == ReplyMode::Character;
        if in_character_mode {
            self.put_changes(out, extended, shown);
        }
        let graphic = extended.get(AttributeKind::CharacterSet) == Extended::GRAPHIC;
        let told = in_character_mode && self.reply_kinds.contains(&AttributeKind::CharacterSet);
        if graphic && !told && byte != 0 {
            out.push(GE);
        }
        out.push(byte);
    }

    fn put_changes(&self, out: &mut Vec<u8>, now: Extended, shown: &mut Extended) {
        for kind in &self.reply_kinds {
            let value = now.get(*kind);
            if shown.get(*kind) != value {
                out.extend([SA, *kind as u8, value]);
                shown.set(*kind, value);
            }
        }
    }
}
