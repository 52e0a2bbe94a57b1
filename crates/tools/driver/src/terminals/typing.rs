//! What a terminal's script sees on the screen and types into it.
//!
//! Not here: keys and the clock (`play`).

use super::fault::{Fault, Kind};
use super::play::Player;
use super::script::{Place, Text};

impl Player<'_> {
    pub(super) fn shows(&self, text: &str, at: Option<Place>) -> bool {
        let table = &self.stage.plan.page.to_char;
        match at {
            Some(at) => self.text_at(at, text.chars().count()) == text,
            None => self.session.screen.contains(text, table),
        }
    }

    pub(super) fn text_at(&self, (row, column): Place, length: usize) -> String {
        let table = &self.stage.plan.page.to_char;
        let row = self.session.screen.row(usize::from(row), table);
        let skipped = row.chars().skip(usize::from(column).saturating_sub(1));
        skipped.take(length).collect()
    }

    pub(super) fn position(&self, (row, column): Place) -> Result<u16, Fault> {
        let size = self.session.screen.size();
        let (row, column) = (usize::from(row), usize::from(column));
        if row > size.rows() || column > size.columns() {
            let (rows, columns) = (size.rows(), size.columns());
            let text =
                format!("{row},{column} is outside the screen of {rows} rows, {columns} columns");
            return Err(Fault::new(Kind::Keyboard, text));
        }
        Ok(size.position(row, column))
    }

    /// First character of the nth input field.
    pub(super) fn field(&self, nth: u16) -> Result<u16, Fault> {
        let screen = &self.session.screen;
        let inputs = screen.field_positions().filter_map(|at| {
            let (attribute, first, length) = screen.field(at)?;
            (!attribute.is_protected() && length > 0).then_some(first)
        });
        let inputs: Vec<u16> = inputs.collect();
        let found = inputs.get(usize::from(nth).saturating_sub(1)).copied();
        found.ok_or_else(|| {
            let text = format!("the screen has {} input fields, not {nth}", inputs.len());
            Fault::new(Kind::Keyboard, text)
        })
    }

    pub(super) fn enter_at_cursor(&mut self, text: &Text) -> Result<(), Fault> {
        let position = self.session.screen.cursor();
        self.enter(position, text)
    }

    /// Erases from a position to the end of its field and types there.
    pub(super) fn enter(&mut self, position: u16, text: &Text) -> Result<(), Fault> {
        let text = text.fill(&self.values);
        let (bytes, lost) = self.stage.plan.page.encode(&text);
        let screen = &mut self.session.screen;
        let size = screen.size();
        let place = usize::from(position);
        let (row, column) = (place / size.columns() + 1, place % size.columns() + 1);
        let refused = |why: &dyn std::fmt::Display| {
            let text = format!("{text:?} cannot be typed at {row},{column}: {why}");
            Fault::new(Kind::Keyboard, text)
        };
        if lost > 0 {
            return Err(refused(&"the coded character set lacks a character"));
        }
        let room = match screen.field(position) {
            Some((_, first, length)) => (usize::from(first) + length).saturating_sub(place),
            None => size.positions() - place,
        };
        if bytes.len() > room {
            return Err(refused(&format!("the field has room for {room}")));
        }
        screen.set_cursor(position);
        screen.erase_eof().map_err(|e| refused(&e))?;
        screen.type_text(&bytes).map_err(|e| refused(&e))
    }
}
