//! SUM, AVG and the only row of a subquery.

use super::code::{Code, count, failed};
use super::value::{Arg, exact_result};
use crate::decimal::Decimal;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Result};
use std::collections::HashSet;
use transom_sql::{EngineFunction, Type};

/// Registers the aggregate of this name.
pub(super) fn register(
    connection: &Connection,
    function: &EngineFunction,
    name: &str,
) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8;
    let (full, count) = (&*function.name, count(function));
    match name {
        "only" => connection.create_aggregate_function(full, count, flags, Only),
        "sum" => connection.create_aggregate_function(full, count, flags, Total::of(false, false)),
        "avg" => connection.create_aggregate_function(full, count, flags, Total::of(true, false)),
        "sum_distinct" => {
            connection.create_aggregate_function(full, count, flags, Total::of(false, true))
        }
        "avg_distinct" => {
            connection.create_aggregate_function(full, count, flags, Total::of(true, true))
        }
        "stddev" => connection.create_aggregate_function(full, count, flags, Spread::of(true, 0)),
        "stddev_samp" => {
            connection.create_aggregate_function(full, count, flags, Spread::of(true, 1))
        }
        "variance" => {
            connection.create_aggregate_function(full, count, flags, Spread::of(false, 0))
        }
        "variance_samp" => {
            connection.create_aggregate_function(full, count, flags, Spread::of(false, 1))
        }
        _ => {
            let refused = Refused(function.name.clone());
            connection.create_aggregate_function(full, count, flags, refused)
        }
    }
}

struct Only;

impl Aggregate<Option<Value>, Value> for Only {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<Value>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, seen: &mut Option<Value>) -> Result<()> {
        if seen.is_some() {
            return Err(failed(&Code::new(-811)));
        }
        *seen = Some(context.get_raw(0).into());
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, seen: Option<Option<Value>>) -> Result<Value> {
        Ok(seen.flatten().unwrap_or(Value::Null))
    }
}

struct Total {
    average: bool,
    distinct: bool,
}

impl Total {
    fn of(average: bool, distinct: bool) -> Self {
        Self { average, distinct }
    }
}

/// What was added up.
#[derive(Default)]
struct Sum {
    exact: Option<Decimal>,
    float: Option<f64>,
    rows: i64,
    result: Type,
    /// Of DISTINCT: values that were added, in the form a database has them in.
    seen: HashSet<Vec<u8>>,
}

impl Sum {
    fn is_new(&mut self, value: &Arg) -> bool {
        let form = match (value, value.exact()) {
            (Arg::Real(number), _) => number.to_bits().to_be_bytes().to_vec(),
            (_, Some(exact)) => exact.bytes(),
            _ => return true,
        };
        self.seen.insert(form)
    }
}

impl Aggregate<Sum, Value> for Total {
    fn init(&self, _: &mut Context<'_>) -> Result<Sum> {
        Ok(Sum::default())
    }

    fn step(&self, context: &mut Context<'_>, sum: &mut Sum) -> Result<()> {
        let code: i64 = context.get(context.len() - 1)?;
        sum.result = Type::from_code(code).unwrap_or_default();
        let overflow = || failed(&Code(-802, vec!["FIXED POINT OVERFLOW".to_owned()]));
        let value = Arg::of(context.get_raw(0));
        if self.distinct && !sum.is_new(&value) {
            return Ok(());
        }
        match value {
            Arg::Null => return Ok(()),
            Arg::Real(number) => *sum.float.get_or_insert(0.0) += number,
            value => {
                let value = value.exact().ok_or_else(|| failed(&Code::new(-402)))?;
                let before = sum.exact.unwrap_or(Decimal::new(0, 0));
                sum.exact = Some(before.plus(value).ok_or_else(overflow)?);
            }
        }
        sum.rows += 1;
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, sum: Option<Sum>) -> Result<Value> {
        let sum = sum.unwrap_or_default();
        if sum.rows == 0 {
            return Ok(Value::Null);
        }
        if let Some(float) = sum.float {
            let all = float + sum.exact.map_or(0.0, Decimal::to_f64);
            let rows = if self.average { sum.rows as f64 } else { 1.0 };
            return Ok(Value::Real(all / rows));
        }
        let all = sum.exact.unwrap_or(Decimal::new(0, 0));
        let answer = match (self.average, sum.result) {
            (false, kind) => exact_result(all, kind),
            (true, kind) => {
                let scale = match kind {
                    Type::Decimal { scale, .. } => scale,
                    _ => 0,
                };
                match all.divided(Decimal::integer(sum.rows), scale) {
                    Some(average) => exact_result(average, kind),
                    None => Err(Code::new(-802)),
                }
            }
        };
        answer.map_err(|code| failed(&code))
    }
}

/// Variance, or its root, of all rows or of a sample, as PostgreSQL computes it.
struct Spread {
    root: bool,
    /// What the count is less by.
    less: i64,
}

impl Spread {
    fn of(root: bool, less: i64) -> Self {
        Self { root, less }
    }
}

/// Count, sum, and sum of the squares of differences.
#[derive(Default)]
struct Squares {
    rows: i64,
    sum: f64,
    squares: f64,
}

impl Aggregate<Squares, Value> for Spread {
    fn init(&self, _: &mut Context<'_>) -> Result<Squares> {
        Ok(Squares::default())
    }

    fn step(&self, context: &mut Context<'_>, so_far: &mut Squares) -> Result<()> {
        let value = match Arg::of(context.get_raw(0)) {
            Arg::Null => return Ok(()),
            value => value.float().ok_or_else(|| failed(&Code::new(-402)))?,
        };
        so_far.rows += 1;
        so_far.sum += value;
        if so_far.rows > 1 {
            // Youngs and Cramer: each row adds what it differs from those before it.
            let rows = so_far.rows as f64;
            let apart = value * rows - so_far.sum;
            so_far.squares += apart * apart / (rows * (rows - 1.0));
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, so_far: Option<Squares>) -> Result<Value> {
        let so_far = so_far.unwrap_or_default();
        let rows = so_far.rows - self.less;
        if rows < 1 {
            return Ok(Value::Null);
        }
        let variance = so_far.squares / rows as f64;
        Ok(Value::Real(match self.root {
            true => variance.sqrt(),
            false => variance,
        }))
    }
}

struct Refused(String);

impl Aggregate<(), Value> for Refused {
    fn init(&self, _: &mut Context<'_>) -> Result<()> {
        Ok(())
    }

    fn step(&self, _: &mut Context<'_>, _: &mut ()) -> Result<()> {
        Err(failed(&Code(-84, vec![self.0.clone()])))
    }

    fn finalize(&self, _: &mut Context<'_>, _: Option<()>) -> Result<Value> {
        Err(failed(&Code(-84, vec![self.0.clone()])))
    }
}
