//! Host variables that a program gives, as values of SQL.

use crate::variables::variables;
use transom_sql::Type;
use transom_wire::sql::{SqlAnswer, SqlInput, SqlValue};
use transom_workers::seam::{Item, ItemKind, SqlCall};

/// All of them; the error is the answer to the statement.
pub fn values(call: &dyn SqlCall) -> Result<Vec<SqlInput>, SqlAnswer> {
    let mut out = Vec::new();
    for (n, variable) in variables(call, false).iter().enumerate() {
        let item = call.item(variable.item);
        let mut bytes = call.bytes(variable.item);
        let kind = kind(item, bytes.len(), variable.length.is_some()).code();
        if variable.indicator.is_some_and(|at| integer(call, at) < 0) {
            let value = SqlValue::Null;
            out.push(SqlInput { kind, value });
            continue;
        }
        if let Some(length) = variable.length {
            let length = integer(call, length);
            let given = usize::try_from(length).ok().and_then(|n| bytes.get(..n));
            bytes = given.ok_or_else(|| wrong(-311, n))?;
        }
        let value = value(item, bytes).ok_or_else(|| wrong(-310, n))?;
        out.push(SqlInput { kind, value });
    }
    Ok(out)
}

/// The type Db2 takes an item for.
fn kind(item: Item, bytes: usize, varying: bool) -> Type {
    let length = u32::try_from(bytes).unwrap_or(u32::MAX);
    let digits = |count: i32| u8::try_from(count).unwrap_or(31);
    let decimal = || {
        // A P of the PICTURE stands for a digit more.
        let zeros = digits((-item.scale).max(0));
        Type::decimal(
            digits(item.digits).saturating_add(zeros),
            digits(item.scale.max(0)),
        )
    };
    match item.kind {
        ItemKind::Text if varying => Type::VarChar(length),
        ItemKind::Text => Type::Char(length),
        ItemKind::National if varying => Type::VarGraphic(length / 2),
        ItemKind::National => Type::Graphic(length / 2),
        ItemKind::Float => Type::Real,
        ItemKind::Double => Type::Double,
        ItemKind::Binary { .. } if item.scale == 0 => match bytes {
            0..=2 => Type::SmallInt,
            3 | 4 => Type::Integer,
            _ => Type::BigInt,
        },
        ItemKind::Binary { .. } | ItemKind::Packed | ItemKind::Zoned { .. } => decimal(),
    }
}

/// -310 and -311: number of the host variable, from 1.
fn wrong(code: i32, n: usize) -> SqlAnswer {
    SqlAnswer {
        tokens: vec![(n + 1).to_string()],
        ..SqlAnswer::of(code, *b"22501")
    }
}

/// The number in an indicator or a length; no number is 0.
pub(crate) fn integer(call: &dyn SqlCall, n: usize) -> i64 {
    match value(call.item(n), call.bytes(n)) {
        Some(SqlValue::Integer(number)) => number,
        Some(SqlValue::Decimal {
            digits, scale: 0, ..
        }) => i64::try_from(digits).unwrap_or(0),
        _ => 0,
    }
}

/// The value of an item; `None`: it holds no number.
fn value(item: Item, bytes: &[u8]) -> Option<SqlValue> {
    Some(match item.kind {
        // A byte is a character of ISO 8859-1.
        ItemKind::Text => SqlValue::Text(match str::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => text.to_owned(),
            _ => bytes.iter().map(|b| char::from(*b)).collect(),
        }),
        ItemKind::National => {
            let units: Vec<u16> = bytes
                .as_chunks()
                .0
                .iter()
                .map(|unit| u16::from_be_bytes(*unit))
                .collect();
            SqlValue::Text(String::from_utf16_lossy(&units))
        }
        ItemKind::Float => {
            let value = f32::from_ne_bytes(bytes.try_into().ok()?);
            SqlValue::Double(f64::from(value).to_bits())
        }
        ItemKind::Double => SqlValue::Double(f64::from_ne_bytes(bytes.try_into().ok()?).to_bits()),
        ItemKind::Binary { big } => scaled(binary(bytes, big, item.signed)?, item, true),
        ItemKind::Packed => scaled(packed(bytes)?, item, false),
        ItemKind::Zoned { separate, leading } => {
            scaled(zoned(bytes, item.signed, separate, leading)?, item, false)
        }
    })
}

/// A number with its scale; zeros that a P of the PICTURE stands for are written out.
fn scaled(digits: i128, item: Item, integer: bool) -> SqlValue {
    let (digits, scale) = match u8::try_from(item.scale) {
        Ok(scale) => (digits, scale),
        Err(_) => {
            let zeros = item.scale.unsigned_abs().min(37);
            (digits.saturating_mul(10_i128.pow(zeros)), 0)
        }
    };
    match i64::try_from(digits) {
        Ok(number) if integer && scale == 0 => SqlValue::Integer(number),
        _ => SqlValue::Decimal {
            digits,
            precision: u8::try_from(item.digits).unwrap_or(31),
            scale,
        },
    }
}

