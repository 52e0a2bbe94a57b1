//! Numbers of a document into the bytes of fixed-point items.

use super::number::{Number, POWERS, Store, Value};
use super::zoned::Zones;
use crate::shape::Sign;

/// Why a number does not go into an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    /// More digits before the decimal point than the item has, or beyond its binary range.
    TooLarge,
    /// Decimals the item has no place for.
    TooPrecise,
    /// Below zero in an unsigned item.
    Negative,
}

/// Most digits looked at in one number; beyond it every item is too small anyway.
const MAX_EXPONENT: i64 = 9_999;

impl Number {
    /// The unscaled value of a number text in JSON syntax, which the caller has checked, fitted to
    /// the item.
    pub(super) fn fit(&self, text: &[u8]) -> Result<Value, Misfit> {
        let (negative, digits) = match text.split_first() {
            Some((b'-', rest)) => (true, rest),
            _ => (false, text),
        };
        let magnitude = match short_integer(digits) {
            Some(value) if self.scale == 0 => u128::from(value),
            _ => self.scaled(digits)?,
        };
        if magnitude == 0 {
            return Ok(Value {
                negative: false,
                magnitude,
            });
        }
        if negative && !self.signed {
            return Err(Misfit::Negative);
        }
        let limit = if negative { self.least } else { self.most };
        if magnitude > limit {
            return Err(Misfit::TooLarge);
        }
        Ok(Value {
            negative,
            magnitude,
        })
    }

    fn scaled(&self, digits: &[u8]) -> Result<u128, Misfit> {
        let (mantissa, exponent) = match digits.iter().position(|b| matches!(b, b'e' | b'E')) {
            Some(at) => (&digits[..at], exponent_of(&digits[at + 1..])),
            None => (digits, 0),
        };
        let (whole, fraction) = match mantissa.iter().position(|b| *b == b'.') {
            Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
            None => (mantissa, &[][..]),
        };
        let kept = fraction.len() - fraction.iter().rev().take_while(|b| **b == b'0').count();
        let fraction = &fraction[..kept];
        let mut value = 0u128;
        for byte in whole.iter().chain(fraction) {
            let digit = u128::from(byte.wrapping_sub(b'0'));
            value = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(digit))
                .ok_or(Misfit::TooLarge)?;
        }
        if value == 0 {
            return Ok(0);
        }
        let shift = i64::from(self.scale) + exponent - fraction.len() as i64;
        let power = POWERS.get(usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX));
        match (shift >= 0, power) {
            (true, Some(power)) => value.checked_mul(*power).ok_or(Misfit::TooLarge),
            (true, None) => Err(Misfit::TooLarge),
            (false, Some(power)) if value.is_multiple_of(*power) => Ok(value / power),
            (false, _) => Err(Misfit::TooPrecise),
        }
    }

    /// Stores a value that fits.
    pub(super) fn write(&self, value: Value, item: &mut [u8]) {
        match self.store {
            Store::Binary { big } => write_binary(value, item, big),
            Store::Packed { sign_nibble } => write_packed(value, item, sign_nibble, self.signed),
            Store::Zoned(Zones {
                sign,
                zero,
                plus,
                minus,
                ebcdic,
                ..
            }) => {
                let mark = if value.negative { minus } else { plus };
                let (digits, place) = match sign {
                    Sign::TrailingSeparate => {
                        let Some((last, digits)) = item.split_last_mut() else {
                            return;
                        };
                        *last = mark;
                        (digits, None)
                    }
                    Sign::LeadingSeparate => {
                        let Some((first, digits)) = item.split_first_mut() else {
                            return;
                        };
                        *first = mark;
                        (digits, None)
                    }
                    Sign::None => (item, None),
                    Sign::Leading => (item, Some(true)),
                    Sign::Trailing => (item, Some(false)),
                };
                write_digits(value.magnitude, digits, zero);
                let carrier = match place {
                    Some(true) => digits.first_mut(),
                    Some(false) => digits.last_mut(),
                    None => None,
                };
                if let Some(byte) = carrier {
                    *byte = punch(byte.wrapping_sub(zero), value.negative, ebcdic);
                }
            }
        }
    }
}

/// Up to 18 digits and nothing else.
#[inline]
fn short_integer(digits: &[u8]) -> Option<u64> {
    if digits.len() > 18 {
        return None;
    }
    let mut value = 0u64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    Some(value)
}

fn exponent_of(text: &[u8]) -> i64 {
    let (negative, digits) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    };
    let value = digits.iter().fold(0i64, |sum, b| {
        (sum * 10 + i64::from(b.wrapping_sub(b'0'))).min(MAX_EXPONENT)
    });
    if negative { -value } else { value }
}

/// Digit with sign as z/OS writes it: C or D zone, or the letters these become in ASCII.
fn punch(digit: u8, negative: bool, ebcdic: bool) -> u8 {
    match (ebcdic, negative, digit) {
        (true, false, d) => 0xC0 | d,
        (true, true, d) => 0xD0 | d,
        (false, false, 0) => b'{',
        (false, false, d) => b'A' + d - 1,
        (false, true, 0) => b'}',
        (false, true, d) => b'J' + d - 1,
    }
}

fn write_digits(magnitude: u128, digits: &mut [u8], zero: u8) {
    if let Ok(mut small) = u64::try_from(magnitude) {
        for byte in digits.iter_mut().rev() {
            *byte = zero + (small % 10) as u8;
            small /= 10;
        }
        return;
    }
    let mut rest = magnitude;
    for byte in digits.iter_mut().rev() {
        *byte = zero + (rest % 10) as u8;
        rest /= 10;
    }
}

fn write_packed(value: Value, item: &mut [u8], sign_nibble: bool, signed: bool) {
    let mut rest = value.magnitude;
    let mut next = || {
        let digit = (rest % 10) as u8;
        rest /= 10;
        digit
    };
    let mut bytes = item.iter_mut().rev();
    if sign_nibble && let Some(last) = bytes.next() {
        let sign = match (signed, value.negative) {
            (false, _) => 0xF,
            (true, false) => 0xC,
            (true, true) => 0xD,
        };
        *last = next() << 4 | sign;
    }
    for byte in bytes {
        *byte = next() | next() << 4;
    }
}

fn write_binary(value: Value, item: &mut [u8], big: bool) {
    let bits = if value.negative {
        value.magnitude.wrapping_neg()
    } else {
        value.magnitude
    };
    let len = item.len().min(16);
    if big {
        item[..len].copy_from_slice(&bits.to_be_bytes()[16 - len..]);
    } else {
        item[..len].copy_from_slice(&bits.to_le_bytes()[..len]);
    }
}
