//! Calls whose arguments are made one type first, or that become an expression of the engine.
//!
//! Why apart from `calls`: each of these has a rule of its own. Not here: functions an engine has
//! by name.

use super::typed::{Form, Typed, Written};
use super::writer::Writer;
use crate::functions::Function;
use crate::problem::{At, SqlProblem};
use crate::tree::node::Call;
use crate::types::{Family, Type};

/// Functions that compute in floating point.
#[rustfmt::skip]
const DOUBLES: &[&str] = &[
    "ACOS", "ASIN", "ATAN", "ATAN2", "ATANH", "COS", "COSH", "DEGREES", "EXP", "LN", "LOG10", "RADIANS",
    "SIN", "SINH", "SQRT", "TAN", "TANH",
];
/// Functions the first argument of which is characters.
#[rustfmt::skip]
const CHARACTERS: &[&str] = &[
    "ASCII", "INSERT", "LOCATE_IN_STRING", "LPAD", "OVERLAY", "POSITION", "RPAD", "SUBSTRING",
    "TRANSLATE", "UNICODE", "CLOB",
];
/// Functions of integers alone.
const BITS: &[&str] = &["BITAND", "BITANDNOT", "BITNOT", "BITOR", "BITXOR"];
/// Functions of a date, time or timestamp that take no duration.
#[rustfmt::skip]
const CALENDAR: &[&str] = &[
    "ADD_MONTHS", "DAYOFWEEK", "DAYOFWEEK_ISO", "DAYOFYEAR", "DAYS", "JULIAN_DAY", "LAST_DAY", "MIDNIGHT_SECONDS",
    "MONTHS_BETWEEN", "NEXT_DAY", "QUARTER", "TIMESTAMP_FORMAT", "TIMESTAMP_ISO", "TRUNC_TIMESTAMP",
    "VARCHAR_FORMAT", "WEEK", "WEEK_ISO",
];
/// Aggregates that are computed in floating point.
const SPREADS: &[&str] = &["STDDEV", "STDDEV_SAMP", "VARIANCE", "VARIANCE_SAMP"];

fn refused(name: &str, why: &str, at: At) -> SqlProblem {
    SqlProblem::refused(format!("{name} {why} is not done"), at)
}

