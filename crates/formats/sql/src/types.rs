//! Data types of Db2.
//!
//! Why: DECIMAL must stay exact on each engine, so whoever rewrites an expression knows its type.
//! Not here: how an engine represents a value.

use std::fmt;

/// A built-in type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Type {
    /// Not known: a parameter marker without a context, NULL, a table nobody described.
    #[default]
    Unknown,
    SmallInt,
    Integer,
    BigInt,
    Decimal {
        precision: u8,
        scale: u8,
    },
    /// 16 or 34 digits.
    DecFloat(u8),
    Real,
    Double,
    /// In bytes, as all lengths here but those of graphic strings.
    Char(u32),
    VarChar(u32),
    Clob(u32),
    /// In double-byte characters.
    Graphic(u32),
    VarGraphic(u32),
    DbClob(u32),
    /// CHAR FOR BIT DATA.
    CharBit(u32),
    /// VARCHAR FOR BIT DATA.
    VarCharBit(u32),
    Binary(u32),
    VarBinary(u32),
    Blob(u32),
    Date,
    Time,
    /// With digits of a second, 0 to 12.
    Timestamp(u8),
    RowId,
    Xml,
}

/// What can be compared and assigned with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Unknown,
    Number,
    Character,
    Graphic,
    /// Bytes without a code page.
    Bytes,
    Date,
    Time,
    Timestamp,
    Other,
}

/// Most digits of a DECIMAL.
pub const DECIMAL_MAX: u8 = 31;

impl Type {
    pub const fn decimal(precision: u8, scale: u8) -> Self {
        Self::Decimal { precision, scale }
    }

    pub const fn family(self) -> Family {
        match self {
            Self::Unknown => Family::Unknown,
            Self::SmallInt
            | Self::Integer
            | Self::BigInt
            | Self::Decimal { .. }
            | Self::DecFloat(_)
            | Self::Real
            | Self::Double => Family::Number,
            Self::Char(_) | Self::VarChar(_) | Self::Clob(_) => Family::Character,
            Self::Graphic(_) | Self::VarGraphic(_) | Self::DbClob(_) => Family::Graphic,
            Self::CharBit(_)
            | Self::VarCharBit(_)
            | Self::Binary(_)
            | Self::VarBinary(_)
            | Self::Blob(_)
            | Self::RowId => Family::Bytes,
            Self::Date => Family::Date,
            Self::Time => Family::Time,
            Self::Timestamp(_) => Family::Timestamp,
            Self::Xml => Family::Other,
        }
    }

    pub const fn is_number(self) -> bool {
        matches!(self.family(), Family::Number)
    }

