//! Statements on a session, without a task around it.
//!
//! What: one statement with its values, as a count or as rows in blocks; what it takes and gives.
//! Whoever has the session ends its unit of work. Not here: which thread (`threads`), services.

use crate::kept::Kept;
use crate::values;
use transom_region_api::{Given, RestBlock, RestColumn, RestFailure};
use transom_region_sql::SqlSession;
use transom_types::UserId;
use transom_wire::sql::{
    Request, SqlAnswer, SqlColumn, SqlCursor, SqlDescribed, SqlFetch, SqlFrom, SqlInput, SqlRow,
    SqlValue,
};

/// Rows of a block of what is our own.
const BLOCK_ROWS: u32 = 128;
/// Name of statements and cursors on a session.
const NAME: &str = "DSNREST.S";

/// Why a statement did nothing.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The database refused.
    Sql(Box<SqlAnswer>),
    /// It was not asked.
    Before(RestFailure),
}

impl From<RestFailure> for Failed {
    fn from(failure: RestFailure) -> Self {
        Self::Before(failure)
    }
}

impl From<Failed> for RestFailure {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Before(failure) => failure,
            Failed::Sql(answer) => {
                let text = transom_sql::text(answer.code, &answer.tokens);
                Self::Sql {
                    code: answer.code,
                    state: String::from_utf8_lossy(&answer.state).into_owned(),
                    text: match answer.text.as_str() {
                        "" => text,
                        more => format!("{text} ({more})"),
                    },
                }
            }
        }
    }
}

/// What a service takes and gives at this moment: its tables may have been changed.
pub(crate) struct Described {
    /// In the order of the text.
    pub(crate) markers: Vec<RestColumn>,
    pub(crate) columns: Vec<RestColumn>,
}

/// Prepares the statement of a service for a user.
pub(crate) fn prepare(
    session: &mut dyn SqlSession,
    kept: &Kept,
    by: UserId,
) -> Result<Described, Failed> {
    let from = from(&kept.name.name, by.as_str());
    if !kept.qualifier.is_empty() {
        let schema = kept.qualifier.replace('\'', "''");
        let text = format!("SET CURRENT SCHEMA = '{schema}'");
        ask(session, execute_of(&from, text, Vec::new()))?;
    }
    let prepare = Request::Prepare {
        from,
        name: NAME.to_owned(),
        text: kept.text.text.clone(),
    };
    let columns = ask(session, prepare)?.columns;
    let markers = match kept.text.markers.is_empty() {
        true => Vec::new(),
        false => {
            let (name, what) = (NAME.to_owned(), SqlDescribed::Input);
            ask(session, Request::Describe { name, what })?.columns
        }
    };
    Ok(Described {
        markers: named(&markers, |n| kept.text.markers.get(n).cloned())?,
        columns: columns_of(&columns)?,
    })
}

/// The values of a request in the order of the text.
pub(crate) fn inputs(
    described: &Described,
    given: &[(String, Given)],
) -> Result<Vec<SqlInput>, RestFailure> {
    let of = |marker: &RestColumn| {
        let found = given.iter().rfind(|(name, _)| *name == marker.name);
        match found {
            Some((_, given)) => values::input(marker, given),
            None => Err(RestFailure::BadValue(format!(
                "the parameter {} is missing",
                marker.name
            ))),
        }
    };
    described.markers.iter().map(of).collect()
}

/// Runs the prepared statement that changes rows.
pub(crate) fn change(
    session: &mut dyn SqlSession,
    kept: &Kept,
    by: UserId,
    inputs: Vec<SqlInput>,
) -> Result<u64, Failed> {
    let run = Request::ExecutePrepared {
        from: from(&kept.name.name, by.as_str()),
        name: NAME.to_owned(),
        inputs,
    };
    Ok(u64::from(ask(session, run)?.count))
}

/// Opens a cursor over the rows of the prepared statement.
pub(crate) fn open(
    session: &mut dyn SqlSession,
    kept: &Kept,
    by: UserId,
    inputs: Vec<SqlInput>,
) -> Result<(), Failed> {
    let open = Request::OpenPrepared {
        from: from(&kept.name.name, by.as_str()),
        cursor: cursor(),
        name: NAME.to_owned(),
        inputs,
    };
    ask(session, open).map(drop)
}

