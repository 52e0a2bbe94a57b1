//! Texts: dates in their one form, characters in the code page of programs.

use transom_sql::{Family, Type};

/// A date, time or timestamp in the form the database has.
pub(super) fn datetime(text: &str, kind: Type) -> Result<String, i32> {
    match kind.family() {
        Family::Date => transom_sql::date(text),
        Family::Time => transom_sql::time(text),
        _ => transom_sql::timestamp(text),
    }
}

/// Bytes of a text in the code page of programs.
pub(super) fn latin(text: &str) -> Vec<u8> {
    let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?');
    text.chars().map(byte).collect()
}
