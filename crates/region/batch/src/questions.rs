//! What the program of a step asks of the process that started it.
//!
//! Not here: how a statement of COBOL becomes a question (`worker`), answers (`answers`).

use transom_wire::language;
use transom_wire::sql::Request;

language! {
    /// ORGANIZATION.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FileOrganization {
        0 = Sequential,
        1 = LineSequential,
        2 = Relative,
        3 = Indexed,
    }

    /// ACCESS MODE.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AccessMode {
        1 = Sequential,
        2 = Dynamic,
        3 = Random,
    }

    /// The phrase of OPEN.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OpenMode {
        1 = Input,
        2 = Output,
        3 = InputOutput,
        4 = Extend,
    }

    /// What START compares with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Comparison {
        1 = Equal,
        2 = Less,
        3 = NotGreater,
        4 = Greater,
        5 = NotLess,
    }

    /// RECORD KEY, or ALTERNATE RECORD KEY.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct RecordKey {
        /// First byte in the record, from 0.
        pub offset: u32,
        pub length: u32,
    }

    /// A file as SELECT and FD describe it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Described {
        /// Name behind SELECT.
        pub name: String,
        /// DD name of ASSIGN.
        pub dd: String,
        pub organization: FileOrganization,
        pub access: AccessMode,
        pub optional: bool,
        pub record_min: u32,
        pub record_max: u32,
        /// The first is RECORD KEY.
        pub keys: Vec<RecordKey>,
        /// It has LINAGE.
        pub linage: bool,
        /// WRITE has ADVANCING somewhere.
        pub print: bool,
    }

    /// One statement. `slot` is RELATIVE KEY, 0: there is none.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Statement {
        1 = Open { file: Described, mode: OpenMode },
        2 = Close { lock: bool },
        /// READ NEXT.
        3 = Next,
        4 = Read { key: u32, value: Vec<u8>, slot: u32 },
        /// `option` is ADVANCING, as the edge has it.
        5 = Write { record: Vec<u8>, slot: u32, option: u32 },
        6 = Rewrite { record: Vec<u8>, slot: u32 },
        /// With the record area, in which the key of a KSDS lies.
        7 = Delete { record: Vec<u8>, slot: u32 },
        8 = Start { comparison: Comparison, key: u32, value: Vec<u8>, slot: u32 },
    }

    /// One question.
    #[derive(Debug, Clone)]
    pub enum Question {
        1 = Sql(request: Request),
        /// COMMIT or ROLLBACK.
        2 = End(commit: bool),
        3 = File(number: u32, statement: Statement),
        /// A record of SYSIN.
        4 = Accept,
    }

    /// What becomes of a file statement.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FileAnswer {
        /// File status: its two digits as a number.
        pub status: u8,
        /// The record of a READ, as far as the record area goes; its length.
        pub record: Option<Vec<u8>>,
        /// RELATIVE KEY afterwards; 0: as it is.
        pub slot: u32,
    }
}
