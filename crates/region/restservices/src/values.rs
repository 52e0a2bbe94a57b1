//! Values of requests as parameters of SQL, values of SQL as a door writes them.
//!
//! What: a number for a number, a string for characters, dates and times, as the schema of the
//! request says it. What does not fit is refused before SQL runs, but for the form of dates and
//! times and the length of strings, which the database judges. Not here: JSON texts.

use transom_region_api::{Given, RestColumn, RestFailure, SqlDatum};
use transom_sql::{Family, Type};
use transom_wire::sql::{SqlColumn, SqlInput, SqlRow, SqlValue};

/// A column or a marker as the database described it.
///
/// # Errors
/// Its type has no form in JSON here.
pub(crate) fn column(column: &SqlColumn, name: &str) -> Result<RestColumn, RestFailure> {
    let kind = Type::from_code(column.kind).unwrap_or_default();
    match kind.family() {
        Family::Bytes | Family::Other => Err(RestFailure::Refused(format!(
            "{name} is {kind}, which has no form in JSON here"
        ))),
        _ => Ok(RestColumn {
            name: name.to_owned(),
            kind,
            nullable: column.nullable,
        }),
    }
}

/// What a request gives for a parameter.
pub(crate) fn input(parameter: &RestColumn, given: &Given) -> Result<SqlInput, RestFailure> {
    let (name, kind) = (&parameter.name, parameter.kind);
    let wrong =
        |why: &str| RestFailure::BadValue(format!("the value of parameter {name} {why} ({kind})"));
    let value = match (kind.family(), given) {
        (_, Given::Null) => SqlValue::Null,
        (Family::Number, Given::Number(text)) => {
            number(kind, text).ok_or_else(|| wrong("does not fit"))?
        }
        (Family::Number, _) => return Err(wrong("must be a number")),
        (_, Given::Text(text)) => SqlValue::Text(text.clone()),
        (Family::Unknown, Given::Number(text)) => {
            number(Type::Double, text).ok_or_else(|| wrong("does not fit"))?
        }
        _ => return Err(wrong("must be a string")),
    };
    let bound = match (kind, &value) {
        (Type::Unknown, SqlValue::Double(_)) => Type::Double,
        // Characters become what the place wants, as those of an untyped marker do.
        (_, SqlValue::Text(text)) => Type::VarChar(u32::try_from(text.len()).unwrap_or(u32::MAX)),
        _ => kind,
    };
    Ok(SqlInput {
        kind: bound.code(),
        value,
    })
}

/// A number of JSON as a number of the type; nothing is rounded.
fn number(kind: Type, text: &str) -> Option<SqlValue> {
    if matches!(kind, Type::Real | Type::Double) {
        let number: f64 = text.parse().ok()?;
        let fits = number.is_finite() && (kind == Type::Double || (number as f32).is_finite());
        return fits.then(|| SqlValue::Double(number.to_bits()));
    }
    let (digits, scale) = exact(text)?;
    match kind {
        Type::SmallInt => whole(digits, scale, i64::from(i16::MIN), i64::from(i16::MAX)),
        Type::Integer => whole(digits, scale, i64::from(i32::MIN), i64::from(i32::MAX)),
        Type::BigInt => whole(digits, scale, i64::MIN, i64::MAX),
        Type::Decimal {
            precision,
            scale: most,
        } => {
            let digits = rescaled(digits, scale, most)?;
            let fits = digits.unsigned_abs() < 10_u128.pow(u32::from(precision));
            fits.then_some(SqlValue::Decimal {
                digits,
                precision,
                scale: most,
            })
        }
        Type::DecFloat(_) => (digits.unsigned_abs() < 10_u128.pow(31)).then_some({
            SqlValue::Decimal {
                digits,
                precision: 31,
                scale,
            }
        }),
        _ => None,
    }
}

fn whole(digits: i128, scale: u8, least: i64, most: i64) -> Option<SqlValue> {
    let number = i64::try_from(rescaled(digits, scale, 0)?).ok()?;
    (least..=most)
        .contains(&number)
        .then_some(SqlValue::Integer(number))
}

