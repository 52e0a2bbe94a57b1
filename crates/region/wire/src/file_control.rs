//! What file control of a worker asks of the region.
//!
//! Records are answered as a list of `Found`, positions as a `Position`, numbers as four bytes. Not
//! here: doing it (`region/server/file_control`), conditions of commands.

use crate::codec::Writer;
use crate::language::{self, Value};
use transom_types::{Direction, FileName, Find, Found, Position, Start};

/// RESP2 of a NORMAL answer to a read for update: nothing but the end of the store can refuse a
/// REWRITE of the record with the same key and a length the file allows, as long as the task asks
/// for nothing else.
pub const SURE: u32 = 1;

crate::language! {
    /// How long a request waits for a record lock.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Patience {
        /// NOSUSPEND: not at all.
        pub no_suspend: bool,
        /// DTIMOUT in milliseconds; 0: no limit.
        pub dtimout_ms: u64,
    }

    /// What happens to the tasks that use a file when it is closed or disabled.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Busy {
        /// The command waits for them.
        0 = Wait,
        /// The command does not wait; the file is closed when they have ended.
        1 = NoWait,
        /// They are purged.
        2 = Force,
    }

    /// Where a batch of a browse begins.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum From {
        /// First record, or last one backward.
        0 = End,
        /// This key or the next one.
        1 = At(key: Vec<u8>),
        /// Behind this record.
        2 = After(position: Position),
    }

    /// One question.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Action {
        /// Open the file.
        1 = Open,
        /// One record; for update when there is a patience. Answer: a record, for update with
        /// [`SURE`] where it is.
        2 = Read(key: Vec<u8>, find: Find, update: Option<Patience>),
        /// Add a record, with the slot number of an RRDS. Answer: its position.
        3 = Insert(slot: Option<u32>, record: Vec<u8>, patience: Patience),
        /// Replace the record at a position.
        4 = Rewrite(position: Position, record: Vec<u8>, patience: Patience),
        /// Delete the record at a position.
        5 = Delete(position: Position, patience: Patience),
        /// Delete the record with a key. Answer: one byte, 1 when more have the same alternate key.
        6 = DeleteKey(key: Vec<u8>, patience: Patience),
        /// Delete all records whose key begins so. Answer: their number.
        7 = DeleteGeneric(key: Vec<u8>, patience: Patience),
        /// Give back the lock of a record.
        8 = Unlock(position: Position),
        /// Up to so many records. Answer: records.
        9 = Scan(from: From, direction: Direction, limit: u32),
        /// The record at a position, locked. Answer: a record, or none when it has gone.
        12 = ReadAt(position: Position, patience: Patience),
        /// Close the file.
        10 = Close(busy: Busy),
        /// Disable the file.
        13 = Disable(busy: Busy),
        /// A task ended its use of a file that shall be closed or disabled.
        14 = Left,
        /// Delete all records of the file at its next opening, or at once when it is open.
        11 = Empty,
    }

    /// A question about a file.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FileRequest {
        pub file: FileName,
        pub action: Action,
    }
}

impl std::convert::From<Start<'_>> for From {
    fn from(start: Start<'_>) -> Self {
        match start {
            Start::End => Self::End,
            Start::At(key) => Self::At(key.to_vec()),
            Start::After(position) => Self::After(position.clone()),
        }
    }
}

/// Records as an answer.
pub fn answer_of(records: &[Found]) -> Vec<u8> {
    let mut out = Writer::with_capacity(records.iter().map(|r| r.record.len() + 64).sum());
    Found::put_list(records, &mut out);
    out.0
}

/// The records of an answer; none when it is damaged.
pub fn records_of(answer: &[u8]) -> Vec<Found> {
    language::whole(answer).unwrap_or_default()
}
