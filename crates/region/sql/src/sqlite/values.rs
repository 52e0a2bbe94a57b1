//! Values between programs and SQLite.

use super::functions::{Arg, as_type};
use crate::decimal::Decimal;
use crate::statements::{Bound, not_taken};
use rusqlite::types::{Value, ValueRef};
use transom_sql::{Parameter, Type};
use transom_wire::sql::{SqlAnswer, SqlValue};

/// The values of all parameters.
pub(super) fn all(values: &[Bound<'_>], parameters: &[Parameter]) -> Result<Vec<Value>, SqlAnswer> {
    let pairs = (1..).zip(values.iter().zip(parameters));
    let value = |(n, (value, parameter)): (usize, (&Bound<'_>, &Parameter))| {
        let (value, from) = match value {
            Bound::Row(row) => return Ok(row.map_or(Value::Null, Value::Integer)),
            Bound::Register(value, kind) => (value, *kind),
            Bound::Input(input) => (
                &input.value,
                Type::from_code(input.kind).unwrap_or_default(),
            ),
        };
        let kind = parameter.kind;
        bound(value, from, kind).map_err(|code| not_taken(code, n, kind))
    };
    pairs.map(value).collect()
}

/// A host variable as its place wants it. The error is an SQLCODE.
pub(crate) fn bound(value: &SqlValue, from: Type, kind: Type) -> Result<Value, i32> {
    let arg = match value {
        SqlValue::Null => return Ok(Value::Null),
        SqlValue::Integer(number) => Arg::Integer(*number),
        SqlValue::Decimal { digits, scale, .. } => Arg::Blob(Decimal::new(*digits, *scale).bytes()),
        SqlValue::Double(bits) => Arg::Real(f64::from_bits(*bits)),
        SqlValue::Text(text) => Arg::Text(text.clone()),
        SqlValue::Bytes(bytes) => Arg::Blob(bytes.clone()),
    };
    let kind = if kind == Type::Unknown { from } else { kind };
    let answer = as_type(&arg, from, kind);
    answer.map_err(|code| match code.0 {
        // Of a host variable, and not of an expression.
        -404 | -406 | -408 | -420 => -302,
        other => other,
    })
}

/// A result of this type; `None`: the bytes are no value of it.
pub(super) fn result(value: ValueRef<'_>, kind: Type) -> Option<SqlValue> {
    Some(match value {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => match kind {
            Type::Decimal { .. } => decimal(Decimal::integer(number), kind)?,
            Type::Real | Type::Double => SqlValue::Double((number as f64).to_bits()),
            _ => SqlValue::Integer(number),
        },
        ValueRef::Real(number) => SqlValue::Double(number.to_bits()),
        ValueRef::Text(text) => SqlValue::Text(str::from_utf8(text).ok()?.to_owned()),
        ValueRef::Blob(bytes) => match kind {
            Type::Decimal { .. } | Type::DecFloat(_) | Type::Unknown => {
                decimal(Decimal::of_bytes(bytes)?, kind)?
            }
            kind if kind.is_integer() => {
                let whole = Decimal::of_bytes(bytes)?.rescaled(0)?;
                SqlValue::Integer(i64::try_from(whole.digits).ok()?)
            }
            _ => SqlValue::Bytes(bytes.to_vec()),
        },
    })
}

fn decimal(value: Decimal, kind: Type) -> Option<SqlValue> {
    let (precision, scale) = kind.digits().unwrap_or((31, value.scale));
    let value = value.rescaled(scale)?;
    Some(SqlValue::Decimal {
        digits: value.digits,
        precision,
        scale,
    })
}
