//! Items that JSON PARSE may fill, as the translated program describes them.
//!
//! Not here: finding them in the program (translator), filling them (`parse`).

use transom_language::language;

language! {
    /// An item under the receiver of the statement, or the receiver itself, which comes first.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Target {
        /// No name: NAME OMITTED.
        pub name: String,
        /// From a NAME phrase: case counts.
        pub exact: bool,
        /// Number of the group it is in.
        pub parent: u32,
        /// SUPPRESS names it.
        pub suppressed: bool,
        /// CONVERTING FROM JSON BOOLEAN names it.
        pub truth: bool,
        /// IGNORING JSON NULL names it.
        pub ignored: bool,
        /// CONVERTING FROM JSON NULL or INDICATING names it: the program is told of null.
        pub null: bool,
        pub table: Table,
        pub receiver: Receiver,
    }

    /// How often it occurs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Table {
        /// It is no table.
        1 = No,
        2 = Fixed(occurrences: u32),
        /// OCCURS DEPENDING ON: the program says how often.
        3 = Depending,
    }

    /// What it takes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Receiver {
        1 = Group,
        /// Characters.
        2 = Text {
            characters: u32,
            justified: bool,
            alphabetic: bool,
        },
        /// Fixed point.
        3 = Number {
            /// Digits before the point; less than none for VP9.
            whole: i32,
            /// Digits behind it; less than none for 9P.
            scale: i32,
            /// Bytes of an item whose bytes are its range, 0: its digits are.
            native: u8,
            signed: bool,
        },
        /// COMP-1 (short) or COMP-2.
        4 = Float {
            short: bool,
        },
    }
}
