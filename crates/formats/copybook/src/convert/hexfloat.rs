//! System/360 hexadecimal floating point to and from decimal text, exactly.
//!
//! A long number has up to 56 bits, more than an IEEE double, so numbers pass through whole numbers
//! of any length here. Not here: conversion to IEEE ([`super::float`]).

/// Most significant digits looked at in a text; what follows only decides rounding.
const MAX_SIGNIFICANT: usize = 60;
/// Beyond this power of ten every text is zero or too large.
const MAX_POWER: i64 = 200;
/// Digits that tell any two long numbers apart.
const ENOUGH: usize = 18;

/// A magnitude: `fraction` times 2 to the power of `exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Magnitude {
    fraction: u64,
    exponent: i32,
}

/// Replaces what `out` has from `start` on, the item (4 or 8 bytes) by way of a double, by its
/// exact value in decimal, if it does not read back the same.
pub(super) fn settle(out: &mut Vec<u8>, start: usize, bytes: &[u8]) {
    let value = read(bytes);
    let same = |text: &[u8]| {
        let text = std::str::from_utf8(text).unwrap_or_default();
        parse(text, bytes.len()).is_some_and(|(_, other)| normal(other) == normal(value))
    };
    if value.fraction == 0 || same(&out[start..]) {
        return;
    }
    out.truncate(start);
    if bytes[0] & 0x80 != 0 {
        out.push(b'-');
    }
    let first = out.len();
    for digits in 15..=ENOUGH {
        out.truncate(first);
        out.extend_from_slice(decimal(value, digits).as_bytes());
        if same(&out[first..]) {
            return;
        }
    }
}

/// Stores a number in JSON syntax, rounded to the item (4 or 8 bytes); `false` if it is too large.
pub(super) fn store(text: &str, item: &mut [u8]) -> bool {
    let Some((negative, value)) = parse(text, item.len()) else {
        return false;
    };
    item.fill(0);
    if value.fraction == 0 {
        return true;
    }
    let len = item.len() - 1;
    let exponent = value.exponent / 4 + 2 * len as i32;
    if exponent > 63 {
        return false;
    }
    if exponent < -64 {
        return true;
    }
    item[1..].copy_from_slice(&value.fraction.to_be_bytes()[8 - len..]);
    item[0] = (exponent + 64) as u8 | if negative { 0x80 } else { 0 };
    true
}

fn read(bytes: &[u8]) -> Magnitude {
    let digits = 2 * (bytes.len() as i32 - 1);
    Magnitude {
        fraction: bytes[1..].iter().fold(0, |sum, b| sum << 8 | u64::from(*b)),
        exponent: 4 * (i32::from(bytes[0] & 0x7F) - 64 - digits),
    }
}

/// The same value with an odd fraction.
fn normal(value: Magnitude) -> Magnitude {
    match value.fraction.trailing_zeros() {
        64 => Magnitude {
            fraction: 0,
            exponent: 0,
        },
        zeros => Magnitude {
            fraction: value.fraction >> zeros,
            exponent: value.exponent + zeros as i32,
        },
    }
}

/// Sign and value of a number in JSON syntax, rounded to the fraction of an item of `len` bytes.
/// `None` for values beyond any item.
fn parse(text: &str, len: usize) -> Option<(bool, Magnitude)> {
    let negative = text.starts_with('-');
    let digits = text.trim_start_matches(['-', '+']);
    let (mantissa, power) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let significant = format!("{whole}{fraction}");
    let stripped = significant.trim_start_matches('0');
    let (kept, dropped) = stripped.split_at(stripped.len().min(MAX_SIGNIFICANT));
    let power = power.trim_start_matches('+').parse::<i64>().ok()? - fraction.len() as i64
        + dropped.len() as i64;
    let size = power + kept.len() as i64;
    if kept.is_empty() || size < -MAX_POWER {
        let (fraction, exponent) = (0, 0);
        return Some((negative, Magnitude { fraction, exponent }));
    }
    if size > MAX_POWER {
        return None;
    }
    let mut number = Big::of(kept);
    number.rest = dropped.bytes().any(|b| b != b'0');
    let shift = if power < 0 { -4 * power + 64 } else { 0 };
    number.shift_left(shift as usize);
    number.times_ten(power);
    let bits = number.bits() as i64 - shift;
    let digits = 2 * (len as i64 - 1);
    let mut exponent = (bits + 3).div_euclid(4) - digits;
    let mut fraction = number.shifted(shift + 4 * exponent);
    if fraction >> (4 * digits) != 0 {
        fraction >>= 4;
        exponent += 1;
    }
    let exponent = i32::try_from(4 * exponent).ok()?;
    let fraction = u64::try_from(fraction).ok()?;
    Some((negative, Magnitude { fraction, exponent }))
}

