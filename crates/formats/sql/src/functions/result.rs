//! Types of results.

use super::function::{Function, Rule};
use crate::types::{DECIMAL_MAX, Family, Type};

/// Constant arguments count: `None` where one is no integer constant.
pub(crate) struct Arguments<'a> {
    pub(crate) kinds: &'a [Type],
    pub(crate) constants: &'a [Option<i64>],
    pub(crate) dec31: bool,
}

impl Arguments<'_> {
    fn kind(&self, place: usize) -> Type {
        self.kinds.get(place).copied().unwrap_or_default()
    }

    fn constant(&self, place: usize) -> Option<u32> {
        let value = self.constants.get(place).copied().flatten()?;
        u32::try_from(value).ok()
    }
}

/// The type of a call's result.
pub(crate) fn result(function: &Function, arguments: &Arguments<'_>) -> Type {
    let first = arguments.kind(0);
    match function.result {
        Rule::Fixed(kind) => kind,
        Rule::First => first,
        Rule::Varying => varying(first),
        Rule::Common => common(arguments.kinds),
        Rule::Own => own(function.name, first, arguments),
    }
}

fn own(name: &str, first: Type, arguments: &Arguments<'_>) -> Type {
    match name {
        "ADD_MONTHS" | "LAST_DAY" | "NEXT_DAY" => match first {
            Type::Timestamp(_) => first,
            _ => Type::Date,
        },
        "CHAR" => Type::Char(arguments.constant(1).unwrap_or_else(|| shown(first))),
        "CLOB" => Type::Clob(arguments.constant(1).unwrap_or_else(|| shown(first))),
        "VARCHAR" => Type::VarChar(arguments.constant(1).unwrap_or_else(|| shown(first))),
        "CONCAT" => concatenation(first, arguments.kind(1)),
        "DIGITS" => Type::Char(match first {
            Type::SmallInt => 5,
            Type::Integer => 10,
            Type::BigInt => 19,
            other => u32::from(other.digits().map_or(DECIMAL_MAX, |(p, _)| p)),
        }),
        "HEX" => match first {
            Type::VarChar(n) | Type::VarCharBit(n) | Type::VarBinary(n) => {
                Type::VarChar(2 * n.min(16_352))
            }
            other => Type::Char(2 * stored(other)),
        },
        "SUBSTR" => substr(first, arguments),
        _ => calculated(name, first, arguments),
    }
}

/// Of functions that give numbers.
fn calculated(name: &str, first: Type, arguments: &Arguments<'_>) -> Type {
    let second = arguments.kind(1);
    match name {
        "AVG" => average(first, arguments.dec31),
        "BITAND" | "BITANDNOT" | "BITNOT" | "BITOR" | "BITXOR" => {
            let wider = |a: Type, b: Type| if b.code() > a.code() { b } else { a };
            let widest = arguments.kinds.iter().copied().reduce(wider);
            widest.unwrap_or_default()
        }
        "CEILING" | "FLOOR" => match first {
            Type::Decimal { precision, scale } => {
                Type::decimal((precision - scale + u8::from(scale > 0)).max(1), 0)
            }
            Type::Real => Type::Double,
            other => other,
        },
        "DECFLOAT" => Type::DecFloat(match arguments.constant(1) {
            Some(16) => 16,
            _ => 34,
        }),
        "DECIMAL" => decimal(first, arguments),
        "MOD" => modulo(first, second),
        "MULTIPLY_ALT" => product(first, second),
        "POWER" => match (first, second) {
            (a, b) if !(a.is_integer() && b.is_integer()) => Type::Double,
            (Type::BigInt, _) | (_, Type::BigInt) => Type::BigInt,
            _ => Type::Integer,
        },
        "ROUND" => match first {
            Type::Decimal { precision, scale } => {
                Type::decimal((precision + 1).min(DECIMAL_MAX), scale)
            }
            other => other,
        },
        "SIGN" => match first {
            Type::Decimal { precision, scale } if precision == scale => {
                Type::decimal((precision + 1).min(DECIMAL_MAX), scale)
            }
            other => other,
        },
        "SUM" => sum(first, arguments.dec31),
        _ => Type::Unknown,
    }
}

