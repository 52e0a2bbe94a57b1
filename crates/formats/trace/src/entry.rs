//! One trace entry: eight words of memory.

use crate::component::Component;

/// Words of an entry.
pub const ENTRY_WORDS: usize = 8;
/// Bytes of a user's data that one entry behind the user's own has.
pub const DATA_BYTES: usize = 32;

/// Where an entry is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Point {
    /// A task has begun in its worker.
    Attach = 1,
    /// It has ended; `resource` is the abend code, where there is one.
    Detach = 2,
    /// An EXEC CICS command begins.
    CommandEntry = 3,
    /// It has ended, with RESP and RESP2.
    CommandExit = 4,
    /// The worker asks the region.
    RequestEntry = 5,
    /// The answer has come.
    RequestExit = 6,
    /// The task waits; `resource` is what for.
    Suspend = 7,
    Resume = 8,
    /// An EXEC SQL statement begins.
    SqlEntry = 9,
    /// It has ended; `resp2` is SQLCODE.
    SqlExit = 10,
    /// An abend, by command, program check or purge; `resource` is its code.
    Abend = 11,
    /// EXEC CICS ENTER TRACENUM; `resp` is its number, `resp2` the length of its data, which
    /// [`Point::Data`] entries behind it have.
    User = 12,
    /// The same with EXCEPTION.
    UserException = 13,
    Data = 14,
    /// A program came back to the one that linked to it.
    LinkReturn = 15,
}

const POINTS: &[(Point, &str)] = &[
    (Point::Attach, "ATTACH"),
    (Point::Detach, "DETACH"),
    (Point::CommandEntry, "ENTRY"),
    (Point::CommandExit, "EXIT"),
    (Point::RequestEntry, "REQUEST"),
    (Point::RequestExit, "ANSWER"),
    (Point::Suspend, "SUSPEND"),
    (Point::Resume, "RESUME"),
    (Point::SqlEntry, "SQL ENTRY"),
    (Point::SqlExit, "SQL EXIT"),
    (Point::Abend, "ABEND"),
    (Point::User, "USER"),
    (Point::UserException, "USER EXC"),
    (Point::Data, "DATA"),
    (Point::LinkReturn, "RETURNED"),
];

impl Point {
    /// By its number.
    fn of(number: u8) -> Option<Self> {
        let known = POINTS.iter().find(|(point, _)| *point as u8 == number);
        known.map(|(point, _)| *point)
    }

    /// As lists name it.
    pub fn name(self) -> &'static str {
        let known = POINTS.iter().find(|(point, _)| *point == self);
        known.map_or("", |(_, name)| name)
    }

    /// Recorded whatever is switched off.
    pub fn is_exception(self) -> bool {
        matches!(self, Self::Abend | Self::UserException)
    }
}

/// One entry. `number`, `time_ns`, `task` and `transid` are filled in where it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Counts the entries of a ring, from 1.
    pub number: u64,
    /// Nanoseconds since 1970 UTC.
    pub time_ns: u64,
    pub task: u32,
    pub transid: [u8; 4],
    pub component: Component,
    pub point: Point,
    pub program: [u8; 8],
    /// Line of the program's source; 0: none.
    pub line: u32,
    pub resource: [u8; 8],
    /// Number of the command in the command table; 0 where there is none.
    pub command: u16,
    pub resp: u16,
    pub resp2: u32,
    /// Data of a user; a part of the words above it belongs to them in a [`Point::Data`] entry.
    pub data: [u8; 8],
}

/// When an entry is made, and for which task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made {
    /// Nanoseconds since 1970 UTC.
    pub time_ns: u64,
    pub task: u32,
    pub transid: [u8; 4],
}

impl Entry {
    /// An entry that says nothing but where it was made.
    pub fn new(component: Component, point: Point) -> Self {
        Self {
            number: 0,
            time_ns: 0,
            task: 0,
            transid: [b' '; 4],
            component,
            point,
            program: [b' '; 8],
            line: 0,
            resource: [b' '; 8],
            command: 0,
            resp: 0,
            resp2: 0,
            data: [0; 8],
        }
    }

