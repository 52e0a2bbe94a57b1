//! Values put aside while keys pass each other.
//!
//! Why: a column of SQLite takes bytes whatever its type, so a row can have a key that no other row
//! has or will have. Not here: which statements do it (`formats/sql`, `passing`).

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error, Result};

/// What no value of a program begins with.
const MARK: &[u8] = b"\x00\xFFtransom-aside";

/// `db2_aside` and `db2_back`.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("db2_aside", 1, flags, |context| Ok(aside(context)))?;
    connection.create_scalar_function("db2_back", 1, flags, back)
}

fn aside(context: &Context<'_>) -> Vec<u8> {
    let (kind, bytes) = match context.get_raw(0) {
        ValueRef::Null => (0, Vec::new()),
        ValueRef::Integer(number) => (1, number.to_be_bytes().to_vec()),
        ValueRef::Real(number) => (2, number.to_bits().to_be_bytes().to_vec()),
        ValueRef::Text(text) => (3, text.to_vec()),
        ValueRef::Blob(bytes) => (4, bytes.to_vec()),
    };
    [MARK, &[kind], &bytes].concat()
}

fn back(context: &Context<'_>) -> Result<Value> {
    let wrong = || Error::UserFunctionError("a value that was not put aside".into());
    let ValueRef::Blob(bytes) = context.get_raw(0) else {
        return Err(wrong());
    };
    let (kind, bytes) = bytes
        .strip_prefix(MARK)
        .and_then(<[u8]>::split_first)
        .ok_or_else(wrong)?;
    let eight = || <[u8; 8]>::try_from(bytes).map_err(|_| wrong());
    Ok(match kind {
        0 => Value::Null,
        1 => Value::Integer(i64::from_be_bytes(eight()?)),
        2 => Value::Real(f64::from_bits(u64::from_be_bytes(eight()?))),
        3 => Value::Text(String::from_utf8(bytes.to_vec()).map_err(|_| wrong())?),
        4 => Value::Blob(bytes.to_vec()),
        _ => return Err(wrong()),
    })
}
