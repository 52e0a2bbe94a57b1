//! Zoned items as a program on z/OS reads them.
//!
//! Such a program takes the right half of each byte (ZONEDATA(MIG)), so a blank or low value in the
//! place of a digit is 0. A byte that carries a sign must carry one: that of a signed item never is
//! a blank or low value. Other characters are no digits. Conversion has this rule only here.

use crate::shape::Sign;

/// How zoned digits are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Zones {
    pub(super) sign: Sign,
    pub(super) zero: u8,
    pub(super) space: u8,
    pub(super) plus: u8,
    pub(super) minus: u8,
    pub(super) ebcdic: bool,
}

impl Zones {
    /// Whether it is negative, and the digits; `None` if the bytes are no number.
    pub(super) fn read(&self, bytes: &[u8]) -> Option<(bool, u128)> {
        let (first, last) = (*bytes.first()?, *bytes.last()?);
        let inner = bytes.len() - 1;
        let separate = |byte| separate(byte, self.plus, self.minus);
        Some(match self.sign {
            Sign::None => {
                let digit = match overpunched(last, self.ebcdic) {
                    Some((_, digit)) => digit,
                    None => self.with_blanks(&[last])?,
                };
                (false, self.digits(&bytes[..inner])? * 10 + digit)
            }
            Sign::Trailing => {
                let (negative, digit) = overpunched(last, self.ebcdic)?;
                (negative, self.digits(&bytes[..inner])? * 10 + digit)
            }
            Sign::Leading => {
                let (negative, digit) = overpunched(first, self.ebcdic)?;
                let high = digit * 10u128.pow(inner.min(38) as u32);
                (negative, high + self.digits(&bytes[1..])?)
            }
            Sign::TrailingSeparate => (separate(last)?, self.digits(&bytes[..inner])?),
            Sign::LeadingSeparate => (separate(first)?, self.digits(&bytes[1..])?),
        })
    }

    #[inline]
    fn digits(&self, bytes: &[u8]) -> Option<u128> {
        read_digits(bytes, self.zero).or_else(|| self.with_blanks(bytes))
    }

    /// Digits among which are blanks or low values.
    #[cold]
    fn with_blanks(&self, bytes: &[u8]) -> Option<u128> {
        bytes.iter().try_fold(0u128, |sum, byte| {
            let digit = match byte.wrapping_sub(self.zero) {
                digit @ 0..=9 => digit,
                _ if *byte == self.space || *byte == 0 => 0,
                _ => return None,
            };
            Some(sum.wrapping_mul(10).wrapping_add(u128::from(digit)))
        })
    }
}

fn separate(byte: u8, plus: u8, minus: u8) -> Option<bool> {
    match byte {
        b if b == minus => Some(true),
        b if b == plus => Some(false),
        _ => None,
    }
}

/// Digits without sign.
#[inline]
fn read_digits(bytes: &[u8], zero: u8) -> Option<u128> {
    let mut bad = false;
    let (front, back) = bytes.split_at(bytes.len().saturating_sub(18));
    let low = back.iter().fold(0u64, |sum, b| {
        let digit = b.wrapping_sub(zero);
        bad |= digit > 9;
        sum.wrapping_mul(10).wrapping_add(u64::from(digit))
    });
    let high = front.iter().fold(0u128, |sum, b| {
        let digit = b.wrapping_sub(zero);
        bad |= digit > 9;
        sum.wrapping_mul(10).wrapping_add(u128::from(digit))
    });
    if bad {
        return None;
    }
    Some(if front.is_empty() {
        u128::from(low)
    } else {
        high * 1_000_000_000_000_000_000 + u128::from(low)
    })
}

/// Sign and digit of a byte that carries both. EBCDIC: the zone is the sign. ASCII: what these
/// bytes become through a code page conversion (`{ A-I`, `} J-R`), and the `p-y` that GnuCOBOL
/// writes without -fsign=EBCDIC.
#[inline]
fn overpunched(byte: u8, ebcdic: bool) -> Option<(bool, u128)> {
    let (negative, digit) = if ebcdic {
        match byte >> 4 {
            0xF | 0xC | 0xA | 0xE => (false, byte & 15),
            0xD | 0xB => (true, byte & 15),
            _ => return None,
        }
    } else {
        match byte {
            b'0'..=b'9' => (false, byte - b'0'),
            b'{' => (false, 0),
            b'A'..=b'I' => (false, byte - b'A' + 1),
            b'}' => (true, 0),
            b'J'..=b'R' => (true, byte - b'J' + 1),
            b'p'..=b'y' => (true, byte - b'p'),
            _ => return None,
        }
    };
    (digit <= 9).then_some((negative, u128::from(digit)))
}
