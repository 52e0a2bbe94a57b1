//! Fixed-point numbers: the bytes of zoned, packed and binary items, and JSON digits.
//!
//! A value is a sign and an unscaled magnitude below 10^38, so no digit is ever lost to floating
//! point.

use super::page::Page;
use super::zoned::Zones;
use crate::shape::{Binary, ByteOrder, Packed, RecordFormat, Sign, Zoned};

/// Powers of ten up to the largest one in 128 bits.
pub(super) const POWERS: [u128; 39] = powers();

const fn powers() -> [u128; 39] {
    let mut table = [1u128; 39];
    let mut i = 1;
    while i < 39 {
        table[i] = table[i - 1] * 10;
        i += 1;
    }
    table
}

/// A sign and an unscaled magnitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) negative: bool,
    pub(super) magnitude: u128,
}

/// How the digits are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Store {
    Zoned(Zones),
    Packed { sign_nibble: bool },
    Binary { big: bool },
}

/// A fixed-point item, ready to be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) store: Store,
    pub(super) digits: u8,
    pub(super) scale: i16,
    pub(super) signed: bool,
    /// Largest magnitude of positive values.
    pub(super) most: u128,
    /// Largest magnitude of negative values; 0 for unsigned items.
    pub(super) least: u128,
}

impl Number {
    pub(super) fn zoned(zoned: &Zoned, page: &Page) -> Self {
        let store = Store::Zoned(Zones {
            sign: zoned.sign,
            zero: page.cp.zero,
            space: page.cp.space,
            plus: page.cp.from_latin1[usize::from(b'+')],
            minus: page.cp.from_latin1[usize::from(b'-')],
            ebcdic: page.cp.ebcdic,
        });
        Self::decimal(store, zoned.digits, zoned.scale, zoned.sign != Sign::None)
    }

    pub(super) fn packed(packed: &Packed) -> Self {
        let store = Store::Packed {
            sign_nibble: packed.sign_nibble,
        };
        Self::decimal(store, packed.digits, packed.scale, packed.signed)
    }

    pub(super) fn binary(binary: &Binary, format: &RecordFormat) -> Self {
        let big = !binary.native || format.native == ByteOrder::Big;
        let mut number = Self::decimal(
            Store::Binary { big },
            binary.digits,
            binary.scale,
            binary.signed,
        );
        if binary.full_range {
            let bits = u32::from(binary.len) * 8;
            let half = 1u128 << (bits - 1);
            let all = half | (half - 1);
            let (most, least) = if binary.signed {
                (half - 1, half)
            } else {
                (all, 0)
            };
            number.most = most;
            number.least = least;
        }
        number
    }

    fn decimal(store: Store, digits: u8, scale: i16, signed: bool) -> Self {
        let most = POWERS[usize::from(digits).min(38)] - 1;
        Self {
            store,
            digits,
            scale,
            signed,
            most,
            least: if signed { most } else { 0 },
        }
    }

    /// The value of the item; `None` if the bytes are no number. A packed item of low values only
    /// is one nobody has filled, and zero.
    #[inline]
    pub(super) fn read(&self, bytes: &[u8]) -> Option<Value> {
        let value = match self.store {
            Store::Binary { big } => return Some(read_binary(bytes, big, self.signed)),
            Store::Packed { sign_nibble } => read_packed(bytes, sign_nibble, self.signed),
            Store::Zoned(zones) => {
                let (negative, magnitude) = zones.read(bytes)?;
                return Some(Value {
                    negative: negative && magnitude != 0,
                    magnitude,
                });
            }
        };
        match value {
            None if bytes.iter().all(|b| *b == 0) => Some(Value {
                negative: false,
                magnitude: 0,
            }),
            value => value,
        }
    }
}

