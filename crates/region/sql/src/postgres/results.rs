//! Values of the server as programs take them.

use super::numeric;
use crate::decimal::Decimal;
use crate::sqlite::functions::date_of;
use std::error::Error;
use tokio_postgres::types::{FromSql, Type as Oid};
use transom_sql::Type;
use transom_wire::sql::SqlValue;

/// Days from 0001-01-01, which is 1, to the first day of the server's calendar.
pub(super) const FIRST_DAY: i64 = 730_120;
pub(super) const DAY_US: i64 = 86_400_000_000;
/// Stands for X'00', which the server does not take in characters.
pub(super) const NUL: char = '\u{E000}';

/// A value as it came; `None`: NULL.
pub(super) struct Raw<'r>(pub(super) Option<&'r [u8]>);

impl<'r> FromSql<'r> for Raw<'r> {
    fn from_sql(_: &Oid, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(Some(raw)))
    }

    fn from_sql_null(_: &Oid) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(None))
    }

    fn accepts(_: &Oid) -> bool {
        true
    }
}

/// Why there is no value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoValue {
    /// It is no value of the type of its column.
    Damaged,
    /// -802
    Overflow,
}

/// A result of this type.
pub(super) fn value(raw: &Raw<'_>, oid: &Oid, kind: Type) -> Result<SqlValue, NoValue> {
    let Some(raw) = raw.0 else {
        return Ok(SqlValue::Null);
    };
    match *oid {
        Oid::INT2 | Oid::INT4 | Oid::INT8 => exact(Decimal::integer(integer(raw)?), kind),
        Oid::NUMERIC => exact(numeric::read(raw).ok_or(NoValue::Damaged)?, kind),
        Oid::FLOAT4 => {
            let bits = raw.try_into().map_err(|_| NoValue::Damaged)?;
            Ok(double(f32::from_be_bytes(bits).into()))
        }
        Oid::FLOAT8 => {
            let bits = raw.try_into().map_err(|_| NoValue::Damaged)?;
            Ok(double(f64::from_be_bytes(bits)))
        }
        Oid::BYTEA => Ok(SqlValue::Bytes(raw.to_vec())),
        Oid::DATE => day(integer(raw)?).map(SqlValue::Text),
        Oid::TIME => Ok(SqlValue::Text(clock(integer(raw)?))),
        Oid::TIMESTAMP => {
            let us = integer(raw)?;
            let (day, rest) = (self::day(us.div_euclid(DAY_US))?, us.rem_euclid(DAY_US));
            let part = rest % 1_000_000;
            Ok(SqlValue::Text(format!("{day}-{}.{part:06}", clock(rest))))
        }
        _ => {
            let text = str::from_utf8(raw).map_err(|_| NoValue::Damaged)?;
            Ok(SqlValue::Text(text.replace(NUL, "\0")))
        }
    }
}

/// Block and place of a row as one number.
pub(super) fn row_id(raw: &Raw<'_>) -> Option<i64> {
    let (block, place) = raw.0?.split_at_checked(4)?;
    let block = u32::from_be_bytes(block.try_into().ok()?);
    let place = u16::from_be_bytes(place.try_into().ok()?);
    Some(i64::from(block) << 16 | i64::from(place))
}

fn integer(raw: &[u8]) -> Result<i64, NoValue> {
    let number = match raw.len() {
        2 => raw.try_into().map(i16::from_be_bytes).map(i64::from),
        4 => raw.try_into().map(i32::from_be_bytes).map(i64::from),
        _ => raw.try_into().map(i64::from_be_bytes),
    };
    number.map_err(|_| NoValue::Damaged)
}

fn exact(value: Decimal, kind: Type) -> Result<SqlValue, NoValue> {
    match kind {
        Type::Real | Type::Double => return Ok(double(value.to_f64())),
        kind if kind.is_integer() => {
            let whole = value.rescaled(0).ok_or(NoValue::Overflow)?;
            let number = i64::try_from(whole.digits).map_err(|_| NoValue::Overflow)?;
            let most = match kind {
                Type::SmallInt => i64::from(i16::MAX),
                Type::Integer => i64::from(i32::MAX),
                _ => i64::MAX,
            };
            return match (-most - 1..=most).contains(&number) {
                true => Ok(SqlValue::Integer(number)),
                false => Err(NoValue::Overflow),
            };
        }
        _ => {}
    }
    let (precision, scale) = kind.digits().unwrap_or((31, value.scale));
    let value = value.fitted(precision, scale).ok_or(NoValue::Overflow)?;
    Ok(SqlValue::Decimal {
        digits: value.digits,
        precision,
        scale,
    })
}

fn double(number: f64) -> SqlValue {
    SqlValue::Double(number.to_bits())
}

/// Of days since 2000-01-01.
fn day(days: i64) -> Result<String, NoValue> {
    let (year, month, day) = date_of(days + FIRST_DAY);
    match (1..=9_999).contains(&year) {
        true => Ok(format!("{year:04}-{month:02}-{day:02}")),
        // Of another program: Db2 has no such year.
        false => Err(NoValue::Damaged),
    }
}

fn clock(us: i64) -> String {
    let seconds = us / 1_000_000;
    let (hour, minute) = (seconds / 3_600, seconds / 60 % 60);
    format!("{hour:02}.{minute:02}.{:02}", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8], oid: &Oid, kind: Type) -> String {
        value(&Raw(Some(bytes)), oid, kind).unwrap().to_string()
    }

    #[test]
    fn values_have_the_forms_of_db2() {
        let stamp = Type::Timestamp(6);
        assert_eq!(
            text(&0_i32.to_be_bytes(), &Oid::DATE, Type::Date),
            "2000-01-01"
        );
        assert_eq!(
            text(&(-1_i64).to_be_bytes(), &Oid::TIMESTAMP, stamp),
            "1999-12-31-23.59.59.999999"
        );
        assert_eq!(
            text(&DAY_US.to_be_bytes(), &Oid::TIME, Type::Time),
            "24.00.00"
        );
        assert_eq!(text(&7_i64.to_be_bytes(), &Oid::INT8, Type::Integer), "7");
        assert_eq!(
            text("A\u{E000} ".as_bytes(), &Oid::BPCHAR, Type::Char(3)),
            "A\0 "
        );
        let large = value(
            &Raw(Some(&i64::MAX.to_be_bytes())),
            &Oid::INT8,
            Type::Integer,
        );
        assert_eq!(large, Err(NoValue::Overflow));
    }
}
