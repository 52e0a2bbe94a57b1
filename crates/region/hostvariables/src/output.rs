//! Values of SQL into host variables, as Db2 assigns on retrieval.

use crate::sqlca::Warnings;
use crate::variables::variables;
use std::borrow::Cow;
use transom_wire::sql::{SqlAnswer, SqlValue};
use transom_workers::seam::{Item, ItemKind, SqlCall};

/// Indicator: NULL; and NULL because the value does not fit.
const NULL: i64 = -1;
const NOT_CONVERTED: i64 = -2;

/// Why a value cannot be stored.
enum Unfit {
    /// -303
    Type,
    /// -304
    Range,
}

/// Fills the items of a row. An answer other than `None` is what became of it.
pub fn give(
    call: &mut dyn SqlCall,
    row: &[SqlValue],
    warnings: &mut Warnings,
) -> Option<SqlAnswer> {
    let variables = variables(call, true);
    warnings.columns |= variables.len() < row.len();
    let mut warned = None;
    for (n, (variable, value)) in variables.iter().zip(row).enumerate() {
        let wrong = |code, state: &[u8; 5]| SqlAnswer {
            tokens: vec![(n + 1).to_string()],
            ..SqlAnswer::of(code, *state)
        };
        if *value == SqlValue::Null {
            match variable.indicator {
                Some(at) => set_integer(call, at, NULL),
                None => return Some(wrong(-305, b"22002")),
            }
            continue;
        }
        let cut = match store(call, variable.item, variable.length, value) {
            Ok(cut) => cut,
            Err(Unfit::Type) => return Some(wrong(-303, b"42806")),
            Err(Unfit::Range) => {
                let Some(at) = variable.indicator else {
                    return Some(wrong(-304, b"22003"));
                };
                set_integer(call, at, NOT_CONVERTED);
                warned = warned.or(Some(wrong(304, b"01515")));
                continue;
            }
        };
        warnings.cut |= cut.is_some();
        if let Some(at) = variable.indicator {
            set_integer(call, at, cut.map_or(0, |length| length as i64));
        }
    }
    warned
}

/// Stores a value; the length of a string that was cut.
fn store(
    call: &mut dyn SqlCall,
    n: usize,
    length: Option<usize>,
    value: &SqlValue,
) -> Result<Option<usize>, Unfit> {
    let item = call.item(n);
    match item.kind {
        ItemKind::Text => {
            let text = match value {
                SqlValue::Text(text) => latin(text),
                SqlValue::Bytes(bytes) => Cow::Borrowed(&bytes[..]),
                _ => return Err(Unfit::Type),
            };
            Ok(store_text(call, n, length, &text, b" "))
        }
        ItemKind::National => {
            let SqlValue::Text(text) = value else {
                return Err(Unfit::Type);
            };
            let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            Ok(store_text(call, n, length, &units, b"\0 ").map(|bytes| bytes / 2))
        }
        ItemKind::Float | ItemKind::Double => {
            let number = double(value).ok_or(Unfit::Type)?;
            store_float(call.bytes_mut(n), item.kind, number).ok_or(Unfit::Range)?;
            Ok(None)
        }
        _ => {
            let (digits, scale) = match value {
                SqlValue::Integer(number) => (i128::from(*number), 0),
                SqlValue::Decimal { digits, scale, .. } => (*digits, i32::from(*scale)),
                SqlValue::Double(bits) => truncated(f64::from_bits(*bits), item.scale)?,
                _ => return Err(Unfit::Type),
            };
            let digits = rescaled(digits, scale, item.scale).ok_or(Unfit::Range)?;
            store_number(item, call.bytes_mut(n), digits).ok_or(Unfit::Range)?;
            Ok(None)
        }
    }
}

/// What is behind the last digit is cut off, not rounded.
fn rescaled(digits: i128, from: i32, to: i32) -> Option<i128> {
    match to - from {
        0 => Some(digits),
        more @ 1.. => digits.checked_mul(10_i128.checked_pow(more.unsigned_abs())?),
        less => Some(match 10_i128.checked_pow(less.unsigned_abs()) {
            Some(power) => digits / power,
            None => 0,
        }),
    }
}

