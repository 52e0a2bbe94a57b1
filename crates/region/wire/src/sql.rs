//! EXEC SQL: what workers ask the region.
//!
//! What: statements in Db2's dialect with their values, and what they answer. Not here: COBOL items
//! (`region/commands`), engines (`region/sql`).

use crate::language;
use std::fmt;
use transom_messages::{self as messages, Message};

language! {
    /// A value of SQL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SqlValue {
        0 = Null,
        1 = Integer(value: i64),
        /// `digits` times ten to the power of minus `scale`.
        2 = Decimal { digits: i128, precision: u8, scale: u8 },
        /// Bits of a double.
        3 = Double(bits: u64),
        4 = Text(text: String),
        5 = Bytes(bytes: Vec<u8>),
    }

    /// A value that a program gives.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlInput {
        /// Code of its type (`transom_sql::Type::code`).
        pub kind: i64,
        pub value: SqlValue,
    }

    /// Who runs a statement.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct SqlFrom {
        /// Its package: the program that was translated.
        pub program: String,
        /// Authorization ID.
        pub user: String,
        /// The text was made by the program: names in it are those of CURRENT SCHEMA.
        pub dynamic: bool,
    }

    /// A cursor as OPEN describes it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlCursor {
        /// Its program and its name: `PAYROLL.C1`.
        pub name: String,
        pub hold: bool,
        pub update: bool,
        pub scroll: bool,
    }

    /// Where FETCH goes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SqlFetch {
        0 = Next,
        1 = Prior,
        2 = First,
        3 = Last,
        4 = Current,
        5 = Before,
        6 = After,
        7 = Absolute(row: i64),
        8 = Relative(rows: i64),
    }

    /// What DESCRIBE tells of a prepared statement.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SqlDescribed {
        /// Columns of its rows.
        0 = Output,
        /// Parameter markers.
        1 = Input,
    }

    /// A column of a result, or a parameter marker.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlColumn {
        /// Empty: it has none.
        pub name: String,
        /// Code of its type (`transom_sql::Type::code`).
        pub kind: i64,
        pub nullable: bool,
    }

    /// What a worker asks. Each answers an [`SqlAnswer`].
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Request {
        /// A statement that answers one row.
        1 = Select { from: SqlFrom, text: String, inputs: Vec<SqlInput> },
        /// A statement that changes something.
        2 = Execute { from: SqlFrom, text: String, inputs: Vec<SqlInput> },
        3 = Open { from: SqlFrom, cursor: SqlCursor, text: String, inputs: Vec<SqlInput> },
        /// Up to this many rows.
        4 = Fetch { cursor: String, to: SqlFetch, rows: u32 },
        5 = Close(cursor: String),
        6 = Prepare { from: SqlFrom, name: String, text: String },
        7 = ExecutePrepared { from: SqlFrom, name: String, inputs: Vec<SqlInput> },
        8 = OpenPrepared { from: SqlFrom, cursor: SqlCursor, name: String, inputs: Vec<SqlInput> },
        9 = Describe { name: String, what: SqlDescribed },
    }

    /// What became of a statement.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlAnswer {
        /// SQLCODE.
        pub code: i32,
        /// SQLSTATE.
        pub state: [u8; 5],
        /// What SQLERRMC holds, without separators.
        pub tokens: Vec<String>,
        /// SQLERRD(3): rows that were changed.
        pub count: u32,
        /// The whole unit of work must be backed out before the program learns of it.
        pub back_out: bool,
        /// Changes were made, or locks are held: there is something to end.
        pub touched: bool,
        /// The last of them is the last row.
        pub end: bool,
        /// Rows.
        pub rows: Vec<SqlRow>,
        /// What DESCRIBE and PREPARE tell.
        pub columns: Vec<SqlColumn>,
        /// For the operator; empty: nothing.
        pub text: String,
    }

    /// A row.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlRow {
        pub values: Vec<SqlValue>,
    }
}

impl SqlAnswer {
    /// It is done.
    pub fn done() -> Self {
        Self::of(0, *b"00000")
    }

    /// What the operator is told of the statement of a task.
    pub fn told(&self, task: u32) -> Option<Message> {
        let reason = Some(&self.text).filter(|text| !text.is_empty())?;
        Some(messages::sq::statement_failed(task, self.code, reason))
    }

    /// A code and its state.
    pub fn of(code: i32, state: [u8; 5]) -> Self {
        Self {
            code,
            state,
            tokens: Vec::new(),
            count: 0,
            back_out: false,
            touched: false,
            end: false,
            rows: Vec::new(),
            columns: Vec::new(),
            text: String::new(),
        }
    }
}

/// For people: all digits of a decimal, bytes in hexadecimal.
impl fmt::Display for SqlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Integer(number) => number.fmt(f),
            Self::Decimal { digits, scale, .. } => {
                let scale = usize::from(*scale);
                let text = format!("{:0width$}", digits.unsigned_abs(), width = scale + 1);
                let (whole, part) = text.split_at(text.len() - scale);
                let sign = if *digits < 0 { "-" } else { "" };
                let point = if scale == 0 { "" } else { "." };
                write!(f, "{sign}{whole}{point}{part}")
            }
            Self::Double(bits) => f64::from_bits(*bits).fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02X}")),
        }
    }
}