impl Writer<'_> {
    /// Arguments as the function computes with them; a refusal of those it would compute otherwise
    /// than Db2.
    pub(super) fn prepared(
        &mut self,
        function: &Function,
        call: &Call,
        arguments: &mut [Typed],
    ) -> Written<()> {
        let name = function.name;
        let (at, count) = (call.at, arguments.len());
        let of = |wanted: fn(Type) -> bool| {
            let known = |a: &&Typed| a.kind != Type::Unknown;
            arguments.iter().filter(known).all(|a| wanted(a.kind))
        };
        let is_power_of_integers = name == "POWER" && of(Type::is_integer);
        let is_double = DOUBLES.contains(&name) || SPREADS.contains(&name) || name == "POWER";
        if is_double && !is_power_of_integers {
            if !of(|kind| kind.is_number() && !matches!(kind, Type::DecFloat(_))) {
                return Err(refused(name, "of DECFLOAT or characters", at));
            }
            for argument in arguments {
                self.make_double(argument);
            }
            return Ok(());
        }
        if BITS.contains(&name) && !of(Type::is_integer) {
            return Err(refused(name, "of numbers that are no integers", at));
        }
        if name == "MULTIPLY_ALT" && !of(|kind| kind.digits().is_some()) {
            return Err(SqlProblem::new(-171, &["1", name], at));
        }
        if name == "SIGN" && !of(Type::is_number) {
            return Err(refused(name, "of characters", at));
        }
        if name == "HEX" && !of(|kind| !is_inexact(kind)) {
            return Err(refused(name, "of floating-point numbers", at));
        }
        if name == "DECFLOAT" && !of(|kind| !matches!(kind, Type::Real | Type::Double)) {
            return Err(refused(name, "of floating-point numbers", at));
        }
        if name == "TIMESTAMP_ISO" && !of(|kind| kind.family() != Family::Time) {
            return Err(refused(name, "of a time", at));
        }
        if CALENDAR.contains(&name) && arguments.first().is_some_and(|a| a.kind.is_number()) {
            return Err(SqlProblem::new(-171, &["1", name], at));
        }
        if name == "TRANSLATE" && count == 2 {
            return Err(refused(name, "with two arguments", at));
        }
        let first = arguments.first().map_or(Family::Unknown, Typed::family);
        let is_text = matches!(first, Family::Character | Family::Graphic | Family::Unknown);
        if CHARACTERS.contains(&name) && !is_text {
            return Err(refused(name, "of what is no characters", at));
        }
        Ok(())
    }

    /// A number as DOUBLE; PostgreSQL has functions of the same name for each kind of number.
    fn make_double(&mut self, value: &mut Typed) {
        let taken = std::mem::replace(value, Typed::new(String::new(), Type::Unknown));
        let is_float = matches!(taken.kind, Type::Real | Type::Double);
        *value = if taken.is_parameter() && taken.kind == Type::Unknown {
            let mut taken = taken;
            self.want(&mut taken, Type::Double);
            taken
        } else if is_float || taken.form == Form::Null {
            taken
        } else if self.is_sqlite() {
            self.own("convert", &[&taken], Type::Double)
        } else {
            Typed {
                sql: format!("({})::double precision", taken.sql),
                kind: Type::Double,
                form: Form::Other,
                ..taken
            }
        };
        value.kind = Type::Double;
    }

    /// GREATEST and LEAST: null where one of the values is null.
    pub(super) fn extreme(
        &mut self,
        function: &Function,
        call: &Call,
        mut arguments: Vec<Typed>,
    ) -> Written<Typed> {
        let kind = self.unify(&mut arguments, call.at)?;
        let nullable = arguments.iter().any(|a| a.nullable);
        let is_most = function.name == "GREATEST";
        if self.is_sqlite() {
            let name = if is_most { "MAX" } else { "MIN" };
            let mut words: Vec<String> = arguments.iter().map(|a| a.sql.clone()).collect();
            if let Some(first) = words.first_mut().filter(|_| kind.is_text()) {
                *first = format!("({first}) COLLATE DB2");
            }
            let typed = Typed::new(format!("{name}({})", words.join(", ")), kind);
            return Ok(Typed { nullable, ..typed });
        }
        let letter = match kind.family() {
            Family::Number if matches!(kind, Type::Real | Type::Double) => "_f",
            Family::Number => "_n",
            Family::Date => "_d",
            Family::Time => "_h",
            Family::Timestamp => "_s",
            Family::Character | Family::Graphic => "",
            _ => return Err(refused(function.name, "of bytes", call.at)),
        };
        let name = if is_most { "larger" } else { "lesser" };
        let words = arguments.into_iter().map(|a| a.sql);
        let sql = words.reduce(|a, b| format!("transom_sql.{name}{letter}({a}, {b})"));
        let typed = Typed::new(sql.unwrap_or_default(), kind);
        Ok(Typed { nullable, ..typed })
    }

    /// DECODE as CASE: two null values are equal in it.
    pub(super) fn decode(&mut self, call: &Call, mut arguments: Vec<Typed>) -> Written<Typed> {
        let value = arguments.remove(0);
        let otherwise = match arguments.len() % 2 {
            1 => arguments.pop(),
            _ => None,
        };
        let mut searched = Vec::new();
        let mut results = Vec::new();
        for (n, argument) in arguments.into_iter().enumerate() {
            match n % 2 {
                0 => searched.push(argument),
                _ => results.push(argument),
            }
        }
        let has_otherwise = otherwise.is_some();
        results.extend(otherwise);
        let kind = self.unify(&mut results, call.at)?;
        let mut sql = String::from("CASE");
        for (searched, result) in searched.into_iter().zip(&results) {
            let null = format!("({} IS NULL AND {} IS NULL)", value.sql, searched.sql);
            let condition = if searched.form == Form::Null {
                format!("{} IS NULL", value.sql)
            } else {
                let equal = self.compare_values(value.clone(), "=", searched, call.at)?;
                format!("{equal} OR {null}")
            };
            sql += &format!(" WHEN {condition} THEN {}", result.sql);
        }
        if let Some(last) = results.last().filter(|_| has_otherwise) {
            sql += &format!(" ELSE {}", last.sql);
        }
        sql += " END";
        let nullable = !has_otherwise || results.iter().any(|r| r.nullable);
        Ok(Typed {
            nullable,
            ..Typed::new(sql, kind)
        })
    }
}

fn is_inexact(kind: Type) -> bool {
    matches!(kind, Type::Real | Type::Double | Type::DecFloat(_))
}
