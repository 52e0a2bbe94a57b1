//! Types of columns in each engine.
//!
//! SQLite: only affinities that change no value. A DECIMAL has none, so that what the engine's room
//! wrote is what it reads; strings are compared with the collation DB2.

use crate::types::Type;

/// SQLite and PostgreSQL; `None`: there is no such column.
pub fn engine_type(kind: Type) -> Option<(String, String)> {
    let (sqlite, postgres) = match kind {
        Type::SmallInt => ("INTEGER", "smallint".to_owned()),
        Type::Integer => ("INTEGER", "integer".to_owned()),
        Type::BigInt => ("INTEGER", "bigint".to_owned()),
        Type::Decimal { precision, scale } => ("BLOB", format!("numeric({precision},{scale})")),
        Type::DecFloat(_) => ("BLOB", "numeric".to_owned()),
        Type::Real => ("REAL", "real".to_owned()),
        Type::Double => ("REAL", "double precision".to_owned()),
        Type::Char(n) => ("TEXT COLLATE DB2", format!("char({n})")),
        Type::VarChar(_) => ("TEXT COLLATE DB2", "bpchar".to_owned()),
        Type::Clob(_) | Type::DbClob(_) => ("TEXT COLLATE DB2", "bpchar".to_owned()),
        Type::Graphic(n) => ("TEXT COLLATE DB2", format!("char({n})")),
        Type::VarGraphic(_) => ("TEXT COLLATE DB2", "bpchar".to_owned()),
        Type::CharBit(_)
        | Type::VarCharBit(_)
        | Type::Binary(_)
        | Type::VarBinary(_)
        | Type::Blob(_) => ("BLOB", "bytea".to_owned()),
        Type::Date => ("TEXT", "date".to_owned()),
        Type::Time => ("TEXT", "time(0)".to_owned()),
        Type::Timestamp(digits @ ..=6) => ("TEXT", format!("timestamp({digits})")),
        Type::Timestamp(_) | Type::RowId | Type::Xml | Type::Unknown => return None,
    };
    Some((sqlite.to_owned(), postgres))
}
