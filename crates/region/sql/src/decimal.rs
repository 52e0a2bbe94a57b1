//! Exact decimal numbers, and the bytes they have in the database.
//!
//! Why bytes of our own: SQLite has no DECIMAL. They are in the order of the numbers and one number
//! has one form, whatever its scale, so comparison, sorting, grouping and indexes are SQLite's own
//! and exact. Not here: types of results (`formats/sql`).

use std::cmp::Ordering;

/// `digits` times ten to the power of minus `scale`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal {
    pub(crate) digits: i128,
    pub(crate) scale: u8,
}

const ZERO: u8 = 0x80;
const POSITIVE: u8 = 0xC0;
const NEGATIVE: u8 = 0x40;
/// Middle of the exponents.
const BIAS: i32 = 0x4000;
/// Most digits of a number.
const DIGITS: usize = 39;
/// Decimal digits that always fit 64 bits. A division of 128 bits costs ten times one of 64, so
/// what fits is done in 64.
const SHORT: u32 = 19;

impl Decimal {
    pub(crate) const fn new(digits: i128, scale: u8) -> Self {
        Self { digits, scale }
    }

    pub(crate) const fn integer(value: i64) -> Self {
        Self::new(value as i128, 0)
    }

    /// `-12.50` or `-1.25E1`, with at most 38 digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => Self::parse_plain(digits)?.moved(exponent),
            None => Self::parse_plain(text),
        }
    }

    /// Times ten to the power of an exponent; digits behind the 38th place are cut off.
    fn moved(self, exponent: &str) -> Option<Self> {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let all = digits.bytes().all(|byte| byte.is_ascii_digit());
        let exponent: i32 = exponent
            .parse()
            .ok()
            .filter(|_| all && !digits.is_empty())?;
        let value = self.shortest();
        let scale = i32::from(value.scale).checked_sub(exponent)?;
        match u8::try_from(scale) {
            _ if value.digits == 0 => Some(Self::new(0, 0)),
            Ok(scale) if scale <= 38 => Some(Self::new(value.digits, scale)),
            _ if scale > 38 => {
                let cut = power(u32::try_from(scale - 38).ok()?).unwrap_or(i128::MAX);
                Some(Self::new(value.digits / cut, 38))
            }
            _ => Some(Self::new(
                value.digits.checked_mul(power(scale.unsigned_abs())?)?,
                0,
            )),
        }
    }

    /// It has the form of a number, however many digits.
    pub(crate) fn is_number(text: &str) -> bool {
        let text = text.trim_matches(' ');
        let text = text.strip_prefix(['+', '-']).unwrap_or(text);
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (plain, exponent) = match text.split_once(['e', 'E']) {
            Some((plain, exponent)) => (plain, exponent),
            None => (text, "0"),
        };
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let some = !(whole.is_empty() && fraction.is_empty() || exponent.is_empty());
        some && digits(whole) && digits(fraction) && digits(exponent)
    }

    fn parse_plain(text: &str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut digits = 0_i128;
        for byte in whole.bytes().chain(fraction.bytes()) {
            let digit = byte.is_ascii_digit().then(|| i128::from(byte - b'0'))?;
            digits = digits.checked_mul(10)?.checked_add(digit)?;
        }
        let scale = u8::try_from(fraction.len()).ok()?;
        Some(Self::new(if negative { -digits } else { digits }, scale))
    }

    /// Another scale; what is behind the last digit is cut off. `None`: too many digits.
    pub(crate) fn rescaled(self, scale: u8) -> Option<Self> {
        let digits = match scale.cmp(&self.scale) {
            Ordering::Equal => self.digits,
            Ordering::Greater => {
                let power = power(u32::from(scale - self.scale))?;
                self.digits.checked_mul(power)?
            }
            Ordering::Less => match power(u32::from(self.scale - scale)) {
                None => 0,
                Some(power) => match (i64::try_from(self.digits), i64::try_from(power)) {
                    (Ok(digits), Ok(power)) => i128::from(digits / power),
                    _ => self.digits / power,
                },
            },
        };
        Some(Self { digits, scale })
    }

    /// As a DECIMAL of this precision and scale; `None`: it has more digits.
    pub(crate) fn fitted(self, precision: u8, scale: u8) -> Option<Self> {
        let value = self.rescaled(scale)?;
        let limit = 10_u128.checked_pow(precision.into())?;
        (value.digits.unsigned_abs() < limit).then_some(value)
    }

    /// Without zeros at the end of its fraction.
    fn shortest(mut self) -> Self {
        if let Ok(mut digits) = i64::try_from(self.digits) {
            while self.scale > 0 && digits % 10 == 0 {
                digits /= 10;
                self.scale -= 1;
            }
            return Self::new(digits.into(), self.scale);
        }
        while self.scale > 0 && self.digits % 10 == 0 {
            self.digits /= 10;
            self.scale -= 1;
        }
        self
    }

    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let (a, b) = (self.rescaled(scale)?, other.rescaled(scale)?);
        Some(Self::new(a.digits.checked_add(b.digits)?, scale))
    }

    pub(crate) fn negated(self) -> Self {
        Self::new(-self.digits, self.scale)
    }

    pub(crate) fn times(self, other: Self) -> Option<Self> {
        let (a, b) = (self.shortest(), other.shortest());
        let scale = a.scale.checked_add(b.scale)?;
        Some(Self::new(a.digits.checked_mul(b.digits)?, scale))
    }

    /// The quotient with this scale, cut off; `None`: by zero, or too many digits.
    pub(crate) fn divided(self, other: Self, scale: u8) -> Option<Self> {
        let (a, b) = (self.shortest(), other.shortest());
        if b.digits == 0 {
            return None;
        }
        let divisor = b.digits.unsigned_abs();
        let dividend = a.digits.unsigned_abs();
        let mut quotient = dividend / divisor;
        let mut rest = dividend % divisor;
        // Scale of the quotient so far; each digit of it is one step of long division.
        let mut at = i32::from(a.scale) - i32::from(b.scale);
        while at < i32::from(scale) {
            rest = rest.checked_mul(10)?;
            quotient = quotient.checked_mul(10)?.checked_add(rest / divisor)?;
            rest %= divisor;
            at += 1;
        }
        let mut extra = at - i32::from(scale);
        while extra > 0 && quotient > 0 {
            quotient /= 10;
            extra -= 1;
        }
        let digits = i128::try_from(quotient).ok()?;
        let negative = (a.digits < 0) != (b.digits < 0);
        Some(Self::new(if negative { -digits } else { digits }, scale))
    }

    pub(crate) fn to_f64(self) -> f64 {
        // By its digits: a division would round twice.
        format!("{}e-{}", self.digits, self.scale)
            .parse()
            .unwrap_or(0.0)
    }

    /// As text with all digits of its scale: `-0.50`.
    pub(crate) fn text(self) -> String {
        let scale = usize::from(self.scale);
        let digits = format!("{:0width$}", self.digits.unsigned_abs(), width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let sign = if self.digits < 0 { "-" } else { "" };
        match scale {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{fraction}"),
        }
    }

    /// Its bytes: sign, exponent, pairs of digits.
    pub(crate) fn bytes(self) -> Vec<u8> {
        if self.digits == 0 {
            return vec![ZERO];
        }
        let (all, from) = digits_of(self.digits.unsigned_abs());
        // The number is 0.d1d2d3... times ten to the power of this.
        let exponent = (DIGITS - from) as i32 - i32::from(self.scale);
        let end = all
            .iter()
            .rposition(|digit| *digit != 0)
            .map_or(from, |at| at + 1);
        let digits = &all[from..end];
        let mut out = Vec::with_capacity(4 + digits.len() / 2);
        out.push(POSITIVE);
        let biased = u16::try_from(exponent + BIAS).unwrap_or(u16::MAX);
        out.extend(biased.to_be_bytes());
        for pair in digits.chunks(2) {
            out.push(pair[0] * 10 + pair.get(1).copied().unwrap_or(0) + 1);
        }
        if self.digits < 0 {
            out[0] = NEGATIVE;
            out[1..].iter_mut().for_each(|byte| *byte = !*byte);
            out.push(0xFF);
        }
        out
    }

    /// The number of these bytes; `None`: they are none.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (sign, rest) = bytes.split_first()?;
        // All bytes of a negative number are turned over, and one stands behind them.
        let (turned, rest) = match *sign {
            ZERO if rest.is_empty() => return Some(Self::new(0, 0)),
            POSITIVE => (0, rest),
            NEGATIVE => (0xFF, rest.split_last()?.1),
            _ => return None,
        };
        let (exponent, pairs) = rest.split_first_chunk::<2>()?;
        let exponent = exponent.map(|byte| byte ^ turned);
        let exponent = i32::from(u16::from_be_bytes(exponent)) - BIAS;
        let mut pair = pairs.iter().map(|byte| {
            let value = (byte ^ turned).checked_sub(1);
            value.filter(|value| *value < 100)
        });
        let mut digits = 0_u64;
        for value in pair.by_ref().take(SHORT as usize / 2) {
            digits = digits * 100 + u64::from(value?);
        }
        let mut digits = i128::from(digits);
        for value in pair {
            digits = digits.checked_mul(100)?.checked_add(value?.into())?;
        }
        let negative = turned != 0;
        let count = 2 * pairs.len() as i32;
        let digits = if negative { -digits } else { digits };
        match count - exponent {
            scale @ 0.. => {
                let value = Self::new(digits, u8::try_from(scale).ok()?);
                Some(value.shortest())
            }
            zeros => {
                let power = power(zeros.unsigned_abs())?;
                Some(Self::new(digits.checked_mul(power)?, 0))
            }
        }
    }
}

