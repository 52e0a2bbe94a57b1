//! What the region is asked for a statement.
//!
//! Not here: asking (`region/commands`), values (`input`).

use crate::input::values;
use transom_commands::sql::{
    FLAG_HOLD, FLAG_ROWSET, FLAG_SCROLL, FLAG_SENSITIVE, FLAG_UPDATE, Verb, View,
};
use transom_types::UserId;
use transom_wire::sql::{Request, SqlCursor, SqlDescribed, SqlFetch, SqlFrom, SqlInput, SqlValue};
use transom_workers::seam::SqlCall;

/// Who runs a statement.
pub fn from(view: &View<'_>, user: UserId) -> SqlFrom {
    let of_program = [Verb::Prepare, Verb::ExecuteImmediate, Verb::DescribeTable];
    SqlFrom {
        program: view.program.to_owned(),
        user: user.as_str().to_owned(),
        dynamic: of_program.contains(&view.verb),
    }
}

/// What the region is asked for a statement that is no FETCH.
pub fn request(view: &View<'_>, user: UserId, inputs: Vec<SqlInput>) -> Request {
    let text = view.text.to_owned();
    let from = from(view, user);
    let name = || qualified(view.program, view.cursor);
    match view.verb {
        Verb::Select => Request::Select { from, text, inputs },
        Verb::Open => Request::Open {
            from,
            cursor: described(view),
            text,
            inputs,
        },
        Verb::OpenPrepared => Request::OpenPrepared {
            from,
            cursor: described(view),
            name: qualified(view.program, &text),
            inputs,
        },
        Verb::Close => Request::Close(name()),
        Verb::Prepare => Request::Prepare {
            from,
            name: name(),
            text: given_text(inputs, text),
        },
        Verb::ExecutePrepared => Request::ExecutePrepared {
            from,
            name: name(),
            inputs,
        },
        Verb::ExecuteImmediate => Request::Immediate {
            from,
            text: given_text(inputs, text),
        },
        Verb::Describe => Request::Describe {
            name: name(),
            what: match view.text {
                "INPUT" => SqlDescribed::Input,
                _ => SqlDescribed::Output,
            },
        },
        Verb::DescribeTable => Request::DescribeTable {
            from,
            name: given_text(inputs, text),
        },
        // Those of several rows ask by themselves.
        Verb::Execute
        | Verb::Fetch
        | Verb::FetchRows
        | Verb::InsertRows
        | Verb::Commit
        | Verb::Rollback
        | Verb::Diagnostics => Request::Execute { from, text, inputs },
    }
}

/// Names of cursors and prepared statements are those of one program.
pub fn qualified(program: &str, name: &str) -> String {
    format!("{program}.{name}")
}

fn described(view: &View<'_>) -> SqlCursor {
    SqlCursor {
        name: qualified(view.program, view.cursor),
        hold: view.has(FLAG_HOLD),
        update: view.has(FLAG_UPDATE),
        scroll: view.has(FLAG_SCROLL),
        sensitive: view.has(FLAG_SENSITIVE),
        rowset: view.has(FLAG_ROWSET),
    }
}

/// The text of a dynamic statement.
fn given_text(inputs: Vec<SqlInput>, constant: String) -> String {
    match inputs.into_iter().next().map(|input| input.value) {
        Some(SqlValue::Text(text)) => text,
        _ => constant,
    }
}

/// Where FETCH goes: a word, and for ABSOLUTE and RELATIVE a number or the first input item.
pub fn direction(text: &str, call: &dyn SqlCall) -> Option<SqlFetch> {
    let mut words = text.split_whitespace();
    let word = words.next().unwrap_or("NEXT");
    let number = || match words.clone().next() {
        Some("?") => match values(call).ok()?.into_iter().next()?.value {
            SqlValue::Integer(rows) => Some(rows),
            SqlValue::Decimal {
                digits, scale: 0, ..
            } => i64::try_from(digits).ok(),
            _ => None,
        },
        given => given?.parse().ok(),
    };
    Some(match word {
        "NEXT" => SqlFetch::Next,
        "PRIOR" => SqlFetch::Prior,
        "FIRST" => SqlFetch::First,
        "LAST" => SqlFetch::Last,
        "CURRENT" => SqlFetch::Current,
        "BEFORE" => SqlFetch::Before,
        "AFTER" => SqlFetch::After,
        "ABSOLUTE" => SqlFetch::Absolute(number()?),
        "RELATIVE" => SqlFetch::Relative(number()?),
        _ => return None,
    })
}
