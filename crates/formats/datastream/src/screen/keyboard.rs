//! The keyboard: characters, cursor keys, editing keys, AID keys.
//!
//! What: what each key does to fields and cursor, and why it may be refused. Why: the driver and
//! the browser type as people do. Not here: key names of a keyboard, type-ahead.

use super::Screen;
use crate::aid::Aid;
use crate::attribute::{Extended, FieldAttribute};
use crate::order::{DUP, FIELD_MARK, one_position};
use std::fmt;

/// Why a key did nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Inhibit {
    /// The keyboard is locked: the host has not answered yet.
    Locked,
    /// The cursor is not in an input field.
    Protected,
    /// A numeric field does not take this character.
    Numeric,
    /// Insert mode, and the field has no null at its end.
    Full,
}

impl fmt::Display for Inhibit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Locked => "the keyboard is locked",
            Self::Protected => "the cursor is not in an input field",
            Self::Numeric => "the field takes numbers only",
            Self::Full => "no room to insert in the field",
        })
    }
}

impl std::error::Error for Inhibit {}

impl Screen {
    /// Types characters in the terminal's code page, skipping from field to field as the cursor
    /// does.
    ///
    /// # Errors
    /// At the first character refused; those before it were typed.
    pub fn type_text(&mut self, text: &[u8]) -> Result<(), Inhibit> {
        text.iter().try_for_each(|byte| self.type_byte(*byte))
    }

    /// Types one character; a control that no keyboard has is a blank.
    ///
    /// # Errors
    /// If the keyboard is locked or the field does not take it.
    pub fn type_byte(&mut self, byte: u8) -> Result<(), Inhibit> {
        let at = self.input_position()?;
        if self.options.numeric_lock && self.is_numeric(at) && !is_number(byte) {
            return Err(Inhibit::Numeric);
        }
        if self.insert {
            self.make_room(at)?;
        }
        self.set_byte(at, one_position(byte), Extended::DEFAULT);
        self.set_modified(at, true);
        self.cursor = self.after_character(at) as u16;
        Ok(())
    }

    /// Insert mode on or off; an AID key and an erase switch it off.
    pub fn set_insert(&mut self, on: bool) {
        self.insert = on;
    }

    /// DUP: the character, then a tab.
    ///
    /// # Errors
    /// As [`Self::type_byte`].
    pub fn duplicate(&mut self) -> Result<(), Inhibit> {
        self.type_byte(DUP)?;
        self.tab()
    }

    /// FIELD MARK.
    ///
    /// # Errors
    /// As [`Self::type_byte`].
    pub fn field_mark(&mut self) -> Result<(), Inhibit> {
        self.type_byte(FIELD_MARK)
    }

    /// To the first position of the next input field; to 0 if there is none.
    ///
    /// # Errors
    /// If the keyboard is locked.
    pub fn tab(&mut self) -> Result<(), Inhibit> {
        self.unlocked()?;
        let next = self.next_unprotected(self.wrapped(usize::from(self.cursor) + 1));
        self.cursor = next.unwrap_or(0) as u16;
        Ok(())
    }

    /// To the first position of this input field, or of the one before it.
    ///
    /// # Errors
    /// If the keyboard is locked.
    pub fn back_tab(&mut self) -> Result<(), Inhibit> {
        self.unlocked()?;
        let positions = self.positions();
        let from = usize::from(self.cursor) + positions;
        // The attribute right before the cursor does not count: the cursor is at its first
        // position.
        let found = (2..=positions + 1)
            .map(|step| self.wrapped(from + positions - step))
            .find(|at| self.is_input_start(*at));
        self.cursor = found.map_or(0, |start| self.wrapped(start + 1)) as u16;
        Ok(())
    }

    /// To the first input position on a line below the cursor.
    ///
    /// # Errors
    /// If the keyboard is locked.
    pub fn new_line(&mut self) -> Result<(), Inhibit> {
        self.unlocked()?;
        let columns = self.size.columns();
        let line = self.wrapped((usize::from(self.cursor) / columns + 1) * columns);
        let is_input = self.field_bits(line).is_none() && !self.is_protected(line);
        self.cursor = if is_input {
            line
        } else {
            self.next_unprotected(line).unwrap_or(0)
        } as u16;
        Ok(())
    }

    /// To the first input field of the screen.
    ///
    /// # Errors
    /// If the keyboard is locked.
    pub fn home(&mut self) -> Result<(), Inhibit> {
        self.unlocked()?;
        let first = self.next_unprotected(0).filter(|_| self.fields > 0);
        self.cursor = first.unwrap_or(0) as u16;
        Ok(())
    }

    /// Moves the cursor by rows and columns, around the edges.
    ///
    /// # Errors
    /// If the keyboard is locked.
    pub fn move_cursor(&mut self, rows: i16, columns: i16) -> Result<(), Inhibit> {
        self.unlocked()?;
        let by = i64::from(rows) * self.size.columns() as i64 + i64::from(columns);
        let to = (i64::from(self.cursor) + by).rem_euclid(self.positions().max(1) as i64);
        self.cursor = to as u16;
        Ok(())
    }