/// A floating-point number as digits with this scale.
fn truncated(value: f64, scale: i32) -> Result<(i128, i32), Unfit> {
    let digits = (value * 10_f64.powi(scale)).trunc();
    if digits.abs() < 1e37 {
        Ok((digits as i128, scale))
    } else {
        Err(Unfit::Range)
    }
}

fn double(value: &SqlValue) -> Option<f64> {
    match value {
        SqlValue::Integer(number) => Some(*number as f64),
        SqlValue::Double(bits) => Some(f64::from_bits(*bits)),
        // By its digits: a division would round twice.
        SqlValue::Decimal { digits, scale, .. } => format!("{digits}e-{scale}").parse().ok(),
        _ => None,
    }
}

fn store_float(bytes: &mut [u8], kind: ItemKind, value: f64) -> Option<()> {
    if kind == ItemKind::Double {
        bytes.copy_from_slice(value.to_ne_bytes().get(..bytes.len())?);
        return Some(());
    }
    let short = value as f32;
    if short.is_infinite() && value.is_finite() {
        return None;
    }
    bytes.copy_from_slice(short.to_ne_bytes().get(..bytes.len())?);
    Some(())
}

/// Pads with blanks, or writes the length of a VARCHAR; answers the length of what was cut.
fn store_text(
    call: &mut dyn SqlCall,
    n: usize,
    length: Option<usize>,
    text: &[u8],
    blank: &[u8],
) -> Option<usize> {
    let field = call.bytes_mut(n);
    let bytes = text.len().min(field.len());
    field[..bytes].copy_from_slice(&text[..bytes]);
    match (length, blank) {
        (Some(_), _) => {}
        (None, [blank]) => field[bytes..].fill(*blank),
        (None, blank) => {
            for (to, from) in field[bytes..].iter_mut().zip(blank.iter().cycle()) {
                *to = *from;
            }
        }
    }
    if let Some(at) = length {
        set_integer(call, at, (bytes / blank.len()) as i64);
    }
    (bytes < text.len()).then_some(text.len())
}

/// `None`: it has more digits than the item.
fn store_number(item: Item, bytes: &mut [u8], digits: i128) -> Option<()> {
    if digits < 0 && !item.signed {
        return None;
    }
    match item.kind {
        ItemKind::Binary { big } => store_binary(bytes, big, item.signed, digits),
        ItemKind::Packed => store_packed(bytes, item, digits),
        ItemKind::Zoned { separate, leading } => {
            store_zoned(bytes, item, separate, leading, digits)
        }
        _ => None,
    }
}

/// SMALLINT and INTEGER fill all bits, whatever the PICTURE says.
fn store_binary(bytes: &mut [u8], big: bool, signed: bool, digits: i128) -> Option<()> {
    let bits = 8 * u32::try_from(bytes.len()).ok()? - u32::from(signed);
    let fits = match digits {
        0.. => digits >> bits == 0,
        _ => digits >> bits == -1,
    };
    if !fits || bytes.len() > 16 {
        return None;
    }
    let n = bytes.len();
    match big {
        true => bytes.copy_from_slice(&digits.to_be_bytes()[16 - n..]),
        false => bytes.copy_from_slice(&digits.to_le_bytes()[..n]),
    }
    Some(())
}

/// The digits of the PICTURE, from the left. `None`: there are more.
fn digits_of(item: Item, digits: i128) -> Option<Vec<u8>> {
    let count = usize::try_from(item.digits).ok()?;
    let mut text = vec![b'0'; count];
    let mut rest = digits.unsigned_abs();
    for digit in text.iter_mut().rev() {
        // A division of 128 bits costs ten times one of 64.
        let (more, last) = match u64::try_from(rest) {
            Ok(rest) => (u128::from(rest / 10), (rest % 10) as u8),
            Err(_) => (rest / 10, (rest % 10) as u8),
        };
        *digit += last;
        rest = more;
    }
    (rest == 0 && count > 0).then_some(text)
}

