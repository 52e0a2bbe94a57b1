//! Running a rewritten text: values in, rows out.

use super::errors::{self, RESOURCE};
use super::values;
use crate::statements::{BYTES_MAX, Ran, Run, coded, size};
use rusqlite::Connection;
use transom_sql::{Kind, Type};
use transom_wire::sql::{SqlAnswer, SqlRow};

/// A text changes nothing.
pub(super) fn only_reads(connection: &Connection, run: &Run<'_>) -> Result<bool, SqlAnswer> {
    let prepared = connection.prepare_cached(&run.rewritten.text);
    let prepared = prepared.map_err(|error| errors::answer(&error, false))?;
    Ok(prepared.readonly())
}

/// Runs a text, in the turn to write where it writes.
pub(super) fn run_text(connection: &Connection, run: &Run<'_>) -> Result<Ran, SqlAnswer> {
    let rewritten = run.rewritten;
    let deletes = matches!(run.plan.statement.kind, Kind::Delete { .. });
    let failed = |error: rusqlite::Error| errors::answer(&error, deletes);
    let bound = values::all(run.values, &rewritten.parameters)?;
    let prepared = connection.prepare_cached(&rewritten.text);
    let mut statement = prepared.map_err(failed)?;
    let before = connection.total_changes();
    // Statements behind the first have its parameters, used or not.
    let mut numbered = (1..=statement.parameter_count()).zip(bound);
    let bind = |(n, value)| statement.raw_bind_parameter(n, value);
    numbered.try_for_each(bind).map_err(failed)?;
    let hidden = usize::from(rewritten.row_id);
    let columns = statement.column_count().saturating_sub(hidden);
    let mut ran = Ran::default();
    let mut bytes = 0;
    let mut found = statement.raw_query();
    while let Some(row) = found.next().map_err(failed)? {
        let mut values = Vec::with_capacity(columns);
        for n in 0..columns {
            let kind = rewritten.columns.get(n).map_or(Type::Unknown, |c| c.kind);
            let value = values::result(row.get_ref(n).map_err(failed)?, kind);
            let value = value.ok_or_else(|| damaged(n))?;
            bytes += size(&value);
            values.push(value);
        }
        if rewritten.row_id {
            ran.ids.push(row.get(columns).map_err(failed)?);
        }
        ran.rows.push(SqlRow { values });
        if bytes > BYTES_MAX {
            let text = "the rows of a result are more than fit in storage";
            return Err(RESOURCE.unavailable("00C90084", text));
        }
        if run.most.is_some_and(|most| ran.rows.len() >= most) {
            break;
        }
    }
    drop(found);
    drop(statement);
    if connection.total_changes() > before {
        ran.changed = connection.changes();
    }
    Ok(ran)
}

/// Bytes of the database that are no value of their type.
fn damaged(column: usize) -> SqlAnswer {
    let text = format!("column {} holds no value of its type", column + 1);
    SqlAnswer {
        text: text.clone(),
        ..coded(-901, vec![text])
    }
}
