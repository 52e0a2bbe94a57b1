//! NUMERIC as the server sends it: groups of four digits.

use crate::decimal::Decimal;

const NEGATIVE: u16 = 0x4000;

/// `None`: it is no number (NaN, infinite), or has more than 38 digits.
pub(super) fn read(raw: &[u8]) -> Option<Decimal> {
    let mut words = raw
        .chunks_exact(2)
        .map(|two| u16::from_be_bytes([two[0], two[1]]));
    let (count, weight) = (words.next()?, words.next()?.cast_signed());
    let (sign, scale) = (words.next()?, words.next()?);
    if sign != 0 && sign != NEGATIVE {
        return None;
    }
    let mut digits = 0_i128;
    let mut read = 0;
    for group in words.take(count.into()) {
        digits = digits.checked_mul(10_000)?.checked_add(group.into())?;
        read += 1;
    }
    if read != count {
        return None;
    }
    // The last group counts units of ten to this power.
    let power = (i32::from(weight) - i32::from(count) + 1) * 4;
    let scale = u8::try_from(scale).ok()?;
    let shift = power + i32::from(scale);
    let digits = match u32::try_from(shift) {
        Ok(up) => digits.checked_mul(10_i128.checked_pow(up)?)?,
        Err(_) => digits / 10_i128.checked_pow(shift.unsigned_abs())?,
    };
    let signed = if sign == NEGATIVE { -digits } else { digits };
    Some(Decimal::new(signed, scale))
}

/// The number in groups of four digits.
pub(super) fn bytes(value: Decimal) -> Vec<u8> {
    let mut digits = value.digits.unsigned_abs();
    // Groups begin at the point.
    let behind = u16::from(value.scale).div_ceil(4);
    let missing = u32::from(behind * 4 - u16::from(value.scale));
    let mut groups = Vec::new();
    let mut first = true;
    while digits > 0 || (first && missing > 0) {
        // The last digits are filled up to a group.
        let (take, fill) = match std::mem::take(&mut first) {
            true => (10_u128.pow(4 - missing), 10_u128.pow(missing)),
            false => (10_000, 1),
        };
        groups.push(u16::try_from(digits % take * fill).unwrap_or(0));
        digits /= take;
    }
    let count = u16::try_from(groups.len()).unwrap_or(0);
    let weight = count.wrapping_sub(behind).wrapping_sub(1);
    let sign = if value.digits < 0 { NEGATIVE } else { 0 };
    let head = [count, weight, sign, value.scale.into()];
    let words = head.into_iter().chain(groups.into_iter().rev());
    words.flat_map(u16::to_be_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &[u16]) -> Option<String> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        read(&bytes).map(Decimal::text)
    }

    #[test]
    fn digits_become_groups() {
        for (digits, scale) in [
            (0, 0),
            (0, 2),
            (7, 0),
            (70_000, 0),
            (-5, 2),
            (1_234, 2),
            (1, 20),
            (12_345, 5),
            (-1_234_567_890_123_456_789_012_345_678_901, 10),
        ] {
            let value = Decimal::new(digits, scale);
            let back = read(&bytes(value)).unwrap();
            assert_eq!((back.digits, back.scale), (digits, scale));
        }
    }

    #[test]
    fn groups_become_digits() {
        let minus = |n: i16| n.cast_unsigned();
        assert_eq!(text(&[0, 0, 0, 2]).as_deref(), Some("0.00"));
        assert_eq!(text(&[2, 0, 0, 2, 12, 3400]).as_deref(), Some("12.34"));
        assert_eq!(
            text(&[1, minus(-1), NEGATIVE, 2, 500]).as_deref(),
            Some("-0.05")
        );
        assert_eq!(text(&[1, 1, 0, 0, 7]).as_deref(), Some("70000"));
        assert_eq!(
            text(&[1, minus(-5), 0, 20, 1]).as_deref(),
            Some("0.00000000000000000001")
        );
        assert_eq!(text(&[0, 0, 0xC000, 0]), None);
        assert_eq!(text(&[2, 0, 0, 2, 12]), None);
    }
}
