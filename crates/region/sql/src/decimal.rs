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

impl Decimal {
    pub(crate) const fn new(digits: i128, scale: u8) -> Self {
        Self { digits, scale }
    }

    pub(crate) const fn integer(value: i64) -> Self {
        Self::new(value as i128, 0)
    }

    /// `-12.50`, with at most 38 digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
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
                let power = 10_i128.checked_pow(u32::from(scale - self.scale))?;
                self.digits.checked_mul(power)?
            }
            Ordering::Less => {
                let power = 10_i128.checked_pow(u32::from(self.scale - scale));
                power.map_or(0, |power| self.digits / power)
            }
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
        let digits = self.digits.unsigned_abs().to_string();
        // The number is 0.d1d2d3... times ten to the power of this.
        let exponent = digits.len() as i32 - i32::from(self.scale);
        let digits = digits.trim_end_matches('0').as_bytes();
        let mut out = Vec::with_capacity(4 + digits.len() / 2);
        out.push(POSITIVE);
        let biased = u16::try_from(exponent + BIAS).unwrap_or(u16::MAX);
        out.extend(biased.to_be_bytes());
        for pair in digits.chunks(2) {
            let low = pair.get(1).map_or(0, |d| d - b'0');
            out.push((pair[0] - b'0') * 10 + low + 1);
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
        let (negative, rest) = match *sign {
            ZERO if rest.is_empty() => return Some(Self::new(0, 0)),
            POSITIVE => (false, rest.to_vec()),
            NEGATIVE => {
                let (_, rest) = rest.split_last()?;
                (true, rest.iter().map(|byte| !byte).collect())
            }
            _ => return None,
        };
        let (exponent, pairs) = rest.split_first_chunk::<2>()?;
        let exponent = i32::from(u16::from_be_bytes(*exponent)) - BIAS;
        let mut digits = 0_i128;
        for pair in pairs {
            let value = pair.checked_sub(1).filter(|value| *value < 100)?;
            digits = digits.checked_mul(100)?.checked_add(value.into())?;
        }
        let count = 2 * pairs.len() as i32;
        let digits = if negative { -digits } else { digits };
        match count - exponent {
            scale @ 0.. => {
                let value = Self::new(digits, u8::try_from(scale).ok()?);
                Some(value.shortest())
            }
            zeros => {
                let power = 10_i128.checked_pow(zeros.unsigned_abs())?;
                Some(Self::new(digits.checked_mul(power)?, 0))
            }
        }
    }
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
