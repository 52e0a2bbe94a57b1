//! The monitoring control table: what a program adds to the record of its task, and where.
//!
//! What: user fields ([`ControlTable::fields`]) and the points of EXEC CICS MONITOR with what each
//! does to them ([`Point`]); fields of CICS that records are to go without. Why as a value with
//! bytes: the region reads the table, workers carry it out. Not here: the macros it is written in
//! (`read`), what a task has in its fields ([`UserFields`](crate::UserFields)).

mod read;

use crate::kind::FieldId;
use crate::known::Known;
use transom_language::language;

/// Most clocks, and most counts, of one entry name.
pub(crate) const NUMBERS_MAX: u16 = 256;
/// Longest string of one entry name.
pub(crate) const STRING_BYTES_MAX: u16 = 8_192;
/// Most bytes of all user fields together.
pub(crate) const USER_BYTES_MAX: usize = 16_384;
/// Bytes of a string that are one field of the stream.
pub(crate) const PIECE_BYTES: u16 = 250;
/// Most points of a table.
pub(crate) const POINTS_MAX: usize = 1_000;
/// Entry name where none is given.
pub const DEFAULT_ENTRY: &str = "USER";

language! {
    /// A table.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ControlTable {
        /// DFHMCTxx.
        pub name: String,
        /// User fields in their order: of each entry name its clocks, its counts, its string in
        /// pieces.
        pub fields: Vec<Known>,
        pub points: Vec<Point>,
        /// Places of fields of CICS in the dictionary that records go without.
        pub excluded: Vec<u8>,
    }

    /// What EXEC CICS MONITOR does with this entry name and number.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Point {
        pub entry: String,
        pub number: u16,
        pub operations: Vec<Operation>,
    }

    /// One operation. Fields are places in [`ControlTable::fields`].
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Operation {
        /// ADDCNT, SUBCNT, NACNT, ORCNT, EXCNT.
        1 = Count { field: u16, how: How, operand: Operand },
        /// MLTCNT: adds words that DATA1 points to, to so many counts from this one on.
        2 = Many { field: u16, counts: u16 },
        /// MOVE: bytes that DATA1 points to go to this place of the string.
        3 = Move { field: u16, at: u16, length: u16 },
        /// SCLOCK.
        4 = Start(field: u16),
        /// PCLOCK.
        5 = Stop(field: u16),
    }

    /// What is done to a count.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum How {
        1 = Add,
        2 = Subtract,
        3 = And,
        4 = Or,
        5 = ExclusiveOr,
    }

    /// Where the other value comes from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Operand {
        1 = Value(value: u32),
        2 = Data1,
        3 = Data2,
    }
}

impl ControlTable {
    /// The point with this entry name and number.
    pub fn point(&self, entry: &str, number: u16) -> Option<&Point> {
        let mut points = self.points.iter();
        points.find(|point| point.number == number && point.entry == entry)
    }

    /// The member that SIT MCT names; `None`: NO.
    pub fn member(value: &str) -> Option<String> {
        match value {
            "NO" | "" => None,
            "YES" => Some("DFHMCT".to_owned()),
            suffix if suffix.len() <= 2 => Some(format!("DFHMCT{suffix}")),
            name => Some(name.to_owned()),
        }
    }

    /// Fields that records go without.
    pub fn excluded(&self) -> impl Iterator<Item = FieldId> {
        self.excluded.iter().copied().map(FieldId)
    }
}
