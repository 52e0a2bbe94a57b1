//! Functions of exact numbers that are more than an operator: bits, signs, long products.

use super::code::{Answer, Code};
use super::value::{Arg, Args, as_type, exact_result};
use crate::decimal::Decimal;
use rusqlite::types::Value;
use transom_sql::Type;

fn bits(args: &Args<'_>, compute: fn(i64, i64) -> i64) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let second = match args.values.len() {
        1 => 0,
        _ => args.whole(1)?,
    };
    Ok(Value::Integer(compute(args.whole(0)?, second)))
}

pub(super) fn bitand(args: &Args<'_>) -> Answer {
    bits(args, |a, b| a & b)
}

pub(super) fn bitandnot(args: &Args<'_>) -> Answer {
    bits(args, |a, b| a & !b)
}

pub(super) fn bitnot(args: &Args<'_>) -> Answer {
    bits(args, |a, _| !a)
}

pub(super) fn bitor(args: &Args<'_>) -> Answer {
    bits(args, |a, b| a | b)
}

pub(super) fn bitxor(args: &Args<'_>) -> Answer {
    bits(args, |a, b| a ^ b)
}

pub(super) fn sign(args: &Args<'_>) -> Answer {
    match args.get(0) {
        Arg::Null => Ok(Value::Null),
        Arg::Real(0.0) => Ok(Value::Real(0.0)),
        Arg::Real(number) => Ok(Value::Real(number.signum())),
        _ => {
            let sign = args.exact(0)?.digits.signum();
            exact_result(Decimal::new(sign, 0), args.result)
        }
    }
}

pub(super) fn decfloat(args: &Args<'_>) -> Answer {
    let Type::DecFloat(16) = args.result else {
        return as_type(args.get(0), args.first, args.result);
    };
    if args.get(0).is_null() {
        return Ok(Value::Null);
    }
    let value = args.get(0).exact();
    let value = value.ok_or(Code(-420, vec!["DECFLOAT".to_owned()]))?;
    Ok(Value::Blob(to_digits(value, 16).bytes()))
}

/// So many digits from the left, rounded half to even.
fn to_digits(value: Decimal, most: u32) -> Decimal {
    let limit = 10_u128.pow(most);
    let (mut digits, mut scale) = (value.digits.unsigned_abs(), i32::from(value.scale));
    let (mut half, mut rest) = (0, false);
    while digits >= limit {
        rest |= half != 0;
        half = digits % 10;
        digits /= 10;
        scale -= 1;
    }
    let is_up = half > 5 || half == 5 && (rest || digits % 2 == 1);
    digits += u128::from(is_up);
    while scale < 0 {
        digits = digits.saturating_mul(10);
        scale += 1;
    }
    let digits = i128::try_from(digits).unwrap_or(i128::MAX);
    Decimal::new(digits * value.digits.signum(), scale as u8)
}

/// A product of up to 62 digits, cut off to the scale of the result.
pub(super) fn multiply_alt(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (a, b) = (args.exact(0)?, args.exact(1)?);
    let overflow = || Code(-802, vec!["FIXED POINT OVERFLOW".to_owned()]);
    let scale = args.result.digits().map_or(0, |(_, scale)| scale);
    let cut = usize::from(a.scale) + usize::from(b.scale);
    let digits = product(
        &a.digits.unsigned_abs().to_string(),
        &b.digits.unsigned_abs().to_string(),
    );
    let kept = match cut.checked_sub(usize::from(scale)) {
        Some(behind) => digits[..digits.len().saturating_sub(behind)].to_owned(),
        None => digits + &"0".repeat(usize::from(scale) - cut),
    };
    let kept = kept.trim_start_matches('0');
    let whole: i128 = match kept {
        "" => 0,
        _ => kept.parse().map_err(|_| overflow())?,
    };
    let signed = whole * a.digits.signum() * b.digits.signum();
    exact_result(Decimal::new(signed, scale), args.result)
}

/// Digits of a product, the highest first.
fn product(a: &str, b: &str) -> String {
    let mut out = vec![0_u32; a.len() + b.len()];
    for (i, x) in a.bytes().rev().enumerate() {
        let mut carry = 0;
        for (j, y) in b.bytes().rev().enumerate() {
            let sum = out[i + j] + u32::from(x - b'0') * u32::from(y - b'0') + carry;
            out[i + j] = sum % 10;
            carry = sum / 10;
        }
        out[i + b.len()] += carry;
    }
    let digit = |n: &u32| char::from_digit(*n, 10).unwrap_or('0');
    out.iter().rev().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_digits_are_rounded_half_to_even() {
        let of = |text: &str| to_digits(Decimal::parse(text).unwrap(), 16).text();
        assert_eq!(of("1.2345678901234565"), "1.234567890123456");
        assert_eq!(of("1.2345678901234575"), "1.234567890123458");
        assert_eq!(of("1.23456789012345651"), "1.234567890123457");
        assert_eq!(of("-12"), "-12");
        assert_eq!(of("123456789012345678"), "123456789012345700");
    }

    #[test]
    fn products_are_as_long_as_they_must_be() {
        assert_eq!(product("99", "99"), "9801");
        assert_eq!(product("12", "3"), "036");
    }
}
