//! What a LOAD statement says.
//!
//! Not here: reading it (`parse`), columns of a table (`layout`).

use transom_sql::Name;

/// A LOAD statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    pub resume: Resume,
    pub coding: Coding,
    /// FLOAT(IEEE); else FLOAT(S390), the default.
    pub ieee: bool,
    /// In the order of the statement.
    pub tables: Vec<IntoTable>,
}

/// What becomes of the rows that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resume {
    /// RESUME NO, the default: there must be none.
    #[default]
    Empty,
    /// RESUME YES: they stay.
    Add,
    /// REPLACE: they go.
    Replace,
}

/// Code of characters in the records; with the CCSID where one was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    Ebcdic(Option<u32>),
    Ascii(Option<u32>),
    /// UTF-8.
    Unicode,
}

impl Default for Coding {
    fn default() -> Self {
        Self::Ebcdic(None)
    }
}

/// INTO TABLE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntoTable {
    pub name: Name,
    pub resume: Option<Resume>,
    /// WHEN: records all of these hold for. Empty: all records.
    pub when: Vec<Condition>,
    /// IGNOREFIELDS YES: fields that are no columns are skipped.
    pub ignore_fields: bool,
    /// Empty: the columns in their order.
    pub fields: Vec<FieldSpec>,
    /// Its line, from 1.
    pub line: u32,
}

/// A field as the statement says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSpec {
    pub name: String,
    pub position: Position,
    /// `None`: as the column.
    pub kind: Option<FieldKind>,
    pub null_if: Option<Condition>,
    pub line: u32,
}

/// Where a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// POSITION(*), or none: behind the field before.
    Next,
    /// From this byte, from 1, to this one.
    At(u32, Option<u32>),
}

/// Bytes that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// From 1.
    pub first: u32,
    pub last: Option<u32>,
    pub equal: bool,
    pub value: Constant,
}

/// What bytes are compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    /// In the code of the records.
    Text(String),
    Bytes(Vec<u8>),
}

/// Type of a field, with the length that was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    Char(Option<u32>),
    VarChar,
    Binary(Option<u32>),
    VarBinary,
    SmallInt,
    Integer,
    BigInt,
    IntegerExternal(Option<u32>),
    /// DECIMAL and DECIMAL PACKED: digits and scale are those of the column.
    Packed,
    Zoned,
    DecimalExternal(Option<u32>, Option<u32>),
    /// FLOAT with its bits.
    Float(Option<u32>),
    FloatExternal(Option<u32>),
    DateExternal(Option<u32>),
    TimeExternal(Option<u32>),
    TimestampExternal(Option<u32>),
}