fn sum(first: Type, dec31: bool) -> Type {
    match first {
        Type::SmallInt => Type::Integer,
        Type::Decimal { precision, scale } => {
            let short = !dec31 && precision <= 15;
            Type::decimal(if short { 15 } else { DECIMAL_MAX }, scale)
        }
        Type::Real => Type::Double,
        Type::DecFloat(_) => Type::DecFloat(34),
        other => other,
    }
}

fn average(first: Type, dec31: bool) -> Type {
    match first {
        Type::SmallInt => Type::Integer,
        Type::Decimal { precision, scale } => {
            if !dec31 && precision <= 15 {
                return Type::decimal(15, 15 - precision + scale);
            }
            // 28 leaves room for the count.
            Type::decimal(31, 28u8.saturating_sub(precision) + scale)
        }
        Type::Real => Type::Double,
        Type::DecFloat(_) => Type::DecFloat(34),
        other => other,
    }
}

/// `DECIMAL(x, p, s)`; without p what the type of x brings.
fn decimal(first: Type, arguments: &Arguments<'_>) -> Type {
    let small = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
    let precision = arguments.constant(1).map(small).unwrap_or(match first {
        Type::SmallInt => 5,
        Type::Integer => 11,
        Type::BigInt => 19,
        Type::DecFloat(_) => DECIMAL_MAX,
        _ => 15,
    });
    let precision = precision.clamp(1, DECIMAL_MAX);
    let scale = arguments.constant(2).map_or(0, small);
    Type::decimal(precision, scale.min(precision))
}

/// Digits in front of the point are kept before those behind it.
fn product(first: Type, second: Type) -> Type {
    let (Some((p, s)), Some((q, t))) = (first.digits(), second.digits()) else {
        return Type::Unknown;
    };
    let scale = if p + q <= DECIMAL_MAX {
        s + t
    } else {
        let whole = (p - s) + (q - t);
        (s + t).min(3).max(DECIMAL_MAX.saturating_sub(whole))
    };
    Type::decimal((p + q).min(DECIMAL_MAX), scale)
}

fn modulo(first: Type, second: Type) -> Type {
    if let (Some((p, s)), Some((q, t))) = (first.digits(), second.digits()) {
        if first.is_integer() && second.is_integer() {
            return common(&[first, second, Type::Integer]);
        }
        let scale = s.max(t);
        let whole = (p - s).min(q - t);
        return Type::decimal((whole + scale).clamp(1, DECIMAL_MAX), scale);
    }
    common(&[first, second])
}

fn substr(first: Type, arguments: &Arguments<'_>) -> Type {
    let length = first.length();
    let bits = matches!(first, Type::CharBit(_) | Type::VarCharBit(_));
    let fixed = |n: u32| {
        if bits {
            Type::CharBit(n)
        } else {
            Type::Char(n)
        }
    };
    match (arguments.kinds.len(), arguments.constant(2)) {
        (3.., Some(n)) if n > 0 && n < 256 => fixed(n),
        (3.., Some(n)) => Type::VarChar(n.max(1)),
        (2, _) => match (first, arguments.constant(1)) {
            (Type::Char(n) | Type::CharBit(n), Some(start)) if start >= 1 && start <= n => {
                fixed(n - start + 1)
            }
            _ => varying(first),
        },
        _ => Type::VarChar(length.unwrap_or(4_000)),
    }
}

/// Length as a string: CHAR(x) and VARCHAR(x).
pub(crate) fn shown(kind: Type) -> u32 {
    match kind {
        Type::SmallInt => 6,
        Type::Integer => 11,
        Type::BigInt => 20,
        Type::Decimal { precision, .. } => u32::from(precision) + 2,
        Type::DecFloat(16) => 24,
        Type::DecFloat(_) => 42,
        Type::Real | Type::Double => 24,
        Type::Date => 10,
        Type::Time => 8,
        Type::Timestamp(0) => 19,
        Type::Timestamp(digits) => 20 + u32::from(digits),
        other => other.length().unwrap_or(255),
    }
}

