//! What a task has in the fields that users define.
//!
//! What: counts, clocks and strings, changed by the operations of points. Not here: which point
//! does what ([`ControlTable`]), where a program's data is.

use crate::control_table::{ControlTable, How, PIECE_BYTES};
use crate::kind::Kind;
use transom_language::language;

language! {
    /// A value that is not zero.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UserValue {
        /// Place of the field behind those of CICS; of a record that was read, in its dictionary.
        pub field: u16,
        /// A count, or the nanoseconds of a clock.
        pub number: u64,
        pub periods: u32,
        pub is_clock: bool,
        /// A piece of a string.
        pub text: Vec<u8>,
    }
}

/// All fields of a task.
#[derive(Debug, Clone, Default)]
pub struct UserFields {
    cells: Vec<Cell>,
}

#[derive(Debug, Clone)]
enum Cell {
    Count(u32),
    Clock {
        ns: u64,
        periods: u32,
        /// It runs since then.
        since: Option<u64>,
    },
    /// A piece of a string, as far as it was written.
    Text(Vec<u8>),
}

impl UserFields {
    /// Those of a table, all zero.
    pub fn of(table: &ControlTable) -> Self {
        let cell = |letter: u8, bytes: u8| match Kind::of(letter, bytes) {
            Some(Kind::Clock) => Cell::Clock {
                ns: 0,
                periods: 0,
                since: None,
            },
            Some(Kind::Text(bytes)) => Cell::Text(Vec::with_capacity(bytes.into())),
            _ => Cell::Count(0),
        };
        let fields = table.fields.iter();
        Self {
            cells: fields
                .map(|field| cell(field.letter, field.bytes))
                .collect(),
        }
    }

    /// Nobody has asked for any.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Changes a count; it goes round as words of four bytes do.
    pub fn count(&mut self, field: u16, how: How, value: u32) {
        if let Some(Cell::Count(count)) = self.cells.get_mut(usize::from(field)) {
            *count = match how {
                How::Add => count.wrapping_add(value),
                How::Subtract => count.wrapping_sub(value),
                How::And => *count & value,
                How::Or => *count | value,
                How::ExclusiveOr => *count ^ value,
            };
        }
    }

    /// Starts a clock; one that runs goes on.
    pub fn start(&mut self, field: u16, now_ns: u64) {
        if let Some(Cell::Clock { periods, since, .. }) = self.cells.get_mut(usize::from(field))
            && since.is_none()
        {
            *periods = periods.saturating_add(1);
            *since = Some(now_ns);
        }
    }

    /// Stops a clock; one that stands stays as it is.
    pub fn stop(&mut self, field: u16, now_ns: u64) {
        if let Some(Cell::Clock { ns, since, .. }) = self.cells.get_mut(usize::from(field))
            && let Some(since) = since.take()
        {
            *ns = ns.saturating_add(now_ns.saturating_sub(since));
        }
    }

    /// Moves bytes into a string, whose first piece is this field.
    pub fn move_in(&mut self, field: u16, at: u16, bytes: &[u8]) {
        for (place, byte) in (usize::from(at)..).zip(bytes) {
            let piece = usize::from(field) + place / usize::from(PIECE_BYTES);
            let place = place % usize::from(PIECE_BYTES);
            if let Some(Cell::Text(text)) = self.cells.get_mut(piece) {
                if text.len() <= place {
                    text.resize(place + 1, 0);
                }
                text[place] = *byte;
            }
        }
    }

    /// What is not zero; clocks that run stop.
    pub fn values(&mut self, now_ns: u64) -> Vec<UserValue> {
        (0..self.cells.len() as u16).for_each(|field| self.stop(field, now_ns));
        let value = |(field, cell): (u16, &Cell)| {
            let (number, periods, text) = match cell {
                Cell::Count(count) => (u64::from(*count), 0, Vec::new()),
                Cell::Clock { ns, periods, .. } => (*ns, *periods, Vec::new()),
                Cell::Text(text) => (0, 0, text.clone()),
            };
            let is_clock = matches!(cell, Cell::Clock { .. });
            let value = UserValue {
                field,
                number,
                periods,
                is_clock,
                text,
            };
            (number > 0 || periods > 0 || !value.text.is_empty()).then_some(value)
        };
        (0..).zip(&self.cells).filter_map(value).collect()
    }
}
