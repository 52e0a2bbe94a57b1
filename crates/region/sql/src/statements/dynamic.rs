//! Statements whose text a program makes: PREPARE, EXECUTE, EXECUTE IMMEDIATE, DESCRIBE, OPEN.
//!
//! Why apart: what Db2 refuses of them it accepts of a static statement, and the other way round.
//! Not here: running a statement (`requests`), cursors (`cursors`).

use super::answers::coded;
use super::cursors::bare;
use super::driver::Driver;
use super::plan::Plan;
use super::requests::columns;
use super::session::{Prepared, Session};
use transom_sql::Kind;
use transom_wire::sql::{SqlAnswer, SqlColumn, SqlCursor, SqlDescribed, SqlFrom, SqlInput};

/// SQLSTATE of an UPDATE or DELETE of all rows that is prepared.
const ALL_ROWS: [u8; 5] = *b"01504";

impl<D: Driver> Session<D> {
    /// As on Db2 a PREPARE that fails leaves nothing of the name.
    pub(super) fn prepare(
        &mut self,
        name: String,
        prepared: Prepared,
    ) -> Result<SqlAnswer, SqlAnswer> {
        let is_of = |prepared: &Option<String>| prepared.as_ref() == Some(&name);
        let mut open = self.cursors.iter();
        if let Some((cursor, _)) = open.find(|(_, open)| is_of(&open.prepared)) {
            return Err(coded(-519, vec![bare(cursor)]));
        }
        self.prepared.remove(&name);
        let plan = self.plan((&prepared.text, &prepared.schema), &[])?;
        only_markers(&plan)?;
        self.prepared.insert(name, prepared);
        let mut answer = SqlAnswer {
            columns: columns(&plan),
            ..SqlAnswer::done()
        };
        if plan.statement.changes_all_rows() {
            answer.state = ALL_ROWS;
        }
        Ok(answer)
    }

    /// EXECUTE: -518 of a SELECT, which a cursor is for.
    pub(super) fn execute_prepared(
        &mut self,
        name: &str,
        program: &str,
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        let prepared = self.prepared(name, -518)?;
        let text = (prepared.text.as_str(), &prepared.schema);
        let plan = self.plan(text, inputs)?;
        if matches!(plan.statement.kind, Kind::Query) {
            return Err(coded(-518, Vec::new()));
        }
        as_many(&plan, inputs)?;
        self.execute(text, program, inputs)
    }

    /// OPEN of a cursor of a prepared statement: -517 where that is no SELECT.
    pub(super) fn open_prepared(
        &mut self,
        cursor: &SqlCursor,
        name: &str,
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        let prepared = self.prepared(name, -514)?;
        self.can_open(cursor)?;
        let plan = self.plan((&prepared.text, &prepared.schema), inputs)?;
        if !matches!(plan.statement.kind, Kind::Query) {
            return Err(coded(-517, vec![bare(&cursor.name)]));
        }
        as_many(&plan, inputs)?;
        let answer = self.open_plan(cursor, plan, inputs)?;
        if let Some(open) = self.cursors.get_mut(&cursor.name) {
            open.prepared = Some(name.to_owned());
        }
        Ok(answer)
    }

    /// EXECUTE IMMEDIATE: no SELECT, and nothing that stands for a value.
    pub(super) fn execute_immediate(
        &mut self,
        from: &SqlFrom,
        text: &str,
    ) -> Result<SqlAnswer, SqlAnswer> {
        let schema = self.begin_for(from);
        let text = (text, &schema);
        let plan = self.plan(text, &[])?;
        only_markers(&plan)?;
        if plan.statement.markers > 0 {
            return Err(coded(-418, Vec::new()));
        }
        if matches!(plan.statement.kind, Kind::Query) {
            return Err(coded(-84, Vec::new()));
        }
        self.execute(text, &from.program, &[])
    }

    pub(super) fn describe(
        &mut self,
        name: &str,
        what: SqlDescribed,
    ) -> Result<SqlAnswer, SqlAnswer> {
        let prepared = self.prepared(name, -516)?;
        let plan = self.plan((&prepared.text, &prepared.schema), &[])?;
        Ok(SqlAnswer {
            columns: match what {
                SqlDescribed::Output => columns(&plan),
                SqlDescribed::Input => markers(&plan),
            },
            ..SqlAnswer::done()
        })
    }

    fn prepared(&self, name: &str, missing: i32) -> Result<Prepared, SqlAnswer> {
        let known = self.prepared.get(name).cloned();
        known.ok_or_else(|| {
            let name = name.rsplit('.').next().unwrap_or_default();
            coded(missing, vec![name.to_owned()])
        })
    }
}

/// A text that a program made has no host variables: -312.
fn only_markers(plan: &Plan) -> Result<(), SqlAnswer> {
    match plan.statement.hosts.first() {
        Some(host) => Err(coded(-312, vec![host.name.clone()])),
        None => Ok(()),
    }
}

/// -313: not a value for each parameter marker.
fn as_many(plan: &Plan, inputs: &[SqlInput]) -> Result<(), SqlAnswer> {
    match plan.statement.markers == inputs.len() {
        true => Ok(()),
        false => Err(coded(-313, Vec::new())),
    }
}

/// Parameter markers in the order of the text.
fn markers(plan: &Plan) -> Vec<SqlColumn> {
    let parameters = plan
        .rewritten
        .iter()
        .flat_map(|written| &written.parameters);
    let mut found: Vec<(usize, i64)> = parameters
        .filter_map(|parameter| match parameter.value {
            transom_sql::Value::Marker(n) => Some((n, parameter.kind.code())),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    let column = |(_, kind): (usize, i64)| SqlColumn {
        name: String::new(),
        kind,
        nullable: true,
    };
    found.into_iter().map(column).collect()
}
