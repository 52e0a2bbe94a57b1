//! Statements for several rows: INSERT FOR n ROWS, and positioned changes of a rowset.
//!
//! What: all of the rows or none; or, of NOT ATOMIC, as many as can be, with what is wrong with
//! each of the others. Not here: where rows come from (worker), cursors (`cursors`).

use super::answers::coded;
use super::cursors::Positioned;
use super::driver::{Driver, Ran};
use super::plan::Plan;
use super::run::How;
use super::session::Session;
use std::sync::Arc;
use transom_sql::Kind;
use transom_wire::sql::{SqlAnswer, SqlCondition, SqlInput, SqlInputs};

/// Of the engine alone; users' savepoints have quotes around what they are called.
const MARK: &str = "\"#ROWS\"";

impl<D: Driver> Session<D> {
    pub(super) fn insert_rows(
        &mut self,
        text: (&str, &Arc<str>),
        rows: &[SqlInputs],
    ) -> Result<SqlAnswer, SqlAnswer> {
        let first = rows.first().map_or(&[][..], |row| &row.inputs);
        let plan = self.plan(text, first)?;
        let Kind::Insert { atomic, .. } = plan.statement.kind else {
            return Err(coded(-84, Vec::new()));
        };
        self.all_or_none(|session| {
            let mut count = 0;
            let mut refused = Vec::new();
            for (n, row) in (1..).zip(rows) {
                match session.run_plan(&plan, &row.inputs, How::default()) {
                    Ok(ran) => count += u32::try_from(ran.changed).unwrap_or(0),
                    Err(wrong) => {
                        refused.push(SqlCondition::of(n, &wrong));
                        if atomic || session.driver.lost() || is_of_statement(wrong.code) {
                            return Err(wrong.of_rows(refused));
                        }
                    }
                }
            }
            let answer = match (refused.is_empty(), count) {
                (true, _) => SqlAnswer::done(),
                (false, 0) => coded(-254, vec!["INSERT".to_owned()]),
                (false, _) => coded(-253, vec!["INSERT".to_owned()]),
            };
            Ok(SqlAnswer { count, ..answer }.of_rows(refused))
        })
    }

    /// A change of the rows a cursor is at.
    pub(super) fn change_rows(
        &mut self,
        plan: &Plan,
        inputs: &[SqlInput],
        at: &Positioned,
    ) -> Result<Ran, SqlAnswer> {
        let deletes = matches!(plan.statement.kind, Kind::Delete { .. });
        let changed = match at.rows.len() {
            1 => self.change_row(plan, inputs, (&at.cursor, at.rows.start))?,
            _ => self.all_or_none(|session| {
                let mut changed = 0;
                for row in at.rows.clone() {
                    changed += session.change_row(plan, inputs, (&at.cursor, row))?;
                }
                Ok(changed)
            })?,
        };
        if let Some(open) = self.cursors.get_mut(&at.cursor).filter(|_| deletes) {
            at.rows.clone().for_each(|row| open.cursor.deleted(row));
        }
        Ok(Ran {
            changed,
            ..Ran::default()
        })
    }

    fn change_row(
        &mut self,
        plan: &Plan,
        inputs: &[SqlInput],
        (cursor, row): (&str, usize),
    ) -> Result<u64, SqlAnswer> {
        let id = self.row_id(cursor, row);
        let ran = self.run_plan(plan, inputs, How::at_row(id))?;
        match ran.changed {
            0 => Err(self.no_row(cursor)),
            changed => Ok(changed),
        }
    }

    fn all_or_none<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, SqlAnswer>,
    ) -> Result<T, SqlAnswer> {
        self.driver.begin()?;
        let mark = |session: &mut Self, verb: &str| session.driver.tell(&format!("{verb} {MARK}"));
        mark(self, "SAVEPOINT")?;
        let done = work(self);
        // The engine may have given up all of the unit of work.
        if !self.driver.lost() {
            if done.is_err() {
                mark(self, "ROLLBACK TO SAVEPOINT")?;
            }
            mark(self, "RELEASE SAVEPOINT")?;
        }
        done
    }
}

/// What is no matter of one row: the statement ends with it.
fn is_of_statement(code: i32) -> bool {
    matches!(code, -901 | -904 | -911 | -913 | -924)
}