    /// The words of memory; the first is the number.
    #[inline]
    pub fn words(&self) -> [u64; ENTRY_WORDS] {
        let made = Made {
            time_ns: self.time_ns,
            task: self.task,
            transid: self.transid,
        };
        self.words_of(self.number, &made)
    }

    /// The same for one that is stored now. An entry is read field by field and not copied before:
    /// that is most of what making one costs.
    #[inline]
    pub fn words_of(&self, number: u64, made: &Made) -> [u64; ENTRY_WORDS] {
        let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let kind = u32::from(self.component.0) << 16 | u32::from(self.point as u8);
        let resp = u32::from(self.command) << 16 | u32::from(self.resp);
        [
            number,
            made.time_ns,
            pair(made.task, kind),
            pair(u32::from_be_bytes(made.transid), self.line),
            u64::from_be_bytes(self.program),
            u64::from_be_bytes(self.resource),
            pair(resp, self.resp2),
            u64::from_be_bytes(self.data),
        ]
    }

    /// Back from them; `None`: they are no entry.
    pub fn of(words: [u64; ENTRY_WORDS]) -> Option<Self> {
        let high = |word: u64| (word >> 32) as u32;
        let [number, time_ns, kind, place, program, resource, resp, data] = words;
        let component = Component((kind >> 16) as u8);
        Some(Self {
            number,
            time_ns,
            task: high(kind),
            transid: high(place).to_be_bytes(),
            component,
            point: Point::of(kind as u8)?,
            program: program.to_be_bytes(),
            line: place as u32,
            resource: resource.to_be_bytes(),
            command: (resp >> 48) as u16,
            resp: high(resp) as u16,
            resp2: resp as u32,
            data: data.to_be_bytes(),
        })
    }

    /// Bytes of the user that a [`Point::Data`] entry has; `line` is how many.
    pub fn user_data(&self) -> Vec<u8> {
        let resp = u32::from(self.command) << 16 | u32::from(self.resp);
        let pair = u64::from(resp) << 32 | u64::from(self.resp2);
        let all = [self.program, self.resource, pair.to_be_bytes(), self.data].concat();
        let bytes = usize::try_from(self.line).unwrap_or(0).min(DATA_BYTES);
        all[..bytes].to_vec()
    }
}

/// The data of a user, as entries behind the user's own.
pub fn data_entries(data: &[u8]) -> impl Iterator<Item = Entry> {
    data.chunks(DATA_BYTES).map(|chunk| {
        let mut bytes = [0; DATA_BYTES];
        bytes[..chunk.len()].copy_from_slice(chunk);
        let word = |at: usize| -> [u8; 8] {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            word
        };
        let pair = u64::from_be_bytes(word(16));
        Entry {
            program: word(0),
            resource: word(8),
            command: (pair >> 48) as u16,
            resp: (pair >> 32) as u16,
            resp2: pair as u32,
            data: word(24),
            line: chunk.len() as u32,
            ..Entry::new(Component::AP, Point::Data)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_from_its_words() {
        let entry = Entry {
            number: 7,
            time_ns: 1_700_000_000_123_456_789,
            task: 4_711,
            transid: *b"PAY1",
            program: *b"PAYROLL ",
            line: 120,
            resource: *b"ACCOUNTS",
            command: 17,
            resp: 13,
            resp2: 80,
            data: *b"01234567",
            ..Entry::new(Component::EI, Point::CommandExit)
        };
        assert_eq!(Entry::of(entry.words()), Some(entry));
        let mut damaged = entry.words();
        damaged[2] |= 0xFF;
        assert_eq!(Entry::of(damaged), None);
        for (point, _) in POINTS {
            let entry = Entry::new(Component::AP, *point);
            assert_eq!(Entry::of(entry.words()), Some(entry));
        }
    }

    #[test]
    fn data_of_a_user_take_as_many_entries_as_they_need() {
        let data: Vec<u8> = (0..100).collect();
        let entries: Vec<Entry> = data_entries(&data).collect();
        assert_eq!(entries.len(), 4);
        let back = entries
            .iter()
            .map(|entry| Entry::of(entry.words()).unwrap());
        assert_eq!(back.flat_map(|e| e.user_data()).collect::<Vec<u8>>(), data);
        assert_eq!(data_entries(&[]).count(), 0);
    }
}
