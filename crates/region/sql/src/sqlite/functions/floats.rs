//! Functions that compute in floating point.
//!
//! Why apart: what is outside of a function's range ends in one way, and formulas are those the
//! server's library has, so that both engines give the same digits. Not here: exact numbers.

use super::code::{Answer, Code};
use super::value::{Args, exact_result};
use crate::decimal::Decimal;
use rusqlite::types::Value;
use std::hash::{BuildHasher, Hasher, RandomState};
use transom_sql::Type;

/// One degree, as PostgreSQL writes it.
#[expect(clippy::excessive_precision, reason = "the digits are PostgreSQL's")]
const RADIANS_PER_DEGREE: f64 = 0.017_453_292_519_943_295_769_2;

/// -802: no number of the type.
pub(super) fn out_of_range() -> Code {
    Code(-802, vec!["OUT OF RANGE".to_owned()])
}

fn one(args: &Args<'_>, compute: fn(f64) -> f64) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let value = args.get(0).float().ok_or_else(|| args.wrong(0))?;
    let result = compute(value);
    match result.is_finite() {
        true => Ok(Value::Real(result)),
        false => Err(out_of_range()),
    }
}

pub(super) fn acos(args: &Args<'_>) -> Answer {
    one(args, f64::acos)
}

pub(super) fn asin(args: &Args<'_>) -> Answer {
    one(args, f64::asin)
}

pub(super) fn atan(args: &Args<'_>) -> Answer {
    one(args, f64::atan)
}

pub(super) fn atanh(args: &Args<'_>) -> Answer {
    one(args, |x| 0.5 * ((1.0 + x) / (1.0 - x)).ln())
}

pub(super) fn cos(args: &Args<'_>) -> Answer {
    one(args, f64::cos)
}

pub(super) fn cosh(args: &Args<'_>) -> Answer {
    one(args, f64::cosh)
}

pub(super) fn degrees(args: &Args<'_>) -> Answer {
    one(args, |x| x / RADIANS_PER_DEGREE)
}

pub(super) fn exp(args: &Args<'_>) -> Answer {
    one(args, |x| match x.exp() {
        0.0 => f64::NAN,
        result => result,
    })
}

pub(super) fn ln(args: &Args<'_>) -> Answer {
    one(args, f64::ln)
}

pub(super) fn log10(args: &Args<'_>) -> Answer {
    one(args, f64::log10)
}

pub(super) fn radians(args: &Args<'_>) -> Answer {
    one(args, |x| x * RADIANS_PER_DEGREE)
}

pub(super) fn sin(args: &Args<'_>) -> Answer {
    one(args, f64::sin)
}

pub(super) fn sinh(args: &Args<'_>) -> Answer {
    one(args, f64::sinh)
}

pub(super) fn sqrt(args: &Args<'_>) -> Answer {
    one(args, f64::sqrt)
}

pub(super) fn tan(args: &Args<'_>) -> Answer {
    one(args, f64::tan)
}

pub(super) fn tanh(args: &Args<'_>) -> Answer {
    one(args, f64::tanh)
}

/// As REAL: four bytes.
pub(super) fn real(args: &Args<'_>) -> Answer {
    let whole = super::value::as_type(args.get(0), args.first, Type::Double)?;
    match whole {
        Value::Real(value) => {
            let short = f64::from(value as f32);
            match short.is_finite() {
                true => Ok(Value::Real(short)),
                false => Err(out_of_range()),
            }
        }
        other => Ok(other),
    }
}

/// x first, then y.
pub(super) fn atan2(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let x = args.get(0).float().ok_or_else(|| args.wrong(0))?;
    let y = args.get(1).float().ok_or_else(|| args.wrong(1))?;
    if x == 0.0 && y == 0.0 {
        return Err(out_of_range());
    }
    Ok(Value::Real(y.atan2(x)))
}

pub(super) fn power(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    if args.result.is_integer() {
        return exact_result(whole_power(args.whole(0)?, args.whole(1)?)?, args.result);
    }
    let base = args.get(0).float().ok_or_else(|| args.wrong(0))?;
    let exponent = args.get(1).float().ok_or_else(|| args.wrong(1))?;
    let result = base.powf(exponent);
    let is_lost = result == 0.0 && base != 0.0;
    match result.is_finite() && !is_lost {
        true => Ok(Value::Real(result)),
        false => Err(out_of_range()),
    }
}

/// Of integers; what is behind the point is cut off.
fn whole_power(base: i64, exponent: i64) -> Result<Decimal, Code> {
    let is_odd = exponent % 2 != 0;
    let value = match (base, exponent) {
        (0, ..0) => return Err(out_of_range()),
        (_, 0) | (1, _) => 1,
        (0, _) => 0,
        (-1, _) => 1 - 2 * i128::from(is_odd),
        (_, ..0) => 0,
        _ => {
            let exponent = u32::try_from(exponent).unwrap_or(u32::MAX);
            let power = i128::from(base).checked_pow(exponent);
            power.ok_or(Code(-802, vec!["FIXED POINT OVERFLOW".to_owned()]))?
        }
    };
    Ok(Decimal::new(value, 0))
}

/// A number by chance, at least 0 and less than 1.
pub(super) fn rand(_: &Args<'_>) -> Answer {
    let by_chance = RandomState::new().build_hasher().finish();
    Ok(Value::Real((by_chance >> 11) as f64 / (1_u64 << 53) as f64))
}