/// The sign of an unsigned item must be a sign and has no meaning.
fn read_packed(bytes: &[u8], sign_nibble: bool, signed: bool) -> Option<Value> {
    let (whole, negative, last) = if sign_nibble {
        let (last, whole) = bytes.split_last()?;
        let negative = match last & 15 {
            0xC | 0xF | 0xA | 0xE => false,
            0xD | 0xB => signed,
            _ => return None,
        };
        (whole, negative, Some(last >> 4))
    } else {
        (bytes, false, None)
    };
    let mut magnitude = 0u128;
    let mut short = 0u64;
    let mut bad = false;
    if whole.len() <= 8 {
        for byte in whole {
            bad |= byte >> 4 > 9 || byte & 15 > 9;
            short = short * 100 + u64::from(byte >> 4) * 10 + u64::from(byte & 15);
        }
        magnitude = u128::from(short);
    } else {
        for byte in whole.iter().take(20) {
            bad |= byte >> 4 > 9 || byte & 15 > 9;
            magnitude = magnitude
                .wrapping_mul(100)
                .wrapping_add(u128::from(byte >> 4) * 10 + u128::from(byte & 15));
        }
    }
    if let Some(digit) = last {
        bad |= digit > 9;
        magnitude = magnitude.wrapping_mul(10).wrapping_add(u128::from(digit));
    }
    (!bad).then_some(Value {
        negative: negative && magnitude != 0,
        magnitude,
    })
}

#[inline]
fn read_binary(bytes: &[u8], big: bool, signed: bool) -> Value {
    if let (true, Ok(word)) = (big, <[u8; 4]>::try_from(bytes)) {
        let word = u32::from_be_bytes(word);
        let negative = signed && word >> 31 == 1;
        let magnitude = if negative { word.wrapping_neg() } else { word };
        return Value {
            negative,
            magnitude: u128::from(magnitude),
        };
    }
    let mut value = 0u128;
    let mut add = |byte: &u8| value = value << 8 | u128::from(*byte);
    if big {
        bytes.iter().for_each(&mut add);
    } else {
        bytes.iter().rev().for_each(&mut add);
    }
    let bits = bytes.len() * 8;
    let negative = signed && bits > 0 && value >> (bits - 1) & 1 == 1;
    if negative {
        let mask = if bits >= 128 {
            u128::MAX
        } else {
            (1 << bits) - 1
        };
        value = value.wrapping_neg() & mask;
    }
    Value {
        negative,
        magnitude: value,
    }
}

/// Appends the value as a JSON number with exactly `scale` decimals.
#[inline]
pub(super) fn put(out: &mut Vec<u8>, value: Value, scale: i16) {
    let mut buffer = [b'0'; 40];
    let first = match u64::try_from(value.magnitude) {
        Ok(small) => digits_of_u64(&mut buffer, small),
        Err(_) => digits_of_u128(&mut buffer, value.magnitude),
    };
    if value.negative && value.magnitude != 0 {
        out.push(b'-');
    }
    let digits = &buffer[first..];
    if scale == 0 {
        out.extend_from_slice(digits);
    } else {
        put_scaled(out, digits, scale);
    }
}

fn put_scaled(out: &mut Vec<u8>, digits: &[u8], scale: i16) {
    let decimals = usize::from(scale.unsigned_abs());
    if scale < 0 {
        out.extend_from_slice(digits);
        if digits != b"0" {
            out.resize(out.len() + decimals, b'0');
        }
    } else if digits.len() > decimals {
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        out.extend_from_slice(whole);
        out.push(b'.');
        out.extend_from_slice(fraction);
    } else {
        out.extend_from_slice(b"0.");
        out.resize(out.len() + decimals - digits.len(), b'0');
        out.extend_from_slice(digits);
    }
}

const PAIRS: [[u8; 2]; 100] = pairs();

const fn pairs() -> [[u8; 2]; 100] {
    let mut table = [[b'0'; 2]; 100];
    let mut i = 0;
    while i < 100 {
        table[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    table
}

/// Writes digits to the end of the buffer and returns the place of the first one; at least one
/// digit.
#[inline]
fn digits_of_u64(buffer: &mut [u8; 40], mut value: u64) -> usize {
    let mut at = 40;
    while value >= 100 {
        at -= 2;
        buffer[at..at + 2].copy_from_slice(&PAIRS[(value % 100) as usize]);
        value /= 100;
    }
    if value >= 10 {
        at -= 2;
        buffer[at..at + 2].copy_from_slice(&PAIRS[value as usize]);
    } else {
        at -= 1;
        buffer[at] = b'0' + value as u8;
    }
    at
}

fn digits_of_u128(buffer: &mut [u8; 40], mut value: u128) -> usize {
    let mut at = 40;
    while value > 0 {
        at -= 1;
        buffer[at] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    at.min(39)
}
