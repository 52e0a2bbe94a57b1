//! Unload files of Db2: records of a table, and the LOAD statement that says where its columns are.
//!
//! What: [`load_statement()`] reads what DSNTIAUL, UNLOAD and their like write to SYSPUNCH;
//! [`Layout`] lays its fields over the columns of a table and reads records; [`Unload`] writes
//! records and the statement for them. Why a room: a file cut inside a row, a wrong nibble and an
//! unknown column are told here, before a database is asked. Not here: files, rows of a database
//! (region/sql).

#![forbid(unsafe_code)]

mod cards;
mod control;
mod fields;
mod hexfloat;
mod layout;
mod numbers;
mod parse;
mod read;
mod text;
mod unload;

pub use control::{Coding, Condition, Constant, FieldKind, FieldSpec, IntoTable, Load};
pub use control::{Position, Resume};
pub use layout::Layout;
pub use parse::load_statement;
pub use text::Characters;
pub use unload::{Style, Unload};

/// A value of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Integer(i64),
    /// `digits` times ten to the power of minus `scale`.
    Decimal {
        digits: i128,
        precision: u8,
        scale: u8,
    },
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// What is wrong with a field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Its name; empty: the record as a whole.
    pub field: String,
    pub what: String,
}

impl Wrong {
    pub(crate) fn new(field: &str, what: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            what: what.into(),
        }
    }
}