    /// Nulls from the cursor to the end of the field.
    ///
    /// # Errors
    /// If the keyboard is locked or the cursor is not in an input field.
    pub fn erase_eof(&mut self) -> Result<(), Inhibit> {
        let at = self.input_position()?;
        for position in self.rest_of_field(at) {
            self.set_byte(position, 0, Extended::DEFAULT);
        }
        self.set_modified(at, true);
        Ok(())
    }

    /// Nulls in all input fields, none of them modified, cursor at the first one.
    ///
    /// # Errors
    /// If the keyboard is locked.
    pub fn erase_input(&mut self) -> Result<(), Inhibit> {
        self.unlocked()?;
        self.erase_all_unprotected();
        Ok(())
    }

    /// Deletes the character at the cursor; the rest of the field moves left.
    ///
    /// # Errors
    /// If the keyboard is locked or the cursor is not in an input field.
    pub fn delete(&mut self) -> Result<(), Inhibit> {
        let at = self.input_position()?;
        let places = self.rest_of_field(at);
        let next = places.iter().skip(1).copied().map(Some).chain([None]);
        for (place, from) in places.iter().zip(next) {
            let byte = from.map_or(0, |from| self.byte(from));
            let extended = from.map_or(Extended::DEFAULT, |from| self.extended_at(from));
            self.set_byte(*place, byte, extended);
        }
        self.set_modified(at, true);
        Ok(())
    }

    /// Presses an AID key: locks the keyboard and gives the record to send. CLEAR erases the screen
    /// first.
    ///
    /// # Errors
    /// If the keyboard is locked.
    pub fn press(&mut self, aid: Aid) -> Result<Vec<u8>, Inhibit> {
        self.unlocked()?;
        if aid == Aid::CLEAR {
            self.erase(self.options.default);
        }
        self.aid = aid;
        self.locked = true;
        self.insert = false;
        Ok(self.read_modified(false))
    }

    /// Locks the keyboard, as a terminal does while it waits for the first screen.
    pub fn lock(&mut self) {
        self.locked = true;
    }

    /// The RESET key: unlocks the keyboard, even while the host has not answered.
    pub fn reset(&mut self) {
        self.locked = false;
        self.insert = false;
    }

    fn unlocked(&self) -> Result<(), Inhibit> {
        if self.locked {
            Err(Inhibit::Locked)
        } else {
            Ok(())
        }
    }

    /// The cursor's position, if a character can be typed there.
    fn input_position(&self) -> Result<usize, Inhibit> {
        self.unlocked()?;
        let at = usize::from(self.cursor);
        if self.field_bits(at).is_some() || self.is_protected(at) {
            return Err(Inhibit::Protected);
        }
        Ok(at)
    }

    /// First position of the first input field, counted by attributes: one that begins with an
    /// attribute at the end of the screen is the last field.
    pub(super) fn first_input(&self) -> usize {
        self.next_unprotected(1)
            .filter(|_| self.fields > 0)
            .unwrap_or(0)
    }

    fn is_numeric(&self, at: usize) -> bool {
        self.field_start(at)
            .and_then(|start| self.field_bits(start))
            .is_some_and(|bits| FieldAttribute::from_byte(bits).is_numeric())
    }

    /// Positions from `at` to the end of its field (of the screen, if there are no fields).
    fn rest_of_field(&self, at: usize) -> Vec<usize> {
        let positions = self.positions();
        if self.fields == 0 {
            return (at..positions).collect();
        }
        (0..positions)
            .map(|step| self.wrapped(at + step))
            .take_while(|place| self.field_bits(*place).is_none())
            .collect()
    }

    /// Moves the characters from `at` on to the right, up to the first null.
    fn make_room(&mut self, at: usize) -> Result<(), Inhibit> {
        let places = self.rest_of_field(at);
        let null = places
            .iter()
            .position(|place| self.byte(*place) == 0)
            .ok_or(Inhibit::Full)?;
        for pair in places.get(..=null).unwrap_or_default().windows(2).rev() {
            if let [from, to] = *pair {
                let (byte, extended) = (self.byte(from), self.extended_at(from));
                self.set_byte(to, byte, extended);
            }
        }
        Ok(())
    }

    /// Where the cursor goes from a character: over an attribute, and over a skip field to the next
    /// input.
    fn after_character(&self, at: usize) -> usize {
        let next = self.wrapped(at + 1);
        match self.field_bits(next).map(FieldAttribute::from_byte) {
            None => next,
            Some(attribute) if attribute.is_skip() => self.next_unprotected(next).unwrap_or(0),
            Some(_) => self.wrapped(next + 1),
        }
    }
}

/// Digits, minus, decimal point, DUP and FIELD MARK in EBCDIC.
fn is_number(byte: u8) -> bool {
    matches!(byte, 0xF0..=0xF9 | 0x60 | 0x4B | DUP | FIELD_MARK)
}
