//! The screen as text.
//!
//! What: rows and fields through a code page table of the caller. Why: tests and driver compare
//! text, not buffers. Not here: colours (`Screen::cell`).

use super::Screen;
use crate::attribute::{AttributeKind, Extended, FieldAttribute, Intensity};

impl Screen {
    /// All rows with trailing blanks removed, each ended by a line feed. `table` has a character
    /// per byte; nulls, attributes and dark fields are blanks.
    pub fn text(&self, table: &[char; 256]) -> String {
        let mut all = String::with_capacity(self.positions());
        for row in 1..=self.size.rows() {
            all.push_str(self.row(row, table).trim_end());
            all.push('\n');
        }
        all
    }

    /// One row counted from 1, all its columns; empty if there is no such row.
    pub fn row(&self, row: usize, table: &[char; 256]) -> String {
        if !(1..=self.size.rows()).contains(&row) {
            return String::new();
        }
        let columns = self.size.columns();
        let start = (row - 1) * columns;
        self.characters(start, columns, table)
    }

    /// Text of the field at a position, nulls as blanks, trailing blanks removed; dark fields are
    /// shown here.
    pub fn field_text(&self, position: u16, table: &[char; 256]) -> String {
        let (first, length) = match self.field(position) {
            Some((_, first, length)) => (usize::from(first), length),
            None => (0, self.positions()),
        };
        let shown = |step| self.character(self.wrapped(first + step), table);
        let text: String = (0..length).map(shown).collect();
        text.trim_end().to_owned()
    }

    /// True if a row contains this text.
    pub fn contains(&self, text: &str, table: &[char; 256]) -> bool {
        (1..=self.size.rows()).any(|row| self.row(row, table).contains(text))
    }

    /// Attributes a position is shown with: its own where it has some, else those of its field.
    pub fn shown(&self, position: u16) -> Extended {
        let at = self.wrapped(usize::from(position));
        let own = self.extended_at(at);
        let Some(start) = self.field_start(at) else {
            return own;
        };
        let mut shown = self.extended_at(start);
        for attribute in own.attributes() {
            shown.set(attribute.kind, attribute.value);
        }
        shown
    }

    fn characters(&self, start: usize, count: usize, table: &[char; 256]) -> String {
        let is_dark = |bits: u8| FieldAttribute::from_byte(bits).intensity() == Intensity::Dark;
        let before = self.field_start(start).and_then(|at| self.field_bits(at));
        let mut dark = before.is_some_and(is_dark);
        let mut text = String::with_capacity(count);
        for at in start..start + count {
            if let Some(bits) = self.field_bits(at) {
                dark = is_dark(bits);
            }
            text.push(if dark { ' ' } else { self.character(at, table) });
        }
        text
    }

    /// Nulls, controls and attributes are blanks; so are characters of the graphic set, which has
    /// its own table.
    fn character(&self, at: usize, table: &[char; 256]) -> char {
        let graphic = self.extended_at(at).get(AttributeKind::CharacterSet) == Extended::GRAPHIC;
        match self.byte(at) {
            0..0x40 => ' ',
            _ if graphic => ' ',
            byte => table.get(usize::from(byte)).copied().unwrap_or(' '),
        }
    }
}
