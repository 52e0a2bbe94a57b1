//! What a server says, as Db2 says it.

pub(super) use crate::statements::not_up;
use crate::statements::{Resource, coded};
use std::error::Error as _;
use tokio_postgres::Error;
use tokio_postgres::error::DbError;
use transom_recovery::StoreError;
use transom_wire::sql::SqlAnswer;

/// The server as SQLERRMC names it.
pub(super) const RESOURCE: Resource = Resource("POSTGRES");
/// In front of an SQLCODE and its tokens, in the text of an error that a function of Transom gave.
const OWN: &str = "SQLCODE ";
/// Between them.
const SEPARATOR: char = '\u{1F}';
/// SQLSTATE of such an error.
const OWN_STATE: &str = "D2000";

/// The answer to a statement that the server refused. `deletes` tells -532 from -530; `back_out`:
/// a wait that failed ends the whole unit of work.
pub(super) fn answer(error: &DbError, deletes: bool, back_out: bool) -> SqlAnswer {
    let text = error.message();
    let token = |token: Option<&str>| vec![token.unwrap_or_default().to_owned()];
    let waited = if back_out { -911 } else { -913 };
    let resource = RESOURCE;
    match error.code().code() {
        OWN_STATE => own(text),
        "23505" => coded(-803, vec![index(error), String::new()]),
        "23503" if deletes => coded(-532, token(error.constraint())),
        "23503" => coded(-530, token(error.constraint())),
        "23502" => coded(-407, token(error.column())),
        // The length of a VARCHAR is a CHECK.
        "23514" if is_length(error) => coded(-404, token(error.column())),
        "23514" => coded(-545, token(error.constraint())),
        "21000" => coded(-811, Vec::new()),
        "22003" => coded(-802, vec!["FIXED POINT OVERFLOW".to_owned()]),
        "22012" => coded(-802, vec!["ZERO DIVIDE".to_owned()]),
        "22001" => coded(-404, Vec::new()),
        "22008" | "22007" => coded(-181, Vec::new()),
        "42P01" | "42704" | "3F000" => coded(-204, token(quoted(text))),
        "42703" => coded(-206, token(quoted(text))),
        "42P07" | "42710" | "42P06" => coded(-601, vec![name_of(text), kind_of(text)]),
        "42501" => SqlAnswer {
            text: text.to_owned(),
            ..coded(-551, vec![String::new(), String::new(), name_of(text)])
        },
        "55P03" => SqlAnswer {
            back_out,
            ..resource.timed_out(waited)
        },
        "40P01" | "40001" => SqlAnswer {
            back_out,
            ..resource.deadlock(waited)
        },
        "57014" => coded(-952, Vec::new()),
        // A function that nobody has made there.
        "42883" => SqlAnswer {
            text: format!("not done on PostgreSQL: {text}"),
            ..coded(-84, Vec::new())
        },
        "53100" => resource.unavailable("00C90083", text),
        class if class.starts_with("53") => resource.unavailable("00C90084", text),
        state => SqlAnswer {
            text: format!("{state}: {text}"),
            ..coded(-901, vec![text.to_owned()])
        },
    }
}

/// A code with its tokens.
fn own(text: &str) -> SqlAnswer {
    let words = text.strip_prefix(OWN).unwrap_or_default();
    let mut words = words.split(SEPARATOR);
    let code = words.next().and_then(|code| code.trim().parse().ok());
    let tokens = words.filter(|word| !word.is_empty()).map(str::to_owned);
    coded(code.unwrap_or(-901), tokens.collect())
}

fn is_length(error: &DbError) -> bool {
    let name = error.constraint().unwrap_or_default();
    name.starts_with("db2_length ")
}

/// The index with its schema, which is that of its table; the table where the index has a name of
/// the server's. Tables without a schema of Db2 lie in `public`.
fn index(error: &DbError) -> String {
    let index = error.constraint().unwrap_or_default();
    let own = index.ends_with("_pkey") || index.ends_with("_key");
    let name = match own {
        true => error.table().unwrap_or_default(),
        false => index,
    };
    match error.schema() {
        Some("public") | None => name.to_owned(),
        Some(schema) => format!("{schema}.{name}"),
    }
}

/// `relation "A" does not exist`
fn quoted(text: &str) -> Option<&str> {
    text.split('"').nth(1)
}

fn name_of(text: &str) -> String {
    quoted(text).unwrap_or_default().to_owned()
}

fn kind_of(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    match word {
        "relation" => "TABLE".to_owned(),
        other => other.to_uppercase(),
    }
}

/// The connection is gone, and with it what was not committed.
pub(super) fn gone(text: &str) -> SqlAnswer {
    SqlAnswer {
        text: text.to_owned(),
        ..coded(-924, vec![String::new(), "00000000".to_owned()])
    }
}

/// In words.
pub(super) fn text(error: &Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(detail), _) => detail.message().to_owned(),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}

/// The server has answered, and goes on with this session.
pub(super) fn of_server(error: &Error) -> Option<&DbError> {
    let detail = error.as_db_error()?;
    // It ends, starts, or has no room for another session.
    let code = detail.code().code();
    let ends = ["57P01", "57P02", "57P03", "57P05"].contains(&code) || code.starts_with("08");
    (!ends).then_some(detail)
}

/// The same for an operation of the database itself.
pub(super) fn of_store(error: &Error) -> StoreError {
    let text = format!("PostgreSQL: {}", text(error));
    let code = error.code().map_or("", |state| state.code());
    match code {
        "55P03" => StoreError::Timeout,
        "40P01" | "40001" => StoreError::Deadlock,
        "28000" | "28P01" | "3D000" | "42501" => StoreError::Wrong(text),
        class if class.starts_with("53") && class != "53300" => StoreError::NoSpace(text),
        _ => StoreError::Unavailable(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_transom_say_their_codes() {
        let answer = own("SQLCODE -171\u{1F}2\u{1F}REPLACE");
        assert_eq!(answer.code, -171);
        assert_eq!(answer.tokens, ["2", "REPLACE"]);
        assert_eq!(own("SQLCODE -811\u{1F}").tokens, Vec::<String>::new());
        assert_eq!(own("else").code, -901);
    }
}
