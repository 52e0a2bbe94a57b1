//! Running what a plan says: parameters in, rows out.

use super::answers::coded;
use super::driver::{Bound, Driver, Passing, Ran, Run};
use super::plan::Plan;
use super::registers;
use super::session::Session;
use std::borrow::Cow;
use transom_sql::{Dialect, Parameter, Register, Rewritten, Type, Value as From};
use transom_wire::sql::{SqlAnswer, SqlInput, SqlRow, SqlValue};

/// How a plan is run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct How {
    /// The row a cursor is at.
    pub(super) row: Option<i64>,
    /// At most so many rows.
    pub(super) most: Option<usize>,
    /// Rows are to be changed through a cursor.
    pub(super) locks: bool,
}

impl How {
    pub(super) fn at_row(row: Option<i64>) -> Self {
        Self {
            row,
            ..Self::default()
        }
    }

    pub(super) fn at_most(rows: usize) -> Self {
        Self {
            most: Some(rows),
            ..Self::default()
        }
    }
}

impl<D: Driver> Session<D> {
    /// Runs what a plan says.
    pub(super) fn run_plan(
        &mut self,
        plan: &Plan,
        inputs: &[SqlInput],
        how: How,
    ) -> Result<Ran, SqlAnswer> {
        let Some(rewritten) = &plan.rewritten else {
            return Ok(Ran::default());
        };
        let mut ran = match self.run_text(plan, rewritten, inputs, how) {
            Err(answer) if answer.code == -803 => self.run_passing(plan, inputs, answer)?,
            other => other?,
        };
        if let Some(other) = rewritten.otherwise.as_ref().filter(|_| ran.changed == 0) {
            ran = self.run_text(plan, other, inputs, how)?;
        }
        self.run_more(plan, rewritten, inputs, how)?;
        self.driver.ran()?;
        Ok(ran)
    }

    fn run_text(
        &mut self,
        plan: &Plan,
        rewritten: &Rewritten,
        inputs: &[SqlInput],
        How { row, most, locks }: How,
    ) -> Result<Ran, SqlAnswer> {
        let values = self.values(plan, rewritten, inputs, row)?;
        let ran = self.driver.run(&Run {
            plan,
            rewritten,
            values: &values,
            most,
            locks,
        });
        ran.map_err(|answer| match answer.code {
            -530 if rewritten.keys => coded(-531, answer.tokens),
            _ => answer,
        })
    }

    fn run_more(
        &mut self,
        plan: &Plan,
        rewritten: &Rewritten,
        inputs: &[SqlInput],
        how: How,
    ) -> Result<(), SqlAnswer> {
        for text in &rewritten.more {
            let more = Rewritten {
                text: text.clone(),
                parameters: rewritten.parameters.clone(),
                ..Rewritten::default()
            };
            let how = How { most: None, ..how };
            self.run_text(plan, &more, inputs, how)?;
        }
        Ok(())
    }

    /// An UPDATE that found a key twice, which may be there once when all rows are changed.
    fn run_passing(
        &mut self,
        plan: &Plan,
        inputs: &[SqlInput],
        first: SqlAnswer,
    ) -> Result<Ran, SqlAnswer> {
        let passing = plan.rewritten.as_ref().and_then(|r| r.passing.as_deref());
        let Some(passing) = passing else {
            return Err(first);
        };
        self.driver.passing(Passing::Begins)?;
        let ran = match self.run_text(plan, passing, inputs, How::default()) {
            // On SQLite values that are put aside are no parents of others.
            Err(answer) if D::DIALECT == Dialect::PostgreSql => Err(answer),
            Err(_) => Err(first),
            Ok(ran) => Ok(ran),
        };
        let ran = ran.and_then(|ran| {
            self.driver.passing(Passing::Back)?;
            self.run_more(plan, passing, inputs, How::default())?;
            Ok(ran)
        });
        let ended = match ran.is_ok() {
            true => Passing::Done,
            false => Passing::Failed,
        };
        self.driver.passing(ended)?;
        ran
    }

    /// One row of a query as it is now; `None`: it is no more, or no row of the result.
    pub(super) fn read_again(
        &mut self,
        plan: &Plan,
        values: &[Bound<'static>],
        id: i64,
    ) -> Result<Option<SqlRow>, SqlAnswer> {
        let Some(rewritten) = &plan.rewritten else {
            return Ok(None);
        };
        let columns = rewritten.columns.len();
        let names: Vec<String> = (1..=columns).map(|n| format!("\"{n}\"")).collect();
        let sign = match D::DIALECT {
            Dialect::Sqlite => '?',
            Dialect::PostgreSql => '$',
        };
        let text = format!(
            "WITH \"#Q\" ({}, \"#ID\") AS ({}) SELECT {} FROM \"#Q\" WHERE \"#ID\" = {sign}{}",
            names.join(", "),
            rewritten.text,
            names.join(", "),
            values.len() + 1,
        );
        let row = Parameter {
            value: From::CurrentRow,
            kind: Type::BigInt,
        };
        let again = Rewritten {
            text,
            parameters: [&rewritten.parameters[..], &[row]].concat(),
            columns: rewritten.columns.clone(),
            ..Rewritten::default()
        };
        let values = values.iter().cloned().chain([Bound::Row(Some(id))]);
        let ran = self.driver.run(&Run {
            plan,
            rewritten: &again,
            values: &values.collect::<Vec<_>>(),
            most: Some(1),
            locks: false,
        })?;
        Ok(ran.rows.into_iter().next())
    }

    /// Values of the parameters.
    pub(super) fn values<'i>(
        &mut self,
        plan: &Plan,
        rewritten: &Rewritten,
        inputs: &'i [SqlInput],
        row: Option<i64>,
    ) -> Result<Vec<Bound<'i>>, SqlAnswer> {
        let mut out = Vec::with_capacity(rewritten.parameters.len());
        let mut now = None;
        for parameter in &rewritten.parameters {
            out.push(match parameter.value {
                From::CurrentRow => Bound::Row(row),
                From::Register(register) => {
                    Bound::Register(self.register(register, &mut now)?, register.kind())
                }
                From::Host(..) | From::Marker(_) => {
                    let n = plan.input(parameter).unwrap_or(usize::MAX);
                    let input = inputs.get(n);
                    let input = input.ok_or_else(|| coded(-313, Vec::new()))?;
                    Bound::Input(Cow::Borrowed(input))
                }
            });
        }
        Ok(out)
    }

    fn register(
        &mut self,
        register: Register,
        now: &mut Option<String>,
    ) -> Result<SqlValue, SqlAnswer> {
        if register == Register::IdentityValLocal {
            let last = self.driver.last_identity()?;
            return Ok(last.map_or(SqlValue::Null, SqlValue::Integer));
        }
        match self.names.text(register, self.driver.qualifiers()) {
            Some(text) => Ok(SqlValue::Text(text)),
            None => registers::value(register, self.driver.clock(), now),
        }
    }
}