/// The next rows of the cursor.
pub(crate) fn block(session: &mut dyn SqlSession, rows: u32) -> Result<RestBlock, Failed> {
    let answer = fetch(session, rows)?;
    Ok(RestBlock {
        last: answer.end || answer.rows.is_empty(),
        rows: answer.rows.into_iter().map(values::row).collect(),
    })
}

/// All rows of a query that is our own.
pub(crate) fn rows(session: &mut dyn SqlSession, text: &str) -> Result<Vec<SqlRow>, Failed> {
    let open = Request::Open {
        from: from("DSNREST", ""),
        cursor: cursor(),
        text: text.to_owned(),
        inputs: Vec::new(),
    };
    ask(session, open)?;
    let mut rows = Vec::new();
    loop {
        let answer = fetch(session, BLOCK_ROWS)?;
        let last = answer.end || answer.rows.is_empty();
        rows.extend(answer.rows);
        if last {
            break;
        }
    }
    ask(session, Request::Close(NAME.to_owned()))?;
    Ok(rows)
}

/// Runs a statement that is our own.
pub(crate) fn execute(
    session: &mut dyn SqlSession,
    text: &str,
    inputs: Vec<SqlInput>,
) -> Result<SqlAnswer, Failed> {
    let run = execute_of(&from("DSNREST", ""), text.to_owned(), inputs);
    ask(session, run)
}

/// A cell of a row as text; one without a value is empty.
pub(crate) fn cell(row: &SqlRow, n: usize) -> String {
    match row.values.get(n) {
        Some(SqlValue::Null) | None => String::new(),
        Some(value) => value.to_string(),
    }
}

fn fetch(session: &mut dyn SqlSession, rows: u32) -> Result<SqlAnswer, Failed> {
    let fetch = Request::Fetch {
        cursor: NAME.to_owned(),
        to: SqlFetch::Next,
        rows,
    };
    ask(session, fetch)
}

/// Warnings are none to a client: it has the rows, or how many were changed.
fn ask(session: &mut dyn SqlSession, request: Request) -> Result<SqlAnswer, Failed> {
    let answer = session.run(request);
    match answer.code < 0 {
        true => Err(Failed::Sql(Box::new(answer))),
        false => Ok(answer),
    }
}

/// Names are those of CURRENT SCHEMA, which BIND's QUALIFIER has set or the settings have.
fn from(program: &str, user: &str) -> SqlFrom {
    SqlFrom {
        program: program.to_owned(),
        user: user.to_owned(),
        dynamic: true,
    }
}

fn execute_of(from: &SqlFrom, text: String, inputs: Vec<SqlInput>) -> Request {
    Request::Execute {
        from: from.clone(),
        text,
        inputs,
    }
}

fn cursor() -> SqlCursor {
    SqlCursor {
        name: NAME.to_owned(),
        hold: false,
        update: false,
        scroll: false,
        sensitive: false,
        rowset: false,
    }
}

/// Columns that can be members of an object: each has a name of its own.
fn columns_of(columns: &[SqlColumn]) -> Result<Vec<RestColumn>, RestFailure> {
    for (n, column) in columns.iter().enumerate() {
        if column.name.is_empty() {
            return Err(RestFailure::Refused(format!(
                "column {} of the result has no name; AS gives it one",
                n + 1
            )));
        }
        if columns[..n].iter().any(|other| other.name == column.name) {
            return Err(RestFailure::Refused(format!(
                "two columns of the result have the name {}; AS gives one another",
                column.name
            )));
        }
    }
    named(columns, |n| {
        columns.get(n).map(|column| column.name.clone())
    })
}

fn named(
    columns: &[SqlColumn],
    name: impl Fn(usize) -> Option<String>,
) -> Result<Vec<RestColumn>, RestFailure> {
    let all = columns.iter().enumerate();
    all.map(|(n, column)| values::column(column, &name(n).unwrap_or_default()))
        .collect()
}
