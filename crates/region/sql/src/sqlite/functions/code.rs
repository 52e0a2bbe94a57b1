//! What functions answer, and how their errors become SQLCODEs.

use rusqlite::Error;
use rusqlite::types::Value;
use transom_sql::EngineFunction;

/// The error of a function: an SQLCODE with its tokens.
pub(in crate::sqlite) struct Code(pub(in crate::sqlite) i32, pub(in crate::sqlite) Vec<String>);

impl Code {
    pub(in crate::sqlite) fn new(code: i32) -> Self {
        Self(code, Vec::new())
    }
}

/// What a function answers.
pub(in crate::sqlite) type Answer = std::result::Result<Value, Code>;

/// -1: any number of arguments.
pub(super) fn count(function: &EngineFunction) -> i32 {
    let (least, most) = function.arguments;
    match least == most {
        true => i32::try_from(most).unwrap_or(-1),
        false => -1,
    }
}

pub(super) fn failed(Code(code, tokens): &Code) -> Error {
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    Error::UserFunctionError(crate::sqlite::errors::own(*code, &tokens).into())
}
