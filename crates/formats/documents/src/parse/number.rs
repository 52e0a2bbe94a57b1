//! A number of JSON, digit by digit.
//!
//! Why digits: amounts must come out as they stand, and an exponent may be of any size, so nothing
//! goes through floating point and nothing is written out before it is asked for. Not here: which
//! item takes it.

use super::target::Receiver;

/// Powers of ten beyond these are nothing, or more than any item holds.
const EXPONENT_MAX: i64 = 100_000;

/// A number: its digits from the first that is not zero, the last at 10 to the power of `last`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number {
    minus: bool,
    digits: Vec<u8>,
    last: i64,
    /// Written with an exponent.
    pub(super) float: bool,
    /// Written without a point and exponent.
    pub(super) integer: bool,
    text: String,
}

impl Number {
    /// A number by JSON's grammar.
    pub(super) fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (rest, None),
        };
        let (whole, part) = match mantissa.split_once('.') {
            Some((whole, part)) => (whole, Some(part)),
            None => (mantissa, None),
        };
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let zeros = whole.len() > 1 && whole.starts_with('0');
        if !digits(whole) || zeros || part.is_some_and(|part| !digits(part)) {
            return None;
        }
        let mut last = 0;
        if let Some(exponent) = exponent {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if !digits(unsigned) {
                return None;
            }
            let size = unsigned.parse::<i64>().unwrap_or(EXPONENT_MAX);
            let size = size.min(EXPONENT_MAX);
            last = if exponent.starts_with('-') {
                -size
            } else {
                size
            };
        }
        Some(Self {
            float: exponent.is_some(),
            integer: exponent.is_none() && part.is_none(),
            ..Self::of(text, whole, part.unwrap_or(""), last)
        })
    }

    /// A string of digits, which counts as an integer.
    pub(super) fn of_digits(text: &str) -> Self {
        Self::of(text, text, "", 0)
    }

    fn of(text: &str, whole: &str, part: &str, last: i64) -> Self {
        let all: Vec<u8> = whole
            .bytes()
            .chain(part.bytes())
            .map(|b| b - b'0')
            .collect();
        let begin = all.iter().position(|d| *d != 0).unwrap_or(all.len());
        let mut digits = all[begin..].to_vec();
        let mut last = last - i64::try_from(part.len()).unwrap_or(i64::MAX / 2);
        // Zeros behind say nothing, so that equal numbers are equal here.
        while digits.last() == Some(&0) {
            digits.pop();
            last += 1;
        }
        if digits.is_empty() {
            last = 0;
        }
        Self {
            minus: text.starts_with('-') && !digits.is_empty(),
            digits,
            last,
            float: false,
            integer: true,
            text: text.to_owned(),
        }
    }

    /// The same number, however it is written.
    pub(super) fn equals(&self, other: &Self) -> bool {
        (self.minus, &self.digits, self.last) == (other.minus, &other.digits, other.last)
    }

    /// Digits of an integer as they stand, without its sign.
    pub(super) fn characters(&self) -> &str {
        self.text.strip_prefix('-').unwrap_or(&self.text)
    }

    /// The digit at 10 to the power of `place`.
    fn digit(&self, place: i64) -> u8 {
        let from_end = place - self.last;
        let index = usize::try_from(from_end)
            .ok()
            .and_then(|n| self.digits.len().checked_sub(n.checked_add(1)?));
        index.and_then(|n| self.digits.get(n)).copied().unwrap_or(0)
    }

    /// The power of ten of the first digit that is not zero.
    fn first(&self) -> Option<i64> {
        let count = i64::try_from(self.digits.len()).ok()?;
        (count > 0).then(|| self.last + count - 1)
    }

    /// So many digits before and behind the point, and whether one went beyond the first of them.
    /// A number with an exponent is rounded, as MOVE rounds floating point; others are cut.
    fn places(&self, whole: i64, part: i64) -> (Vec<u8>, bool) {
        let mut out: Vec<u8> = (-part..whole).rev().map(|p| self.digit(p)).collect();
        let mut carry = self.float && self.digit(-part - 1) >= 5;
        for digit in out.iter_mut().rev() {
            if !carry {
                break;
            }
            carry = *digit == 9;
            *digit = if carry { 0 } else { *digit + 1 };
        }
        (
            out,
            carry || self.first().is_some_and(|first| first >= whole),
        )
    }

    /// Sign and digits for an item with a leading separate sign.
    pub(crate) fn written(&self, whole: usize, part: usize) -> Vec<u8> {
        let size = |n: usize| i64::try_from(n).unwrap_or(0);
        let (digits, _) = self.places(size(whole), size(part));
        let zero = digits.iter().all(|d| *d == 0);
        let sign = if self.minus && !zero { b'-' } else { b'+' };
        let digits = digits.into_iter().map(|d| d + b'0');
        std::iter::once(sign).chain(digits).collect()
    }

    /// The item cannot hold what stands before its decimal point: ON SIZE ERROR of a COMPUTE.
    pub(super) fn is_too_large(&self, receiver: &Receiver) -> bool {
        match *receiver {
            Receiver::Number {
                whole,
                scale,
                native: 0,
                ..
            } => self.places(whole.into(), scale.max(0).into()).1,
            Receiver::Number {
                scale,
                native,
                signed,
                ..
            } => self.exceeds(scale.into(), native, signed),
            Receiver::Float { short } => {
                let infinite = match short {
                    true => self.text.parse::<f32>().is_ok_and(f32::is_infinite),
                    false => self.text.parse::<f64>().is_ok_and(f64::is_infinite),
                };
                infinite && !self.digits.is_empty()
            }
            Receiver::Group | Receiver::Text { .. } => false,
        }
    }

    /// A binary item of so many bytes cannot hold it.
    fn exceeds(&self, scale: i64, bytes: u8, signed: bool) -> bool {
        // No item of eight bytes has more.
        const PLACES: i64 = 20;
        let (digits, more) = self.places(PLACES - scale, scale);
        let value = digits.iter().fold(0u128, |v, d| v * 10 + u128::from(*d));
        let bits = u32::from(bytes.min(8)) * 8;
        let limit = match (signed, self.minus) {
            (true, true) => 1u128 << (bits - 1),
            (true, false) => (1u128 << (bits - 1)) - 1,
            (false, _) => (1u128 << bits) - 1,
        };
        more || value > limit
    }

    /// For COMP-1: the nearest there is.
    pub(crate) fn short(&self) -> f32 {
        let value = self.text.parse::<f32>().unwrap_or(0.0);
        value.clamp(f32::MIN, f32::MAX)
    }

    /// For COMP-2: the nearest there is.
    pub(crate) fn long(&self) -> f64 {
        let value = self.text.parse::<f64>().unwrap_or(0.0);
        value.clamp(f64::MIN, f64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, whole: usize, part: usize) -> String {
        let number = Number::read(text).unwrap();
        String::from_utf8(number.written(whole, part)).unwrap()
    }

    #[test]
    fn digits_stay_as_they_are() {
        assert_eq!(written("12.34", 3, 2), "+01234");
        assert_eq!(written("-0.019", 3, 2), "-00001");
        assert_eq!(written("-0.001", 3, 2), "+00000");
        assert_eq!(written("123456", 3, 0), "+456");
        assert_eq!(
            written("12345678901234567890123456789.01", 29, 2),
            "+1234567890123456789012345678901"
        );
        // Floating point is rounded, and no exponent costs more than another.
        assert_eq!(written("1.5e2", 4, 0), "+0150");
        assert_eq!(written("1.25E-1", 1, 2), "+013");
        assert_eq!(written("9.99e0", 1, 1), "+00");
        assert_eq!(written("1e999999999999999999999", 3, 0), "+000");
        assert_eq!(written("1e-999999999999999999999", 3, 2), "+00000");
    }

    #[test]
    fn numbers_have_the_grammar_of_json() {
        for good in ["0", "-0", "0.0", "10", "1e5", "1E+05", "-1.0e-5"] {
            assert!(Number::read(good).is_some(), "{good}");
        }
        for bad in [
            "", "-", "01", "+1", "1.", ".5", "1e", "1e+", "1.e1", "--1", "1 ",
        ] {
            assert!(Number::read(bad).is_none(), "{bad}");
        }
        let same = |a: &str, b: &str| {
            let (a, b) = (Number::read(a).unwrap(), Number::read(b).unwrap());
            a.equals(&b)
        };
        assert!(same("1.50", "15e-1") && same("0", "-0.0") && !same("1", "-1"));
    }

    #[test]
    fn size_errors_are_those_of_the_item() {
        let number = |text: &str| Number::read(text).unwrap();
        let item = |whole, scale, native, signed| Receiver::Number {
            whole,
            scale,
            native,
            signed,
        };
        let two = item(2, 1, 0, true);
        assert!(!number("99.96").is_too_large(&two));
        assert!(number("100").is_too_large(&two));
        assert!(number("9.996e1").is_too_large(&two), "rounds up to 100");
        assert!(!number("-99.9").is_too_large(&two));
        let half = item(4, 0, 2, true);
        assert!(!number("32767").is_too_large(&half) && number("32768").is_too_large(&half));
        assert!(!number("-32768").is_too_large(&half) && number("-32769").is_too_large(&half));
        let long = item(18, 0, 8, false);
        assert!(!number("18446744073709551615").is_too_large(&long));
        assert!(number("18446744073709551616").is_too_large(&long));
        assert!(number("1e400").is_too_large(&long));
        // VPP999: nothing before 0.00999.
        let low = item(-2, 5, 0, false);
        assert!(!number("0.00123").is_too_large(&low) && number("0.0123").is_too_large(&low));
        assert!(number("1e39").is_too_large(&Receiver::Float { short: true }));
        assert!(!number("1e39").is_too_large(&Receiver::Float { short: false }));
        assert_eq!(number("1e999").long(), f64::MAX);
    }
}
