//! BIT-OF, HEX-OF and back; UUID4.

use super::value::{Answer, Problem, Value};
use std::fmt::Write as _;

pub(super) fn bits(bytes: &[u8]) -> Value {
    let digit = |b: u8, n: u32| b'0' + (b >> n & 1);
    let all = bytes
        .iter()
        .flat_map(|b| (0..8).rev().map(move |n| digit(*b, n)));
    Value::Text(all.collect())
}

pub(super) fn hex(bytes: &[u8]) -> Value {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let pair = |b: &u8| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]];
    Value::Text(bytes.iter().flat_map(pair).collect())
}

/// Bytes of digits of this base, so many to a byte.
pub(super) fn from_digits(digits: &[u8], base: u32, each: usize) -> Answer {
    let bad = Problem::Digits(each);
    if !digits.len().is_multiple_of(each) {
        return Err(bad);
    }
    let byte = |group: &[u8]| {
        group.iter().try_fold(0u32, |n, c| {
            char::from(*c).to_digit(base).map(|d| n * base + d)
        })
    };
    let bytes = digits
        .chunks(each)
        .map(|group| byte(group).map(|n| n as u8));
    let bytes: Option<Vec<u8>> = bytes.collect();
    bytes.map(Value::Text).ok_or(bad)
}

pub(super) fn uuid4(mut random: [u8; 16]) -> Value {
    random[6] = random[6] & 0x0F | 0x40;
    random[8] = random[8] & 0x3F | 0x80;
    let mut out = String::with_capacity(36);
    for (n, byte) in random.iter().enumerate() {
        if matches!(n, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        let _ = write!(out, "{byte:02x}");
    }
    Value::Text(out.into_bytes())
}