    /// SMALLINT, INTEGER, BIGINT.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::SmallInt | Self::Integer | Self::BigInt)
    }

    /// DECIMAL or DECFLOAT: what SQLite has no type for.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Decimal { .. } | Self::DecFloat(_))
    }

    pub const fn is_datetime(self) -> bool {
        matches!(
            self.family(),
            Family::Date | Family::Time | Family::Timestamp
        )
    }

    pub const fn is_text(self) -> bool {
        matches!(self.family(), Family::Character | Family::Graphic)
    }

    /// CHAR or VARCHAR FOR BIT DATA, which takes characters.
    pub const fn is_bit_data(self) -> bool {
        matches!(self, Self::CharBit(_) | Self::VarCharBit(_))
    }

    /// Length of a string type.
    pub const fn length(self) -> Option<u32> {
        match self {
            Self::Char(n)
            | Self::VarChar(n)
            | Self::Clob(n)
            | Self::Graphic(n)
            | Self::VarGraphic(n)
            | Self::DbClob(n)
            | Self::CharBit(n)
            | Self::VarCharBit(n)
            | Self::Binary(n)
            | Self::VarBinary(n)
            | Self::Blob(n) => Some(n),
            _ => None,
        }
    }

    /// Digits and scale a number has as a DECIMAL; of integers as Db2 converts them.
    pub const fn digits(self) -> Option<(u8, u8)> {
        match self {
            Self::SmallInt => Some((5, 0)),
            Self::Integer => Some((11, 0)),
            Self::BigInt => Some((19, 0)),
            Self::Decimal { precision, scale } => Some((precision, scale)),
            _ => None,
        }
    }

    /// One number for the type, the last argument of `db2_*` functions that need it.
    pub const fn code(self) -> i64 {
        let (kind, first, second) = match self {
            Self::Unknown => (0, 0, 0),
            Self::SmallInt => (1, 0, 0),
            Self::Integer => (2, 0, 0),
            Self::BigInt => (3, 0, 0),
            Self::Decimal { precision, scale } => (4, precision as i64, scale as i64),
            Self::DecFloat(digits) => (5, digits as i64, 0),
            Self::Real => (6, 0, 0),
            Self::Double => (7, 0, 0),
            Self::Char(n) => (8, n as i64, 0),
            Self::VarChar(n) => (9, n as i64, 0),
            Self::Clob(n) => (10, n as i64, 0),
            Self::Graphic(n) => (11, n as i64, 0),
            Self::VarGraphic(n) => (12, n as i64, 0),
            Self::DbClob(n) => (13, n as i64, 0),
            Self::CharBit(n) => (14, n as i64, 0),
            Self::VarCharBit(n) => (15, n as i64, 0),
            Self::Binary(n) => (16, n as i64, 0),
            Self::VarBinary(n) => (17, n as i64, 0),
            Self::Blob(n) => (18, n as i64, 0),
            Self::Date => (19, 0, 0),
            Self::Time => (20, 0, 0),
            Self::Timestamp(digits) => (21, digits as i64, 0),
            Self::RowId => (22, 0, 0),
            Self::Xml => (23, 0, 0),
        };
        kind << 40 | first << 8 | second
    }

    /// The type of a [`Type::code`].
    pub fn from_code(code: i64) -> Option<Self> {
        let first = u32::try_from(code >> 8 & 0xFFFF_FFFF).ok()?;
        let byte = u8::try_from(first).unwrap_or(u8::MAX);
        Some(match code >> 40 {
            0 => Self::Unknown,
            1 => Self::SmallInt,
            2 => Self::Integer,
            3 => Self::BigInt,
            4 => Self::decimal(byte, u8::try_from(code & 0xFF).ok()?),
            5 => Self::DecFloat(byte),
            6 => Self::Real,
            7 => Self::Double,
            8 => Self::Char(first),
            9 => Self::VarChar(first),
            10 => Self::Clob(first),
            11 => Self::Graphic(first),
            12 => Self::VarGraphic(first),
            13 => Self::DbClob(first),
            14 => Self::CharBit(first),
            15 => Self::VarCharBit(first),
            16 => Self::Binary(first),
            17 => Self::VarBinary(first),
            18 => Self::Blob(first),
            19 => Self::Date,
            20 => Self::Time,
            21 => Self::Timestamp(byte),
            22 => Self::RowId,
            23 => Self::Xml,
            _ => return None,
        })
    }
}

/// As DDL and DCLGEN write it.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("UNKNOWN"),
            Self::SmallInt => f.write_str("SMALLINT"),
            Self::Integer => f.write_str("INTEGER"),
            Self::BigInt => f.write_str("BIGINT"),
            Self::Decimal { precision, scale } => write!(f, "DECIMAL({precision}, {scale})"),
            Self::DecFloat(digits) => write!(f, "DECFLOAT({digits})"),
            Self::Real => f.write_str("REAL"),
            Self::Double => f.write_str("DOUBLE"),
            Self::Char(n) => write!(f, "CHAR({n})"),
            Self::VarChar(n) => write!(f, "VARCHAR({n})"),
            Self::Clob(n) => write!(f, "CLOB({n})"),
            Self::Graphic(n) => write!(f, "GRAPHIC({n})"),
            Self::VarGraphic(n) => write!(f, "VARGRAPHIC({n})"),
            Self::DbClob(n) => write!(f, "DBCLOB({n})"),
            Self::CharBit(n) => write!(f, "CHAR({n}) FOR BIT DATA"),
            Self::VarCharBit(n) => write!(f, "VARCHAR({n}) FOR BIT DATA"),
            Self::Binary(n) => write!(f, "BINARY({n})"),
            Self::VarBinary(n) => write!(f, "VARBINARY({n})"),
            Self::Blob(n) => write!(f, "BLOB({n})"),
            Self::Date => f.write_str("DATE"),
            Self::Time => f.write_str("TIME"),
            Self::Timestamp(6) => f.write_str("TIMESTAMP"),
            Self::Timestamp(digits) => write!(f, "TIMESTAMP({digits})"),
            Self::RowId => f.write_str("ROWID"),
            Self::Xml => f.write_str("XML"),
        }
    }
}
