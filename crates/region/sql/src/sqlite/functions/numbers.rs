//! Functions and operators of numbers.

use super::code::{Answer, Code};
use super::value::{Arg, Args, exact_result};
use crate::decimal::Decimal;
use rusqlite::types::Value;
use transom_sql::Type;

fn overflow() -> Code {
    Code(-802, vec!["FIXED POINT OVERFLOW".to_owned()])
}

/// Both operands: exact where neither is floating point.
fn operate(
    args: &Args<'_>,
    exact: impl Fn(Decimal, Decimal) -> Option<Decimal>,
    float: impl Fn(f64, f64) -> f64,
) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (a, b) = (args.get(0), args.get(1));
    if let (Some(a), Some(b)) = (a.exact(), b.exact())
        && !matches!(args.result, Type::Real | Type::Double)
    {
        return exact_result(exact(a, b).ok_or_else(overflow)?, args.result);
    }
    let (Some(a), Some(b)) = (a.float(), b.float()) else {
        return Err(Code(-402, vec![args.name.to_owned()]));
    };
    let result = float(a, b);
    match result.is_finite() {
        true => Ok(Value::Real(result)),
        false => Err(Code(-802, vec!["EXPONENT OVERFLOW".to_owned()])),
    }
}

pub(super) fn add(args: &Args<'_>) -> Answer {
    operate(args, Decimal::plus, |a, b| a + b)
}

pub(super) fn subtract(args: &Args<'_>) -> Answer {
    operate(args, |a, b| a.plus(b.negated()), |a, b| a - b)
}

pub(super) fn multiply(args: &Args<'_>) -> Answer {
    operate(args, Decimal::times, |a, b| a * b)
}

pub(super) fn divide(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    if args.get(1).float() == Some(0.0) {
        return Err(Code(-802, vec!["ZERO DIVIDE".to_owned()]));
    }
    let scale = match args.result {
        Type::Decimal { scale, .. } => scale,
        _ if args.result.is_integer() => 0,
        _ => 15,
    };
    operate(args, |a, b| a.divided(b, scale), |a, b| a / b)
}

pub(super) fn modulo(args: &Args<'_>) -> Answer {
    if args.get(1).float() == Some(0.0) {
        return Err(Code(-802, vec!["ZERO DIVIDE".to_owned()]));
    }
    let rest = |a: Decimal, b: Decimal| {
        let quotient = a.divided(b, 0)?;
        a.plus(quotient.times(b)?.negated())
    };
    operate(args, rest, |a, b| a % b)
}

/// A number changed by itself.
fn change(
    args: &Args<'_>,
    exact: impl Fn(Decimal) -> Option<Decimal>,
    float: impl Fn(f64) -> f64,
) -> Answer {
    match args.get(0) {
        Arg::Null => Ok(Value::Null),
        Arg::Real(number) => Ok(Value::Real(float(*number))),
        other => {
            let value = other.exact().ok_or_else(|| args.wrong(0))?;
            exact_result(exact(value).ok_or_else(overflow)?, args.result)
        }
    }
}

pub(super) fn negate(args: &Args<'_>) -> Answer {
    change(args, |a| Some(a.negated()), |a| -a)
}

pub(super) fn abs(args: &Args<'_>) -> Answer {
    let positive = |a: Decimal| Some(Decimal::new(a.digits.abs(), a.scale));
    change(args, positive, f64::abs)
}

/// The whole number below, or above where `up` says so.
fn whole(value: Decimal, up: bool) -> Option<Decimal> {
    let cut = value.rescaled(0)?;
    let rest = value.plus(cut.negated())?.digits;
    let step = match up {
        true => i128::from(rest > 0),
        false => -i128::from(rest < 0),
    };
    Some(Decimal::new(cut.digits + step, 0))
}

pub(super) fn floor(args: &Args<'_>) -> Answer {
    change(args, |a| whole(a, false), f64::floor)
}

pub(super) fn ceiling(args: &Args<'_>) -> Answer {
    change(args, |a| whole(a, true), f64::ceil)
}

/// To so many places behind the point; negative: in front of it.
fn at_place(args: &Args<'_>, half: bool) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let place = match args.values.len() {
        1 => 0,
        _ => args.whole(1)?.clamp(-38, 38),
    };
    let exact = |a: Decimal| {
        let cut = i64::from(a.scale) - place;
        if cut <= 0 {
            return Some(a);
        }
        let Some(unit) = 10_i128.checked_pow(u32::try_from(cut).ok()?) else {
            return Some(Decimal::new(0, a.scale));
        };
        let more = if half {
            unit / 2 * a.digits.signum()
        } else {
            0
        };
        let digits = (a.digits.checked_add(more)? / unit).checked_mul(unit)?;
        Some(Decimal::new(digits, a.scale))
    };
    let float = |a: f64| {
        let power = 10_f64.powi(place as i32);
        let moved = a * power;
        (if half { moved.round() } else { moved.trunc() }) / power
    };
    change(args, exact, float)
}

pub(super) fn round(args: &Args<'_>) -> Answer {
    at_place(args, true)
}

pub(super) fn truncate(args: &Args<'_>) -> Answer {
    at_place(args, false)
}

/// A number, or its digits, as a DECIMAL.
pub(super) fn exact(args: &Args<'_>) -> Answer {
    super::value::as_type(args.get(0), args.first, args.result).map_err(|_| overflow())
}

/// DECIMAL(value, precision, scale), and of characters with their decimal point.
pub(super) fn decimal(args: &Args<'_>) -> Answer {
    if let (Arg::Text(text), Arg::Text(point)) = (args.get(0), args.get(3)) {
        let text = Arg::Text(text.replace(point.as_str(), "."));
        return super::value::as_type(&text, args.first, args.result);
    }
    super::value::as_type(args.get(0), args.first, args.result)
}

pub(super) fn integer(args: &Args<'_>) -> Answer {
    super::value::as_type(args.get(0), args.first, args.result)
}

pub(super) fn double(args: &Args<'_>) -> Answer {
    super::value::as_type(args.get(0), args.first, Type::Double)
}

/// All digits of a number's type, without sign and point.
pub(super) fn digits(args: &Args<'_>) -> Answer {
    let (precision, scale) = match args.first {
        Type::SmallInt => (5, 0),
        Type::Integer => (10, 0),
        Type::BigInt => (19, 0),
        Type::Decimal { precision, scale } => (precision, scale),
        _ => return Err(args.wrong(0)),
    };
    if args.has_null() {
        return Ok(Value::Null);
    }
    let value = args.exact(0)?.rescaled(scale).ok_or_else(overflow)?;
    let width = usize::from(precision);
    Ok(Value::Text(format!(
        "{:0width$}",
        value.digits.unsigned_abs()
    )))
}