/// Ten to a power.
fn power(of: u32) -> Option<i128> {
    match 10_u64.checked_pow(of) {
        Some(power) => Some(power.into()),
        None => 10_i128.checked_pow(of),
    }
}

/// The digits of a number at the end of an array, and where the first one is.
fn digits_of(number: u128) -> ([u8; DIGITS], usize) {
    let (mut all, mut from) = ([0; DIGITS], DIGITS);
    let mut put = |mut part: u64, most: usize| {
        let end = from;
        while part > 0 || end - from < most {
            from -= 1;
            all[from] = (part % 10) as u8;
            part /= 10;
        }
    };
    let mut rest = number;
    while rest > u128::from(u64::MAX) {
        let short = 10_u128.pow(SHORT);
        put((rest % short) as u64, SHORT as usize);
        rest /= short;
    }
    put(rest as u64, 0);
    (all, from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn bytes_are_in_the_order_of_the_numbers() {
        let sorted = [
            "-9999999999999999999999999999999",
            "-100.01",
            "-100",
            "-99.5",
            "-12.34",
            "-12",
            "-1",
            "-0.5",
            "-0.0001",
            "0",
            "0.0001",
            "0.05",
            "0.5",
            "0.51",
            "1",
            "1.001",
            "9.99",
            "10",
            "12",
            "12.3",
            "12.34",
            "100",
            "1000000000000000000000000000000",
            "9999999999999999999999999999999",
        ];
        for pair in sorted.windows(2) {
            let (a, b) = (decimal(pair[0]).bytes(), decimal(pair[1]).bytes());
            assert!(a < b, "{pair:?}: {a:02X?} {b:02X?}");
        }
        for text in sorted {
            let back = Decimal::of_bytes(&decimal(text).bytes()).unwrap();
            assert_eq!(back.text(), text);
        }
        for text in [
            "18446744073709551616.5",
            "-18446744073709551615",
            "0.10000000000000000001",
        ] {
            let back = Decimal::of_bytes(&decimal(text).bytes()).unwrap();
            assert_eq!(back.text(), text);
        }
        assert_eq!(decimal("1.50").bytes(), decimal("1.5000").bytes());
        assert_eq!(decimal("-0.00").bytes(), decimal("0").bytes());
        assert_eq!(Decimal::of_bytes(b""), None);
        assert_eq!(Decimal::of_bytes(&[0xC0, 0x40]), None);
    }

    impl PartialEq for Decimal {
        fn eq(&self, other: &Self) -> bool {
            self.bytes() == other.bytes()
        }
    }

    #[test]
    fn arithmetic_is_exact() {
        let all = |a: &str, b: &str| {
            let (a, b) = (decimal(a), decimal(b));
            let text = |value: Option<Decimal>| value.map(Decimal::text).unwrap_or_default();
            [text(a.plus(b)), text(a.times(b)), text(a.divided(b, 4))]
        };
        assert_eq!(all("0.10", "0.2"), ["0.30", "0.02", "0.5000"]);
        assert_eq!(all("-7", "3"), ["-4", "-21", "-2.3333"]);
        assert_eq!(all("1", "0"), ["1", "0", ""]);
        let big = "9999999999999999999999999999999";
        assert_eq!(all(big, "1")[0], "10000000000000000000000000000000");
        assert_eq!(all("1", big)[2], "0.0000");
        assert_eq!(decimal("12.999").fitted(4, 2).unwrap().text(), "12.99");
        assert!(decimal("123.4").fitted(4, 2).is_none());
    }
}
