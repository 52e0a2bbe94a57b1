//! Running a rewritten statement: parameters in, rows out.

use super::cursor::BYTES_MAX;
use super::plan::{Plan, Ran};
use super::session::Session;
use super::{errors, registers, values};
use rusqlite::types::Value;
use transom_recovery::guard::lock;
use transom_sql::{Kind, Rewritten, Type, Value as From};
use transom_wire::sql::{SqlAnswer, SqlInput, SqlRow, SqlValue};

impl Session {
    /// Runs what a plan says, in the turn to write where it writes. At most `most` rows.
    pub(super) fn run_plan(
        &mut self,
        plan: &Plan,
        inputs: &[SqlInput],
        row: Option<i64>,
        most: Option<usize>,
    ) -> Result<Ran, SqlAnswer> {
        let Some(rewritten) = &plan.rewritten else {
            return Ok(Ran::default());
        };
        let mut ran = self.run_text(plan, rewritten, inputs, row, most)?;
        if let Some(other) = rewritten.otherwise.as_ref().filter(|_| ran.changed == 0) {
            ran = self.run_text(plan, other, inputs, row, most)?;
        }
        for text in &rewritten.more {
            let more = Rewritten {
                text: text.clone(),
                parameters: rewritten.parameters.clone(),
                ..Rewritten::default()
            };
            self.run_text(plan, &more, inputs, row, None)?;
        }
        self.keep_numbers()?;
        Ok(ran)
    }

    fn run_text(
        &mut self,
        plan: &Plan,
        rewritten: &Rewritten,
        inputs: &[SqlInput],
        row: Option<i64>,
        most: Option<usize>,
    ) -> Result<Ran, SqlAnswer> {
        let deletes = matches!(plan.statement.kind, Kind::Delete { .. });
        let failed = |error: rusqlite::Error| errors::answer(&error, deletes);
        let bound = self.bound(plan, rewritten, inputs, row)?;
        let readonly = {
            let prepared = self.connection.prepare_cached(&rewritten.text);
            prepared.map_err(failed)?.readonly()
        };
        if !readonly {
            self.begin()?;
        }
        let before = self.connection.total_changes();
        let mut statement = self
            .connection
            .prepare_cached(&rewritten.text)
            .map_err(failed)?;
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
            let values = values_of(row, columns, rewritten)?;
            bytes += values.iter().map(size).sum::<usize>();
            if rewritten.row_id {
                ran.ids.push(row.get(columns).map_err(failed)?);
            }
            ran.rows.push(SqlRow { values });
            if bytes > BYTES_MAX {
                let text = "the rows of a result are more than fit in storage";
                return Err(errors::unavailable("00C90084", text));
            }
            if most.is_some_and(|most| ran.rows.len() >= most) {
                break;
            }
        }
        drop(found);
        drop(statement);
        if self.connection.total_changes() > before {
            ran.changed = self.connection.changes();
        }
        Ok(ran)
    }

    /// One row of a query as it is now; `None`: it is no more, or no row of the result.
    pub(super) fn read_again(
        &self,
        plan: &Plan,
        bound: &[Value],
        id: i64,
    ) -> Result<Option<SqlRow>, SqlAnswer> {
        let Some(rewritten) = &plan.rewritten else {
            return Ok(None);
        };
        let failed = |error: rusqlite::Error| errors::answer(&error, false);
        let columns = rewritten.columns.len();
        let names: Vec<String> = (1..=columns).map(|n| format!("\"{n}\"")).collect();
        let text = format!(
            "WITH \"#Q\" ({}, \"#ID\") AS ({}) SELECT * FROM \"#Q\" WHERE \"#ID\" = ?{}",
            names.join(", "),
            rewritten.text,
            bound.len() + 1,
        );
        let mut statement = self.connection.prepare_cached(&text).map_err(failed)?;
        let all = bound.iter().cloned().chain([Value::Integer(id)]);
        let mut numbered = (1..=bound.len() + 1).zip(all);
        let bind = |(n, value)| statement.raw_bind_parameter(n, value);
        numbered.try_for_each(bind).map_err(failed)?;
        let mut found = statement.raw_query();
        match found.next().map_err(failed)? {
            Some(row) => Ok(Some(SqlRow {
                values: values_of(row, columns, rewritten)?,
            })),
            None => Ok(None),
        }
    }

    /// Values of the parameters.
    pub(super) fn bound(
        &self,
        plan: &Plan,
        rewritten: &Rewritten,
        inputs: &[SqlInput],
        row: Option<i64>,
    ) -> Result<Vec<Value>, SqlAnswer> {
        let mut out = Vec::with_capacity(rewritten.parameters.len());
        let mut now = None;
        for parameter in &rewritten.parameters {
            out.push(match parameter.value {
                From::CurrentRow => row.map_or(Value::Null, Value::Integer),
                From::Register(register) => {
                    let last = lock(&self.taken).last_identity;
                    let text = self.names.text(register, &self.shared.options.qualifiers);
                    registers::value(register, &self.connection, (last, text), &mut now)?
                }
                From::Host(..) | From::Marker(_) => {
                    let n = plan.input(parameter).unwrap_or(usize::MAX);
                    let wrong = |code| errors::coded(code, vec![(n.wrapping_add(1)).to_string()]);
                    let input = inputs
                        .get(n)
                        .ok_or_else(|| errors::coded(-313, Vec::new()))?;
                    let from = Type::from_code(input.kind).unwrap_or_default();
                    values::bound(&input.value, from, parameter.kind).map_err(wrong)?
                }
            });
        }
        Ok(out)
    }
}

fn values_of(
    row: &rusqlite::Row<'_>,
    columns: usize,
    rewritten: &Rewritten,
) -> Result<Vec<SqlValue>, SqlAnswer> {
    let mut values = Vec::with_capacity(columns);
    for n in 0..columns {
        let kind = rewritten.columns.get(n).map_or(Type::Unknown, |c| c.kind);
        let found = row.get_ref(n).map_err(|e| errors::answer(&e, false))?;
        values.push(values::result(found, kind).ok_or_else(|| damaged(n))?);
    }
    Ok(values)
}

fn size(value: &SqlValue) -> usize {
    let data = match value {
        SqlValue::Text(text) => text.len(),
        SqlValue::Bytes(bytes) => bytes.len(),
        _ => 0,
    };
    data + size_of::<SqlValue>()
}

/// Bytes of the database that are no value of their type.
fn damaged(column: usize) -> SqlAnswer {
    let text = format!("column {} holds no value of its type", column + 1);
    SqlAnswer {
        text: text.clone(),
        ..errors::coded(-901, vec![text])
    }
}