/// The same number with another scale; `None`: digits would be lost.
fn rescaled(digits: i128, from: u8, to: u8) -> Option<i128> {
    match to.checked_sub(from) {
        Some(more) => digits.checked_mul(10_i128.checked_pow(u32::from(more))?),
        None => {
            let power = 10_i128.checked_pow(u32::from(from - to))?;
            (digits % power == 0).then(|| digits / power)
        }
    }
}

/// `-12.50e1` as digits and scale.
fn exact(text: &str) -> Option<(i128, u8)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: i128 = format!("{whole}{part}").parse().ok()?;
    let mut scale = i32::try_from(part.len()).ok()?.checked_sub(exponent)?;
    while scale < 0 {
        digits = digits.checked_mul(10)?;
        scale += 1;
        if digits == 0 {
            scale = 0;
        }
    }
    while scale > 31 && digits % 10 == 0 {
        digits /= 10;
        scale -= 1;
        if digits == 0 {
            scale = 0;
        }
    }
    Some((
        digits,
        u8::try_from(scale).ok().filter(|scale| *scale <= 31)?,
    ))
}

/// A row as a door writes it.
pub(crate) fn row(row: SqlRow) -> Vec<SqlDatum> {
    row.values.into_iter().map(datum).collect()
}

fn datum(value: SqlValue) -> SqlDatum {
    match value {
        SqlValue::Null => SqlDatum::Null,
        SqlValue::Integer(number) => SqlDatum::Integer(number),
        SqlValue::Decimal { digits, scale, .. } => SqlDatum::Decimal(digits, scale),
        SqlValue::Double(bits) => SqlDatum::Double(f64::from_bits(bits)),
        SqlValue::Text(text) => SqlDatum::Text(text),
        // Columns of bytes make no service.
        SqlValue::Bytes(_) => SqlDatum::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(kind: Type, given: Given) -> Result<SqlValue, RestFailure> {
        let parameter = RestColumn {
            name: "P1".to_owned(),
            kind,
            nullable: true,
        };
        input(&parameter, &given).map(|input| input.value)
    }

    fn number(text: &str) -> Given {
        Given::Number(text.to_owned())
    }

    #[test]
    fn numbers_are_exact_or_refused() {
        let money = Type::decimal(9, 2);
        let value = given(money, number("52750")).unwrap();
        assert_eq!(value.to_string(), "52750.00");
        assert_eq!(
            given(money, number("-1.5e1")).unwrap().to_string(),
            "-15.00"
        );
        for bad in ["0.001", "10000000", "1e40", "1e-40"] {
            let refused = given(money, number(bad));
            assert!(matches!(refused, Err(RestFailure::BadValue(_))), "{bad}");
        }
        let small = given(Type::SmallInt, number("32767.0"));
        assert_eq!(small.unwrap(), SqlValue::Integer(32_767));
        assert!(given(Type::SmallInt, number("32768")).is_err());
        assert!(given(Type::Integer, number("1.5")).is_err());
        let long = given(Type::decimal(31, 0), number(&"9".repeat(31)));
        assert_eq!(long.unwrap().to_string(), "9".repeat(31));
        assert!(given(Type::Double, number("1e999")).is_err());
    }

    #[test]
    fn types_are_those_of_the_schema() {
        let text = Given::Text("W%".to_owned());
        let value = given(Type::VarChar(4_000), text.clone()).unwrap();
        assert_eq!(value, SqlValue::Text("W%".to_owned()));
        assert!(given(Type::Integer, text).is_err());
        assert!(given(Type::Char(3), number("1")).is_err());
        assert!(given(Type::Char(3), Given::Structure).is_err());
        assert!(given(Type::Char(3), Given::Truth(true)).is_err());
        assert_eq!(given(Type::Date, Given::Null).unwrap(), SqlValue::Null);
    }
}
