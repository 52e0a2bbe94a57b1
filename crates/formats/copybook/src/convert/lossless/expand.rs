//! Records -> records with all tables at their largest sizes: the reverse of
//! [`compact`](super::super::slide::compact).

use super::super::MAX_COUNTERS;
use super::super::error::ConvertError;
use super::super::leaf::Leaf;
use super::super::plan::{Scope, Slot};
use transom_messages as messages;

/// A record in which every item has its place.
pub(super) struct Expanded {
    pub(super) bytes: Vec<u8>,
    /// Which bytes the record had.
    pub(super) filled: Vec<bool>,
    /// Length of the record as its tables say.
    pub(super) length: usize,
}

impl Expanded {
    /// Errors: `TXMCB0602E` for a counter that is no number or beyond its table.
    pub(super) fn of(scopes: &[Scope], record: &[u8]) -> Result<Expanded, Box<ConvertError>> {
        let len = scopes.first().map_or(0, |scope| scope.len);
        let mut walk = Walk {
            scopes,
            record,
            counts: [0; MAX_COUNTERS],
            out: Expanded {
                bytes: vec![0; len],
                filled: vec![false; len],
                length: 0,
            },
        };
        walk.area(0, 0)?;
        Ok(walk.out)
    }

    /// Bytes of an item that the record had, from its start.
    pub(super) fn available(&self, at: usize, len: usize) -> usize {
        let filled = &self.filled[at..at + len];
        filled.iter().take_while(|filled| **filled).count()
    }

    /// Whether the record had any byte of an area.
    pub(super) fn touches(&self, at: usize, len: usize) -> bool {
        self.filled[at..at + len].contains(&true)
    }
}

struct Walk<'a> {
    scopes: &'a [Scope],
    record: &'a [u8],
    counts: [usize; MAX_COUNTERS],
    out: Expanded,
}

impl<'a> Walk<'a> {
    /// The record or one element, which begins at `start`.
    fn area(&mut self, scope: usize, start: usize) -> Result<(), Box<ConvertError>> {
        let scopes: &'a [Scope] = self.scopes;
        let here = &scopes[scope];
        let mut counters = here.counters.iter().peekable();
        let mut done = 0;
        for table in &here.tables {
            self.copy(start + done, table.offset - done);
            while let Some(counter) = counters.next_if(|c| c.offset + c.len <= table.offset) {
                self.count(counter, start)?;
            }
            let count = table.slot.map_or(table.max, |slot| self.counts[slot]);
            if count > table.max {
                let why = format!("is {count}; the table has 0 to {} elements", table.max);
                return Err(ConvertError::new(
                    messages::cb::counter_not_usable(&why),
                    self.out.length,
                ));
            }
            let first = start + table.offset;
            if table.walked {
                for index in 0..count {
                    self.area(table.element_scope, first + index * table.stride)?;
                }
            } else {
                self.copy(first, count * table.stride);
            }
            done = table.end;
        }
        self.copy(start + done, here.len - done);
        counters.try_for_each(|counter| self.count(counter, start))
    }

    fn copy(&mut self, to: usize, len: usize) {
        let from = self.out.length.min(self.record.len());
        let bytes = &self.record[from..self.record.len().min(from + len)];
        self.out.bytes[to..to + bytes.len()].copy_from_slice(bytes);
        self.out.filled[to..to + bytes.len()].fill(true);
        self.out.length += len;
    }

    /// A counter behind the end of a short record is 0.
    fn count(&mut self, counter: &Slot, start: usize) -> Result<(), Box<ConvertError>> {
        let at = start + counter.offset;
        let Leaf::Number { number, .. } = &counter.leaf else {
            return Ok(());
        };
        if self.out.available(at, counter.len) < counter.len {
            self.counts[counter.slot] = 0;
            return Ok(());
        }
        let value = number.read(&self.out.bytes[at..at + counter.len]);
        let why = match value {
            Some(value) if value.negative => "is negative",
            Some(value) => {
                self.counts[counter.slot] = usize::try_from(value.magnitude).unwrap_or(usize::MAX);
                return Ok(());
            }
            None => "is not a number",
        };
        let error = ConvertError::new(messages::cb::counter_not_usable(why), at);
        Err(error.of_field(&counter.field))
    }
}
