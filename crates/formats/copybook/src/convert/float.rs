//! COMP-1 and COMP-2: IEEE 754 in both byte orders and System/360 hexadecimal floating point.

use super::hexfloat;
use crate::shape::FloatFormat;
use std::io::Write as _;

/// Appends the item as the shortest JSON number that reads back the same; `false` (nothing
/// appended) for infinities and NaN, which JSON has not.
pub(super) fn put(out: &mut Vec<u8>, bytes: &[u8], format: FloatFormat) -> bool {
    let Some(value) = read(bytes, format) else {
        return false;
    };
    let single = value as f32;
    let as_single = bytes.len() == 4 && f64::from(single) == value;
    let before = out.len();
    // Debug gives exponents where Display would print hundreds of zeros. Writing to a Vec cannot
    // fail.
    let _ = if as_single {
        write!(out, "{single:?}")
    } else {
        write!(out, "{value:?}")
    };
    if out[before..].ends_with(b".0") {
        out.truncate(out.len() - 2);
    }
    if format == FloatFormat::Hexadecimal {
        hexfloat::settle(out, before, bytes);
    }
    true
}

/// Stores a number in JSON syntax; `false` if it is out of the item's range.
pub(super) fn store(text: &str, item: &mut [u8], format: FloatFormat) -> bool {
    match format {
        FloatFormat::Hexadecimal if matches!(item.len(), 4 | 8) => hexfloat::store(text, item),
        _ => text
            .parse::<f64>()
            .is_ok_and(|value| value.is_finite() && write(value, item, format)),
    }
}

/// Turns COMP-1 (4 bytes) or COMP-2 (8 bytes) from one format into another; `false`, and nothing
/// changed, for infinities, NaN and values the other format cannot hold. Bits that have no place
/// are rounded.
pub fn turn(item: &mut [u8], from: FloatFormat, to: FloatFormat) -> bool {
    let mut turned = item.to_vec();
    let done = read(item, from).is_some_and(|value| write(value, &mut turned, to));
    if done {
        item.copy_from_slice(&turned);
    }
    done
}

/// The value; `None` for infinities, NaN and lengths other than 4 and 8.
pub(super) fn read(bytes: &[u8], format: FloatFormat) -> Option<f64> {
    let value = match (bytes.len(), format) {
        (4, FloatFormat::IeeeBig) => f64::from(f32::from_be_bytes(bytes.try_into().ok()?)),
        (4, FloatFormat::IeeeLittle) => f64::from(f32::from_le_bytes(bytes.try_into().ok()?)),
        (8, FloatFormat::IeeeBig) => f64::from_be_bytes(bytes.try_into().ok()?),
        (8, FloatFormat::IeeeLittle) => f64::from_le_bytes(bytes.try_into().ok()?),
        (4 | 8, FloatFormat::Hexadecimal) => read_hexadecimal(bytes),
        _ => return None,
    };
    let value = if value == 0.0 { 0.0 } else { value };
    value.is_finite().then_some(value)
}

/// Stores a finite value; `false` if it is out of the item's range.
pub(super) fn write(value: f64, item: &mut [u8], format: FloatFormat) -> bool {
    let single = value as f32;
    match (item.len(), format) {
        (4, FloatFormat::Hexadecimal) | (8, FloatFormat::Hexadecimal) => {
            return write_hexadecimal(value, item);
        }
        (4, _) if !single.is_finite() => return false,
        (4, FloatFormat::IeeeBig) => item.copy_from_slice(&single.to_be_bytes()),
        (4, FloatFormat::IeeeLittle) => item.copy_from_slice(&single.to_le_bytes()),
        (8, FloatFormat::IeeeBig) => item.copy_from_slice(&value.to_be_bytes()),
        (8, FloatFormat::IeeeLittle) => item.copy_from_slice(&value.to_le_bytes()),
        _ => return false,
    }
    true
}

/// Sign bit, exponent of 16 in excess-64, fraction of 24 or 56 bits below the hexadecimal point.
fn read_hexadecimal(bytes: &[u8]) -> f64 {
    let exponent = i32::from(bytes[0] & 0x7F) - 64;
    let fraction = bytes[1..]
        .iter()
        .fold(0u64, |sum, b| sum << 8 | u64::from(*b));
    let digits = 2 * (bytes.len() as i32 - 1);
    let value = fraction as f64 * 16f64.powi(exponent - digits);
    if bytes[0] & 0x80 != 0 { -value } else { value }
}

fn write_hexadecimal(value: f64, item: &mut [u8]) -> bool {
    item.fill(0);
    if value == 0.0 {
        return true;
    }
    if !value.is_finite() {
        return false;
    }
    let digits = 2 * (item.len() as i32 - 1);
    let limit = 16f64.powi(digits);
    let mut exponent = 0i32;
    let mut scaled = value.abs();
    while scaled >= 1.0 {
        scaled /= 16.0;
        exponent += 1;
    }
    while scaled < 1.0 / 16.0 {
        scaled *= 16.0;
        exponent -= 1;
    }
    let mut fraction = (scaled * limit).round_ties_even();
    if fraction >= limit {
        fraction /= 16.0;
        exponent += 1;
    }
    if exponent > 63 {
        return false;
    }
    if exponent < -64 {
        return true;
    }
    let bytes = (fraction as u64).to_be_bytes();
    let len = item.len() - 1;
    item[1..].copy_from_slice(&bytes[8 - len..]);
    item[0] = (exponent + 64) as u8 | if value.is_sign_negative() { 0x80 } else { 0 };
    true
}