fn binary(bytes: &[u8], big: bool, signed: bool) -> Option<i128> {
    if bytes.len() > 8 {
        return None;
    }
    let top = if big { bytes.first() } else { bytes.last() };
    let negative = signed && top? & 0x80 != 0;
    let mut wide = [if negative { 0xFF } else { 0 }; 16];
    if big {
        wide[16 - bytes.len()..].copy_from_slice(bytes);
        Some(i128::from_be_bytes(wide))
    } else {
        wide[..bytes.len()].copy_from_slice(bytes);
        Some(i128::from_le_bytes(wide))
    }
}

fn packed(bytes: &[u8]) -> Option<i128> {
    let (last, front) = bytes.split_last()?;
    let mut value = 0_i128;
    for nibble in front
        .iter()
        .flat_map(|b| [b >> 4, b & 15])
        .chain([last >> 4])
    {
        value = add_digit(value, nibble)?;
    }
    match last & 15 {
        0xB | 0xD => Some(-value),
        0xA | 0xC | 0xE | 0xF => Some(value),
        _ => None,
    }
}

fn add_digit(value: i128, digit: u8) -> Option<i128> {
    if digit > 9 {
        return None;
    }
    value.checked_mul(10)?.checked_add(digit.into())
}

/// The sign is on a digit as EBCDIC prints it: `{ABCDEFGHI` and `}JKLMNOPQR`.
fn zoned(bytes: &[u8], signed: bool, separate: bool, leading: bool) -> Option<i128> {
    let mut digits = bytes;
    let mut negative = false;
    if separate {
        let (sign, rest) = match leading {
            true => bytes.split_first()?,
            false => bytes.split_last()?,
        };
        negative = match sign {
            b'+' => false,
            b'-' => true,
            _ => return None,
        };
        digits = rest;
    }
    let at_sign = match (signed && !separate, leading) {
        (true, true) => Some(0),
        (true, false) => digits.len().checked_sub(1),
        (false, _) => None,
    };
    let mut value = 0_i128;
    for (n, byte) in digits.iter().enumerate() {
        let digit = match (Some(n) == at_sign, byte) {
            (_, b'0'..=b'9') => byte - b'0',
            (true, b'{') => 0,
            (true, b'A'..=b'I') => byte - b'A' + 1,
            (true, b'}') => {
                negative = true;
                0
            }
            (true, b'J'..=b'R') => {
                negative = true;
                byte - b'J' + 1
            }
            _ => return None,
        };
        value = add_digit(value, digit)?;
    }
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: ItemKind, scale: i32) -> Item {
        Item {
            kind,
            digits: 7,
            scale,
            signed: true,
        }
    }

    #[test]
    fn numbers_are_read_as_cobol_has_them() {
        let zoned = ItemKind::Zoned {
            separate: false,
            leading: false,
        };
        let decimal = |digits, scale| {
            Some(SqlValue::Decimal {
                digits,
                precision: 7,
                scale,
            })
        };
        assert_eq!(value(item(zoned, 2), b"1234E"), decimal(12345, 2));
        assert_eq!(value(item(zoned, 2), b"1234N"), decimal(-12345, 2));
        assert_eq!(value(item(zoned, 2), b"12345"), decimal(12345, 2));
        assert_eq!(value(item(zoned, 2), b"    "), None);
        let separate = ItemKind::Zoned {
            separate: true,
            leading: true,
        };
        assert_eq!(value(item(separate, 0), b"-012"), decimal(-12, 0));
        let packed = item(ItemKind::Packed, 2);
        assert_eq!(value(packed, &[0x12, 0x34, 0x5D]), decimal(-12345, 2));
        assert_eq!(value(packed, &[0x12, 0x34, 0x56]), None);
        let big = item(ItemKind::Binary { big: true }, 0);
        assert_eq!(value(big, &[0xFF, 0xFE]), Some(SqlValue::Integer(-2)));
        let native = item(ItemKind::Binary { big: false }, 0);
        let minus = (-2_i16).to_le_bytes();
        assert_eq!(value(native, &minus), Some(SqlValue::Integer(-2)));
        assert_eq!(value(item(ItemKind::Packed, -2), &[0x5C]), decimal(500, 0));
        let double = item(ItemKind::Double, 0);
        let bits = 1.5_f64.to_bits();
        assert_eq!(
            value(double, &1.5_f64.to_ne_bytes()),
            Some(SqlValue::Double(bits))
        );
    }
}
