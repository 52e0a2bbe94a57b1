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
        /// SENSITIVE STATIC: FETCH reads its rows again.
        pub sensitive: bool,
        /// WITH ROWSET POSITIONING.
        pub rowset: bool,
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

    /// Values of one of several rows.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlInputs {
        pub inputs: Vec<SqlInput>,
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

    /// What a worker asks. Each but the last answers an [`SqlAnswer`].
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
        /// INSERT of several rows; the text says whether all or none.
        10 = InsertRows { from: SqlFrom, text: String, rows: Vec<SqlInputs> },
        /// A rowset of so many rows; 0: as many as the one before. No more than `most`.
        11 = FetchRows { cursor: String, to: SqlFetch, rows: u32, most: u32 },
        /// The columns of a table or view.
        12 = DescribeTable { from: SqlFrom, name: String },
        /// How a worker reads the database by itself: a [`SqlReading`].
        13 = Reading,
        /// EXECUTE IMMEDIATE.
        14 = Immediate { from: SqlFrom, text: String },
    }

    /// What became of one of the rows of a statement for several.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlCondition {
        /// From 1.
        pub row: u32,
        pub code: i32,
        pub state: [u8; 5],
        pub tokens: Vec<String>,
    }

    /// What few answers have: rows that were not as they should be.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlConditions {
        /// SQLERRD(5): where in a text that a program made something is wrong, from 1.
        pub position: u32,
        pub all: Vec<SqlCondition>,
    }

    /// The qualifier of a package, or of all whose names begin so (`*`).
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlQualifier {
        pub package: String,
        pub schema: String,
    }

    /// How a worker reads the database by itself.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SqlReading {
        /// Its file.
        pub file: String,
        /// Characters are in the order of code page 037.
        pub ebcdic_order: bool,
        /// Schema of names without one.
        pub schema: String,
        pub packages: Vec<SqlQualifier>,
        /// CURRENT SERVER.
        pub location: String,
    }

    /// What a unit of work has in the database. Where it has changed nothing, a worker that can may
    /// read by itself.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SqlUnit {
        /// Nothing, and only the region reads.
        0 = Free,
        /// Nothing.
        1 = Reads,
        /// It has changed nothing and is to be ended: it has a thread.
        2 = Held,
        /// Changes were made, or locks are held: it is to be ended.
        3 = Touched,
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
        /// What the unit of work has there.
        pub unit: SqlUnit,
        /// The last of them is the last row.
        pub end: bool,
        /// Rows that were not as they should be, of a statement for several.
        pub conditions: Option<Box<SqlConditions>>,
        /// Rows; one without values is a hole.
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

    /// Rows that were not as they should be.
    pub fn conditions(&self) -> &[SqlCondition] {
        self.conditions.as_ref().map_or(&[], |rows| &rows.all)
    }

    /// The same with rows that were not as they should be.
    #[must_use]
    pub fn of_rows(mut self, all: Vec<SqlCondition>) -> Self {
        self.conditions = match all.is_empty() {
            true => None,
            false => Some(Box::new(SqlConditions { position: 0, all })),
        };
        self
    }

    /// SQLERRD(5); 0: nothing is wrong at any place.
    pub fn position(&self) -> u32 {
        self.conditions.as_ref().map_or(0, |more| more.position)
    }

    /// The same with the place in the text where something is wrong.
    #[must_use]
    pub fn at(mut self, position: u32) -> Self {
        let all = Vec::new();
        self.conditions = Some(Box::new(SqlConditions { position, all }));
        self
    }

    /// A code and its state.
    pub fn of(code: i32, state: [u8; 5]) -> Self {
        Self {
            code,
            state,
            tokens: Vec::new(),
            count: 0,
            back_out: false,
            unit: SqlUnit::Free,
            end: false,
            conditions: None,
            rows: Vec::new(),
            columns: Vec::new(),
            text: String::new(),
        }
    }
}

impl SqlUnit {
    /// Of a unit of work that is to be ended or not, and in which a worker may read or not.
    pub fn of(touched: bool, reads: bool) -> Self {
        match (touched, reads) {
            (false, false) => Self::Free,
            (false, true) => Self::Reads,
            (true, true) => Self::Held,
            (true, false) => Self::Touched,
        }
    }

    /// There is something to end.
    pub fn touched(self) -> bool {
        matches!(self, Self::Held | Self::Touched)
    }

    /// A worker that can may read by itself.
    pub fn reads(self) -> bool {
        matches!(self, Self::Reads | Self::Held)
    }
}

impl SqlCondition {
    /// What the statement would have answered for this row alone.
    pub fn of(row: usize, answer: &SqlAnswer) -> Self {
        Self {
            row: u32::try_from(row).unwrap_or(u32::MAX),
            code: answer.code,
            state: answer.state,
            tokens: answer.tokens.clone(),
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
