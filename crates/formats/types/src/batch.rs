//! Records read ahead, in one piece of memory.
//!
//! What: positions and records of a browse, taken one after the other. Why: a browse reads many
//! records and looks at each once; three allocations for each cost more than finding it. Not here:
//! how a batch is filled (`browse`).

use crate::record::{Found, Position};

/// Records in the order of a browse. Its memory is used again after `clear`.
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    rows: Vec<Row>,
    taken: usize,
}

/// A record of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen<'a> {
    /// As [`Position::key`].
    pub key: &'a [u8],
    /// As [`Position::base`].
    pub base: &'a [u8],
    /// As [`Position::arrival`].
    pub arrival: u64,
    /// The record.
    pub record: &'a [u8],
    /// As [`Found::duplicate`].
    pub duplicate: bool,
}

/// Where the parts of a record end; they follow each other. A base key equal to the key is not
/// stored again.
#[derive(Debug, Clone, Copy)]
struct Row {
    begin: usize,
    key_end: usize,
    base_end: usize,
    record_end: usize,
    arrival: u64,
    duplicate: bool,
}

impl Batch {
    /// Forgets all records.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.rows.clear();
        self.taken = 0;
    }

    /// Nothing is left to take.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.taken >= self.rows.len()
    }

    /// Adds a record behind the others.
    pub fn push(&mut self, seen: Seen<'_>) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(seen.key);
        let key_end = self.bytes.len();
        if seen.base != seen.key {
            self.bytes.extend_from_slice(seen.base);
        }
        let base_end = self.bytes.len();
        self.bytes.extend_from_slice(seen.record);
        self.rows.push(Row {
            begin,
            key_end,
            base_end,
            record_end: self.bytes.len(),
            arrival: seen.arrival,
            duplicate: seen.duplicate,
        });
    }

    /// The next record.
    pub fn take(&mut self) -> Option<Seen<'_>> {
        let row = *self.rows.get(self.taken)?;
        self.taken += 1;
        let key = self.bytes.get(row.begin..row.key_end)?;
        let base = match self.bytes.get(row.key_end..row.base_end)? {
            [] => key,
            base => base,
        };
        Some(Seen {
            key,
            base,
            arrival: row.arrival,
            record: self.bytes.get(row.base_end..row.record_end)?,
            duplicate: row.duplicate,
        })
    }
}

impl Seen<'_> {
    /// With memory of its own.
    #[must_use]
    pub fn to_found(&self) -> Found {
        Found {
            position: Position {
                key: self.key.to_vec(),
                base: self.base.to_vec(),
                arrival: self.arrival,
            },
            record: self.record.to_vec(),
            duplicate: self.duplicate,
        }
    }

    /// Writes where it is into a position that exists.
    pub fn place(&self, position: &mut Position) {
        position.key.clear();
        position.key.extend_from_slice(self.key);
        position.base.clear();
        position.base.extend_from_slice(self.base);
        position.arrival = self.arrival;
    }
}

impl<'a> From<&'a Found> for Seen<'a> {
    fn from(found: &'a Found) -> Self {
        Self {
            key: &found.position.key,
            base: &found.position.base,
            arrival: found.position.arrival,
            record: &found.record,
            duplicate: found.duplicate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_out_as_they_went_in() {
        let seen = |key, base, arrival, record, duplicate| Seen::<'static> {
            key,
            base,
            arrival,
            record,
            duplicate,
        };
        let rows = [
            seen(b"A", b"A", 0, b"ADAMS", false),
            seen(b"SMITH", b"0001", 5, b"", true),
            seen(b"B", b"B", 0, b"BAKER", false),
        ];
        let mut batch = Batch::default();
        for _ in 0..2 {
            rows.iter().for_each(|row| batch.push(*row));
            for row in rows {
                assert!(!batch.is_empty());
                assert_eq!(batch.take(), Some(row));
            }
            assert_eq!(batch.take(), None);
            assert!(batch.is_empty());
            batch.clear();
        }
    }
}
