//! What SQLite says, as Db2 says it.

use crate::statements::{Resource, coded};
use rusqlite::ffi;
use transom_recovery::StoreError;
use transom_wire::sql::SqlAnswer;

/// The engine as SQLERRMC names it.
pub(super) const RESOURCE: Resource = Resource("SQLITE");
/// In front of an SQLCODE and its tokens, in the text of an error that a function of Transom gave.
const OWN: &str = "SQLCODE ";
/// Between them.
const SEPARATOR: char = '\u{1F}';

/// The text of an error of a function, which [`answer`] reads.
pub(super) fn own(code: i32, tokens: &[&str]) -> String {
    let mut text = format!("{OWN}{code}");
    for token in tokens {
        text.push(SEPARATOR);
        text.push_str(token);
    }
    text
}

/// Nobody reads this answer: the statement is asked elsewhere.
pub(super) fn elsewhere() -> SqlAnswer {
    SqlAnswer::of(-84, *b"42612")
}

/// The answer to a statement that failed. `deletes` tells -532 from -530.
pub(super) fn answer(error: &rusqlite::Error, deletes: bool) -> SqlAnswer {
    let (code, text) = parts(error);
    if let Some(own) = text.find(OWN).map(|at| &text[at + OWN.len()..]) {
        let mut words = own.split(SEPARATOR);
        let code = words.next().and_then(|code| code.trim().parse().ok());
        return coded(code.unwrap_or(-901), words.map(str::to_owned).collect());
    }
    // `UNIQUE constraint failed: EMP.NO, EMP.NAME`
    let names = text.split_once(": ").map_or("", |(_, names)| names);
    let first = table_of(names);
    let column = names.rsplit('.').next().unwrap_or_default();
    let token = |token: &str| vec![token.to_owned()];
    if let Some(tokens) = existing(&text) {
        return coded(-601, tokens);
    }
    if let Some((kind, name)) = missing(&text) {
        return coded(if kind == "column" { -206 } else { -204 }, token(name));
    }
    match code {
        ffi::SQLITE_CONSTRAINT_UNIQUE
        | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        | ffi::SQLITE_CONSTRAINT_ROWID => coded(-803, vec![first.to_owned(), String::new()]),
        ffi::SQLITE_CONSTRAINT_NOTNULL => coded(-407, token(column)),
        // ON DELETE RESTRICT is told as a trigger of the engine.
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY | ffi::SQLITE_CONSTRAINT_TRIGGER if deletes => {
            coded(-532, token(""))
        }
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => coded(-530, token("")),
        ffi::SQLITE_CONSTRAINT_CHECK => coded(-545, token(names)),
        _ => match code & 0xFF {
            ffi::SQLITE_FULL => RESOURCE.unavailable("00C90083", &text),
            ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => RESOURCE.timed_out(-913),
            ffi::SQLITE_TOOBIG => RESOURCE.unavailable("00C90089", &text),
            ffi::SQLITE_INTERRUPT => coded(-952, Vec::new()),
            _ => SqlAnswer {
                text: text.clone(),
                ..coded(-901, vec![text])
            },
        },
    }
}

/// The table of columns that failed, or the index: `index 'A.X#NULL'`. A schema is part of a name.
fn table_of(names: &str) -> &str {
    if let Some(index) = names.strip_prefix("index '") {
        let index = index.trim_end_matches('\'');
        return index.strip_suffix("#NULL").unwrap_or(index);
    }
    let first = names.split(", ").next().unwrap_or_default();
    first.rsplit_once('.').map_or(first, |(table, _)| table)
}

/// What is not there, by kind and name: `no such table: main.A.B`.
fn missing(text: &str) -> Option<(&str, &str)> {
    let (kind, name) = text.strip_prefix("no such ")?.split_once(": ")?;
    let is_known = ["table", "index", "view", "column"].contains(&kind);
    is_known.then(|| (kind, name.strip_prefix("main.").unwrap_or(name)))
}

/// Name and kind of what could not be created because it is there: `table "A.B" already exists`.
fn existing(text: &str) -> Option<Vec<String>> {
    let (kind, name) = text.strip_suffix(" already exists")?.split_once(' ')?;
    let is_object = ["table", "index", "view"].contains(&kind);
    is_object.then(|| vec![name.trim_matches('"').to_owned(), kind.to_uppercase()])
}

/// The same for an operation of the database itself. A commit that failed on the device may have
/// come to it: nobody knows.
pub(super) fn of_store(error: &rusqlite::Error) -> StoreError {
    let (code, text) = parts(error);
    match code & 0xFF {
        ffi::SQLITE_FULL => StoreError::NoSpace(text),
        ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => StoreError::Timeout,
        ffi::SQLITE_NOTADB | ffi::SQLITE_CORRUPT => StoreError::Wrong(text),
        ffi::SQLITE_IOERR => StoreError::Unknown(text),
        _ => StoreError::Io(text),
    }
}

fn parts(error: &rusqlite::Error) -> (i32, String) {
    match error {
        rusqlite::Error::SqliteFailure(failure, text) => {
            let text = text.clone().unwrap_or_else(|| failure.to_string());
            (failure.extended_code, text)
        }
        rusqlite::Error::SqlInputError { error, msg, .. } => (error.extended_code, msg.clone()),
        other => (ffi::SQLITE_ERROR, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_named_with_its_schema() {
        assert_eq!(table_of("EMP.NO, EMP.NAME"), "EMP");
        assert_eq!(table_of("PAY.EMP.NO"), "PAY.EMP");
        assert_eq!(table_of("index 'PAY.X#NULL'"), "PAY.X");
    }

    #[test]
    fn what_is_there_cannot_be_created_again() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let create = |text: &str| connection.execute_batch(text);
        create("CREATE TABLE \"PAY.EMP\" (A); CREATE INDEX X ON \"PAY.EMP\" (A)").unwrap();
        for (text, tokens) in [
            ("CREATE TABLE \"PAY.EMP\" (A)", ["PAY.EMP", "TABLE"]),
            ("CREATE INDEX X ON \"PAY.EMP\" (A)", ["X", "INDEX"]),
        ] {
            let answer = answer(&create(text).unwrap_err(), false);
            assert_eq!(
                (answer.code, answer.tokens),
                (-601, tokens.map(str::to_owned).to_vec())
            );
        }
    }
}
