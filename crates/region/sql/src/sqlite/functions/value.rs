//! Arguments of functions, and conversion from type to type as Db2 assigns.

use super::code::{Answer, Code};
use crate::decimal::Decimal;
use crate::sqlite::text::{datetime, latin};
use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use transom_sql::{Family, Type};

/// A value of a function.
#[derive(Debug, Clone)]
pub(in crate::sqlite) enum Arg {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    /// A decimal number, or bytes.
    Blob(Vec<u8>),
}

impl Arg {
    pub(in crate::sqlite) fn of(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_vec()),
        }
    }

    /// As an exact number; `None`: it is floating point, or no number.
    pub(in crate::sqlite) fn exact(&self) -> Option<Decimal> {
        match self {
            Self::Integer(number) => Some(Decimal::integer(*number)),
            Self::Blob(bytes) => Decimal::of_bytes(bytes),
            Self::Text(text) => Decimal::parse(text),
            Self::Null | Self::Real(_) => None,
        }
    }

    pub(super) fn float(&self) -> Option<f64> {
        match self {
            Self::Real(number) => Some(*number),
            other => other.exact().map(Decimal::to_f64),
        }
    }

    /// As a whole number; what is behind the point is cut off.
    pub(in crate::sqlite) fn whole(&self) -> Option<i64> {
        match self {
            Self::Real(number) if number.abs() < 9.2e18 => Some(number.trunc() as i64),
            other => i64::try_from(other.exact()?.rescaled(0)?.digits).ok(),
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

/// Arguments with the types behind them.
pub(super) struct Args<'a> {
    pub(super) values: Vec<Arg>,
    /// Type of the first argument.
    pub(super) first: Type,
    /// Type of the result.
    pub(super) result: Type,
    pub(super) name: &'a str,
}

impl<'a> Args<'a> {
    pub(super) fn of(context: &Context<'_>, name: &'a str) -> Result<Self, Code> {
        let mut values = all(context);
        let kind = |value: Option<&Arg>| match value {
            Some(Arg::Integer(code)) => Type::from_code(*code).unwrap_or_default(),
            _ => Type::Unknown,
        };
        let result = kind(values.last());
        let first = kind(values.iter().rev().nth(1));
        // How many types stand at the end is a matter of each function's name.
        let types = match name {
            "db2_exact" => 1,
            "db2_chars" | "db2_fail" | "db2_like" => 0,
            _ => 2,
        };
        let keep = values.len().saturating_sub(types);
        values.truncate(keep);
        Ok(Self {
            values,
            first,
            result,
            name,
        })
    }

    /// An argument is NULL, and so is the result.
    pub(super) fn has_null(&self) -> bool {
        self.values.iter().any(Arg::is_null)
    }

    pub(super) fn get(&self, n: usize) -> &Arg {
        self.values.get(n).unwrap_or(&Arg::Null)
    }

    pub(super) fn exact(&self, n: usize) -> Result<Decimal, Code> {
        self.get(n).exact().ok_or_else(|| self.wrong(n))
    }

    pub(super) fn whole(&self, n: usize) -> Result<i64, Code> {
        self.get(n).whole().ok_or_else(|| self.wrong(n))
    }

    /// Characters; numbers are none.
    pub(super) fn text(&self, n: usize) -> Result<&str, Code> {
        match self.get(n) {
            Arg::Text(text) => Ok(text),
            _ => Err(self.wrong(n)),
        }
    }

    /// -171: the argument is of the wrong type or out of range.
    pub(super) fn wrong(&self, n: usize) -> Code {
        let name = self.name.trim_start_matches("db2_").to_uppercase();
        Code(-171, vec![(n + 1).to_string(), name])
    }
}

/// An exact result as its type says: -802 when it does not fit.
pub(super) fn exact_result(value: Decimal, kind: Type) -> Answer {
    let overflow = || Code(-802, vec!["FIXED POINT OVERFLOW".to_owned()]);
    let limit = match kind {
        Type::SmallInt => i64::from(i16::MAX),
        Type::Integer => i64::from(i32::MAX),
        Type::BigInt => i64::MAX,
        Type::Decimal { precision, scale } => {
            let fitted = value.fitted(precision, scale).ok_or_else(overflow)?;
            return Ok(Value::Blob(fitted.bytes()));
        }
        Type::Real | Type::Double => return Ok(Value::Real(value.to_f64())),
        _ => return Ok(Value::Blob(value.bytes())),
    };
    let whole = value.rescaled(0).ok_or_else(overflow)?.digits;
    let whole = i64::try_from(whole).map_err(|_| overflow())?;
    match (-limit - 1..=limit).contains(&whole) {
        true => Ok(Value::Integer(whole)),
        false => Err(overflow()),
    }
}

/// A value as another type, as an assignment or CAST makes it.
pub(super) fn convert(args: &Args<'_>) -> Answer {
    as_type(args.get(0), args.first, args.result)
}

/// The value as a type.
pub(in crate::sqlite) fn as_type(value: &Arg, from: Type, kind: Type) -> Answer {
    if value.is_null() {
        return Ok(Value::Null);
    }
    match kind.family() {
        Family::Number => number(value, kind).and_then(|number| short(number, kind)),
        Family::Date | Family::Time | Family::Timestamp => match value {
            Arg::Text(text) => datetime(text, kind).map(Value::Text).map_err(Code::new),
            _ => Err(Code::new(-408)),
        },
        Family::Character | Family::Graphic => characters(value, from, kind),
        Family::Bytes => match value {
            Arg::Blob(bytes) => sized(bytes.clone(), kind),
            Arg::Text(text) => sized(latin(text), kind),
            _ => Err(Code::new(-408)),
        },
        _ => Ok(plain(value)),
    }
}

fn plain(value: &Arg) -> Value {
    match value {
        Arg::Null => Value::Null,
        Arg::Integer(number) => Value::Integer(*number),
        Arg::Real(number) => Value::Real(*number),
        Arg::Text(text) => Value::Text(text.clone()),
        Arg::Blob(bytes) => Value::Blob(bytes.clone()),
    }
}

/// -406 out of range, -420 characters that are no number.
fn number(value: &Arg, kind: Type) -> Answer {
    if let Arg::Real(float) = value {
        return match kind {
            Type::Decimal { scale, .. } => {
                let digits = (float * 10_f64.powi(scale.into())).trunc();
                match digits.abs() < 1e37 {
                    true => in_range(Decimal::new(digits as i128, scale), kind),
                    false => Err(Code::new(-406)),
                }
            }
            _ if kind.is_integer() => match float.abs() < 9.3e18 {
                true => in_range(Decimal::new(float.trunc() as i128, 0), kind),
                false => Err(Code::new(-406)),
            },
            _ => Ok(Value::Real(*float)),
        };
    }
    match (value.exact(), value) {
        (None, Arg::Text(text)) if Decimal::is_number(text) => long_number(text, kind),
        (Some(exact), _) => in_range(exact, kind),
        (None, _) => Err(Code(-420, vec!["CAST".to_owned()])),
    }
}

/// REAL has four bytes.
fn short(number: Value, kind: Type) -> Answer {
    match (number, kind) {
        (Value::Real(number), Type::Real) => match f64::from(number as f32) {
            short if short.is_finite() => Ok(Value::Real(short)),
            _ => Err(Code(-802, vec!["EXPONENT OVERFLOW".to_owned()])),
        },
        (number, _) => Ok(number),
    }
}

/// Characters with more digits than a DECIMAL has.
fn long_number(text: &str, kind: Type) -> Answer {
    if !matches!(kind, Type::Real | Type::Double) {
        return Err(Code::new(-406));
    }
    let number: f64 = text.trim().parse().unwrap_or(f64::INFINITY);
    match number.is_finite() {
        true => Ok(Value::Real(number)),
        false => Err(Code(-802, vec!["EXPONENT OVERFLOW".to_owned()])),
    }
}

fn in_range(value: Decimal, kind: Type) -> Answer {
    exact_result(value, kind).map_err(|_| Code::new(-406))
}

fn characters(value: &Arg, from: Type, kind: Type) -> Answer {
    let text = match value {
        Arg::Text(text) => text.clone(),
        Arg::Integer(number) => number.to_string(),
        Arg::Blob(bytes) if from.family() == Family::Bytes => {
            bytes.iter().map(|b| char::from(*b)).collect()
        }
        Arg::Blob(_) => {
            let exact = value.exact().ok_or(Code::new(-408))?;
            let scale = from.digits().map_or(exact.scale, |(_, scale)| scale);
            let text = exact.rescaled(scale).unwrap_or(exact).text();
            // Since Db2 10 there is no zero in front of the point.
            match (text.strip_prefix("0."), text.strip_prefix("-0.")) {
                (Some(part), _) => format!(".{part}"),
                (_, Some(part)) => format!("-.{part}"),
                _ => text,
            }
        }
        // Db2's form of a floating-point number is not made.
        Arg::Real(_) => return Err(Code(-84, vec!["CAST".to_owned()])),
        Arg::Null => return Ok(Value::Null),
    };
    let Some(length) = kind.length() else {
        return Ok(Value::Text(text));
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let count = text.chars().count();
    if count > length {
        // Blanks at the end may go.
        if text.chars().skip(length).any(|c| c != ' ') {
            return Err(Code::new(-404));
        }
        return Ok(Value::Text(text.chars().take(length).collect()));
    }
    Ok(Value::Text(match kind {
        Type::Char(_) | Type::Graphic(_) => text + &" ".repeat(length - count),
        _ => text,
    }))
}

fn sized(mut bytes: Vec<u8>, kind: Type) -> Answer {
    let Some(length) = kind.length().and_then(|n| usize::try_from(n).ok()) else {
        return Ok(Value::Blob(bytes));
    };
    if bytes.len() > length {
        return Err(Code::new(-404));
    }
    match kind {
        Type::CharBit(_) => bytes.resize(length, b' '),
        Type::Binary(_) => bytes.resize(length, 0),
        _ => {}
    }
    Ok(Value::Blob(bytes))
}

/// All arguments, for functions that take them as they are.
pub(super) fn all(context: &Context<'_>) -> Vec<Arg> {
    (0..context.len())
        .map(|n| Arg::of(context.get_raw(n)))
        .collect()
}