fn store_packed(bytes: &mut [u8], item: Item, digits: i128) -> Option<()> {
    let text = digits_of(item, digits)?;
    let sign = match (item.signed, digits < 0) {
        (false, _) => 0xF,
        (true, false) => 0xC,
        (true, true) => 0xD,
    };
    let mut nibbles = text.iter().rev().map(|d| d - b'0');
    let (last, front) = bytes.split_last_mut()?;
    *last = nibbles.next().unwrap_or(0) << 4 | sign;
    for byte in front.iter_mut().rev() {
        let low = nibbles.next().unwrap_or(0);
        *byte = nibbles.next().unwrap_or(0) << 4 | low;
    }
    Some(())
}

fn store_zoned(
    bytes: &mut [u8],
    item: Item,
    separate: bool,
    leading: bool,
    digits: i128,
) -> Option<()> {
    let mut text = digits_of(item, digits)?;
    let negative = digits < 0;
    if separate {
        let sign = if negative { b'-' } else { b'+' };
        let at = if leading { 0 } else { text.len() };
        text.insert(at, sign);
    } else if item.signed {
        let at = if leading {
            0
        } else {
            text.len().checked_sub(1)?
        };
        let digit = text.get_mut(at)?;
        let marks = if negative {
            b"}JKLMNOPQR"
        } else {
            b"{ABCDEFGHI"
        };
        *digit = marks[usize::from(*digit - b'0')];
    }
    if text.len() != bytes.len() {
        return None;
    }
    bytes.copy_from_slice(&text);
    Some(())
}

pub(crate) fn set_integer(call: &mut dyn SqlCall, n: usize, value: i64) {
    let item = call.item(n);
    // An indicator of another type keeps what it had; the translator lets none through.
    let _ = store_number(item, call.bytes_mut(n), value.into());
}

fn latin(text: &str) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return Cow::Borrowed(text.as_bytes());
    }
    let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?');
    Cow::Owned(text.chars().map(byte).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(kind: ItemKind, (digits, scale): (i32, i32), bytes: usize, value: i128) -> Vec<u8> {
        let item = Item {
            kind,
            digits,
            scale,
            signed: true,
        };
        let mut area = vec![b'?'; bytes];
        let fits = store_number(item, &mut area, value).is_some();
        if fits { area } else { Vec::new() }
    }

    #[test]
    fn numbers_are_stored_as_cobol_has_them() {
        let zoned = ItemKind::Zoned {
            separate: false,
            leading: false,
        };
        assert_eq!(stored(zoned, (5, 2), 5, 12345), b"1234E");
        assert_eq!(stored(zoned, (5, 2), 5, -12345), b"1234N");
        assert_eq!(stored(zoned, (4, 0), 4, 12345), b"");
        assert_eq!(stored(zoned, (1, 0), 1, 0), b"{");
        let long = 1_234_567_890_123_456_789_012_345_678_901;
        let digits = b"123456789012345678901234567890A";
        assert_eq!(stored(zoned, (31, 0), 31, long), digits);
        assert_eq!(stored(zoned, (30, 0), 30, long), b"");
        assert_eq!(
            stored(ItemKind::Packed, (5, 2), 3, -12345),
            [0x12, 0x34, 0x5D]
        );
        assert_eq!(stored(ItemKind::Packed, (4, 0), 3, 7), [0, 0, 0x7C]);
        let binary = ItemKind::Binary { big: true };
        assert_eq!(stored(binary, (4, 0), 2, -2), [0xFF, 0xFE]);
        assert_eq!(stored(binary, (4, 0), 2, 32767), [0x7F, 0xFF]);
        assert_eq!(stored(binary, (4, 0), 2, 32768), b"");
    }

    #[test]
    fn digits_behind_the_last_one_are_cut_off() {
        assert_eq!(rescaled(1999, 3, 2), Some(199));
        assert_eq!(rescaled(-1999, 3, 2), Some(-199));
        assert_eq!(rescaled(19, 0, 2), Some(1900));
        assert_eq!(rescaled(1, 0, 40), None);
    }
}