/// The value in `count` significant digits, rounded.
fn decimal(value: Magnitude, count: usize) -> String {
    let mut power =
        ((value.fraction as f64).log10() + f64::from(value.exponent) * 2f64.log10()).floor() as i64;
    loop {
        let scale = count as i64 - 1 - power;
        let mut number = Big::from(value.fraction);
        let shift = if scale < 0 { 64 - 4 * scale } else { 64 };
        number.shift_left((shift + i64::from(value.exponent.max(0))) as usize);
        number.times_ten(scale);
        let digits = number
            .shifted(shift - i64::from(value.exponent.min(0)))
            .to_string();
        if digits.len() == count {
            return written(digits.trim_end_matches('0'), power);
        }
        power += digits.len() as i64 - count as i64;
    }
}

/// Significant digits of which the first stands for ten to the power of `power`.
fn written(digits: &str, power: i64) -> String {
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    let len = digits.len() as i64;
    match power {
        0..=20 if len <= power + 1 => format!("{digits}{}", zeros(power + 1 - len)),
        0..=20 => {
            let (whole, fraction) = digits.split_at(power as usize + 1);
            format!("{whole}.{fraction}")
        }
        -5..0 => format!("0.{}{digits}", zeros(-power - 1)),
        _ if len == 1 => format!("{digits}e{power}"),
        _ => format!("{}.{}e{power}", &digits[..1], &digits[1..]),
    }
}

/// A whole number of any length, least significant word first.
struct Big {
    words: Vec<u32>,
    /// A part below one was cut off.
    rest: bool,
}

impl From<u64> for Big {
    fn from(value: u64) -> Big {
        let words = vec![value as u32, (value >> 32) as u32];
        Big { words, rest: false }
    }
}

impl Big {
    fn of(digits: &str) -> Big {
        let mut number = Big::from(0);
        for digit in digits.bytes() {
            number.multiply(10, u32::from(digit.wrapping_sub(b'0')));
        }
        number
    }

    fn multiply(&mut self, by: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for word in &mut self.words {
            let product = u64::from(*word) * u64::from(by) + carry;
            *word = product as u32;
            carry = product >> 32;
        }
        if carry != 0 {
            self.words.push(carry as u32);
        }
    }

    /// Multiplied by ten to the power of `power`; divided where it is negative.
    fn times_ten(&mut self, power: i64) {
        for _ in 0..power {
            self.multiply(10, 0);
        }
        for _ in power..0 {
            let mut left = 0;
            for word in self.words.iter_mut().rev() {
                let all = left << 32 | u64::from(*word);
                *word = (all / 10) as u32;
                left = all % 10;
            }
            self.rest |= left != 0;
        }
    }

    fn shift_left(&mut self, bits: usize) {
        let mut words = vec![0; bits / 32];
        words.append(&mut self.words);
        self.words = words;
        self.multiply(1 << (bits % 32), 0);
    }

    fn bits(&self) -> usize {
        let used = self.words.iter().rposition(|word| *word != 0);
        used.map_or(0, |at| {
            at * 32 + 32 - self.words[at].leading_zeros() as usize
        })
    }

    fn bit(&self, at: usize) -> bool {
        self.words
            .get(at / 32)
            .is_some_and(|word| word >> (at % 32) & 1 == 1)
    }

    /// Divided by two to the power of `bits` (which may be negative), rounded to the nearest, to
    /// even where two are. Results of more than 128 bits do not occur.
    fn shifted(&self, bits: i64) -> u128 {
        let down = usize::try_from(bits).unwrap_or(0);
        let mut result = 0u128;
        for at in (down..self.bits()).rev() {
            result = result << 1 | u128::from(self.bit(at));
        }
        if bits <= 0 {
            return result << bits.unsigned_abs().min(127);
        }
        let half = self.bit(down - 1);
        let below = self.rest || (0..down - 1).any(|at| self.bit(at));
        result + u128::from(half && (below || result & 1 == 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(hex: u64) -> String {
        let mut out = b"0".to_vec();
        settle(&mut out, 0, &hex.to_be_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn long_numbers_keep_their_56_bits() {
        for (hex, text) in [
            (0x41_10000000000000, "1"),
            (0x41_10000000000001, "1.0000000000000002"),
            (0xC1_FFFFFFFFFFFFFF, "-15.9999999999999998"),
            (0x40_1999999999999A, "0.1"),
            (0x40_19999999999999, "0.099999999999999992"),
            (0x4E_FFFFFFFFFFFFFF, "72057594037927935"),
        ] {
            assert_eq!(shown(hex), text, "{hex:016X}");
            let mut item = [0; 8];
            assert!(store(text, &mut item));
            assert_eq!(u64::from_be_bytes(item), hex, "{text}");
        }
    }

    #[test]
    fn every_normal_number_reads_back() {
        let mut seed = 7u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let fraction = (seed >> 4).max(1) & 0x00FF_FFFF_FFFF_FFFF;
            let hex = (seed << 56) | fraction | 0x0010_0000_0000_0000;
            let text = shown(hex);
            let mut item = [0; 8];
            assert!(store(&text, &mut item), "{text}");
            assert_eq!(u64::from_be_bytes(item), hex, "{text}");
        }
    }

    #[test]
    fn ends_of_the_range() {
        let mut item = [1; 8];
        assert!(store("1e-90", &mut item) && item == [0; 8]);
        assert!(!store("1e76", &mut item) && !store("1e4000000", &mut item));
        assert!(store("7.2e75", &mut item));
    }
}