/// Bytes Db2 keeps of a value.
fn stored(kind: Type) -> u32 {
    match kind {
        Type::SmallInt => 2,
        Type::Integer | Type::Date | Type::Real => 4,
        Type::BigInt | Type::Double => 8,
        Type::Decimal { precision, .. } => u32::from(precision) / 2 + 1,
        Type::DecFloat(digits) => u32::from(digits) / 2,
        Type::Time => 3,
        Type::Timestamp(digits) => 7 + u32::from(digits).div_ceil(2),
        Type::Graphic(n) | Type::VarGraphic(n) => n.saturating_mul(2),
        other => other.length().unwrap_or(255),
    }
    .min(16_352)
}

fn varying(kind: Type) -> Type {
    match kind {
        Type::Char(n) | Type::VarChar(n) | Type::Clob(n) => Type::VarChar(n),
        Type::Graphic(n) | Type::VarGraphic(n) => Type::VarGraphic(n),
        Type::CharBit(n) | Type::VarCharBit(n) => Type::VarCharBit(n),
        Type::Binary(n) | Type::VarBinary(n) => Type::VarBinary(n),
        other if other.is_number() || other.is_datetime() => Type::VarChar(shown(other)),
        _ => Type::VarChar(4_000),
    }
}

/// The type of `a CONCAT b`.
pub(crate) fn concatenation(a: Type, b: Type) -> Type {
    let length = shown(a).saturating_add(shown(b));
    match (a, b) {
        (Type::Char(_), Type::Char(_)) if length < 256 => Type::Char(length),
        (Type::CharBit(_), _) | (_, Type::CharBit(_)) if length < 256 => Type::CharBit(length),
        (Type::VarCharBit(_) | Type::CharBit(_), _)
        | (_, Type::VarCharBit(_) | Type::CharBit(_)) => Type::VarCharBit(length),
        (Type::Clob(_), _) | (_, Type::Clob(_)) => Type::Clob(length),
        (Type::Graphic(_) | Type::VarGraphic(_), _) => Type::VarGraphic(length),
        _ => Type::VarChar(length),
    }
}

/// The type that holds values of all of these; unknown ones do not count.
pub(crate) fn common(kinds: &[Type]) -> Type {
    let known = kinds.iter().copied().filter(|k| *k != Type::Unknown);
    known.reduce(pair).unwrap_or_default()
}

fn pair(a: Type, b: Type) -> Type {
    if a == b {
        return a;
    }
    match (a.family(), b.family()) {
        (Family::Number, Family::Number) => number(a, b),
        (Family::Character, Family::Character) => {
            let length = a.length().max(b.length()).unwrap_or(255);
            match (a, b) {
                (Type::Char(_), Type::Char(_)) => Type::Char(length),
                (Type::Clob(_), _) | (_, Type::Clob(_)) => Type::Clob(length),
                _ => Type::VarChar(length),
            }
        }
        (Family::Graphic, Family::Graphic) => {
            Type::VarGraphic(a.length().max(b.length()).unwrap_or(127))
        }
        (Family::Bytes, Family::Bytes) => {
            Type::VarBinary(a.length().max(b.length()).unwrap_or(255))
        }
        // Characters beside FOR BIT DATA are bytes.
        (Family::Bytes, Family::Character) => a,
        (Family::Character, Family::Bytes) => b,
        // A string constant beside a date is a date.
        (Family::Date | Family::Time | Family::Timestamp, Family::Character) => a,
        (Family::Character, Family::Date | Family::Time | Family::Timestamp) => b,
        _ => a,
    }
}

fn number(a: Type, b: Type) -> Type {
    let any = |test: fn(Type) -> bool| test(a) || test(b);
    if any(|k| matches!(k, Type::DecFloat(_))) {
        return Type::DecFloat(34);
    }
    if any(|k| matches!(k, Type::Double | Type::Real)) {
        return Type::Double;
    }
    if a.is_integer() && b.is_integer() {
        return if any(|k| k == Type::BigInt) {
            Type::BigInt
        } else {
            Type::Integer
        };
    }
    match (a.digits(), b.digits()) {
        (Some((p, s)), Some((q, t))) => {
            let scale = s.max(t);
            let whole = (p - s).max(q - t);
            Type::decimal((whole + scale).min(DECIMAL_MAX), scale)
        }
        _ => Type::Unknown,
    }
}
