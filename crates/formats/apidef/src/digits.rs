//! The values of a COBOL number: their bounds, and a pattern for their text.
//!
//! Why text: 31 digits are exact in it. Not here: schemas made of it.

use transom_copybook::shape::{Kind, Sign};

/// Values from `least` to `most` with `scale` decimals, written without leading zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Digits {
    /// Lowest value without its sign and its decimal point; empty: no negative ones.
    least: String,
    /// Highest value without its decimal point.
    most: String,
    /// Digits behind the point; negative: zeros in front of it that are not stored.
    scale: i16,
}

impl Digits {
    /// `None`: the kind is no fixed-point number.
    pub(crate) fn of(kind: &Kind) -> Option<Self> {
        let picture = |digits: u8, scale: i16, signed: bool| {
            let most = "9".repeat(usize::from(digits));
            let least = if signed { most.clone() } else { String::new() };
            Self { least, most, scale }
        };
        Some(match kind {
            Kind::Zoned(z) => picture(z.digits, z.scale, z.sign != Sign::None),
            Kind::Packed(p) => picture(p.digits, p.scale, p.signed),
            Kind::Binary(b) if b.full_range && b.scale == 0 && b.len <= 8 => {
                let half = 1u128 << (u32::from(b.len) * 8 - 1);
                match b.signed {
                    true => Self {
                        least: half.to_string(),
                        most: (half - 1).to_string(),
                        scale: 0,
                    },
                    false => Self {
                        least: String::new(),
                        most: (half * 2 - 1).to_string(),
                        scale: 0,
                    },
                }
            }
            Kind::Binary(b) => picture(b.digits, b.scale, b.signed),
            _ => return None,
        })
    }

    /// Digits behind the point.
    pub(crate) fn decimals(&self) -> usize {
        usize::try_from(self.scale).unwrap_or(0)
    }

    /// Lowest and highest value as JSON numbers.
    pub(crate) fn range(&self) -> (String, String) {
        let least = match self.least.as_str() {
            "" => "0".to_owned(),
            least => format!("-{}", self.placed(least)),
        };
        (least, self.placed(&self.most))
    }

    /// The digits with their decimal point.
    fn placed(&self, digits: &str) -> String {
        let places = usize::from(self.scale.unsigned_abs());
        if self.scale <= 0 {
            return format!("{digits}{}", "0".repeat(places));
        }
        match digits.len().checked_sub(places) {
            Some(0) => format!("0.{digits}"),
            Some(whole) => format!("{}.{}", &digits[..whole], &digits[whole..]),
            None => format!("0.{}{digits}", "0".repeat(places - digits.len())),
        }
    }

    /// A pattern of the texts that spell such a value: leading zeros, a sign, zeros that say
    /// nothing behind the point.
    pub(crate) fn pattern(&self) -> String {
        if self.least == self.most {
            return format!("[+-]?{}", self.unsigned(&self.most));
        }
        let positive = format!("[+]?{}", self.unsigned(&self.most));
        match self.least.as_str() {
            "" => positive,
            least => format!("({positive}|-{})", self.unsigned(least)),
        }
    }

    fn unsigned(&self, most: &str) -> String {
        let (digits, places) = (most.len(), usize::from(self.scale.unsigned_abs()));
        if self.scale == 0 {
            return format!("0*{}(\\.0+)?", up_to(most));
        }
        if self.scale < 0 {
            return format!("(0+|0*[0-9]{{1,{digits}}}0{{{places}}})(\\.0+)?");
        }
        match digits.checked_sub(places) {
            Some(0) => format!("0+(\\.[0-9]{{1,{places}}}0*)?"),
            Some(whole) => format!("0*[0-9]{{1,{whole}}}(\\.[0-9]{{1,{places}}}0*)?"),
            None => {
                let zeros = places - digits;
                format!("0+(\\.(0+|0{{{zeros}}}[0-9]{{1,{digits}}}0*))?")
            }
        }
    }
}

/// A pattern of the whole numbers up to one.
fn up_to(most: &str) -> String {
    let count = most.len();
    if most.bytes().all(|digit| digit == b'9') {
        return format!("[0-9]{{1,{count}}}");
    }
    let mut ways = Vec::new();
    if count > 1 {
        ways.push(format!("[0-9]{{1,{}}}", count - 1));
    }
    for (at, digit) in most.bytes().enumerate() {
        let first = if at == 0 && count > 1 { b'1' } else { b'0' };
        if digit <= first {
            continue;
        }
        let (same, below) = (&most[..at], char::from(digit - 1));
        let rest = match count - at - 1 {
            0 => String::new(),
            rest => format!("[0-9]{{{rest}}}"),
        };
        ways.push(format!("{same}[{}-{below}]{rest}", char::from(first)));
    }
    ways.push(most.to_owned());
    format!("({})", ways.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_copybook::shape::{Binary, Packed, Zoned};

    fn zoned(digits: u8, scale: i16, sign: Sign) -> Digits {
        Digits::of(&Kind::Zoned(Zoned {
            digits,
            scale,
            sign,
        }))
        .unwrap()
    }

    #[test]
    fn bounds_and_patterns_follow_the_picture() {
        for (digits, range, pattern) in [
            (
                zoned(8, 0, Sign::None),
                ("0", "99999999"),
                "[+]?0*[0-9]{1,8}(\\.0+)?",
            ),
            (
                zoned(5, 2, Sign::Trailing),
                ("-999.99", "999.99"),
                "[+-]?0*[0-9]{1,3}(\\.[0-9]{1,2}0*)?",
            ),
            (
                zoned(2, 2, Sign::None),
                ("0", "0.99"),
                "[+]?0+(\\.[0-9]{1,2}0*)?",
            ),
            (
                zoned(2, 4, Sign::None),
                ("0", "0.0099"),
                "[+]?0+(\\.(0+|0{2}[0-9]{1,2}0*))?",
            ),
            (
                zoned(2, -3, Sign::None),
                ("0", "99000"),
                "[+]?(0+|0*[0-9]{1,2}0{3})(\\.0+)?",
            ),
        ] {
            let (least, most) = digits.range();
            assert_eq!((least.as_str(), most.as_str()), range);
            assert_eq!(digits.pattern(), pattern);
        }
        let packed = Kind::Packed(Packed {
            digits: 31,
            scale: 0,
            signed: false,
            sign_nibble: true,
        });
        assert_eq!(Digits::of(&packed).unwrap().range().1, "9".repeat(31));
    }

    #[test]
    fn binary_numbers_of_full_range_end_where_their_bytes_do() {
        let binary = |len, signed| {
            let kind = Kind::Binary(Binary {
                len,
                digits: 4,
                scale: 0,
                signed,
                native: true,
                full_range: true,
            });
            Digits::of(&kind).unwrap()
        };
        assert_eq!(binary(2, true).range(), ("-32768".into(), "32767".into()));
        assert_eq!(
            binary(2, false).pattern(),
            "[+]?0*([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]{1}|6553[0-4]|65535)(\\.0+)?"
        );
        assert_eq!(up_to("10"), "([0-9]{1,1}|10)");
        assert_eq!(up_to("7"), "([0-6]|7)");
        assert_eq!(binary(8, false).range().1, u64::MAX.to_string());
    }
}
