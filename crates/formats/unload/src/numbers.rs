//! Packed, zoned and written numbers.

/// A packed number: its value, or what is wrong with it.
pub(crate) fn packed(bytes: &[u8]) -> Result<i128, &'static str> {
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0x0F]);
    let mut nibbles: Vec<u8> = nibbles.collect();
    let negative = match nibbles.pop() {
        Some(0xB | 0xD) => true,
        Some(0xA..=0xF) => false,
        _ => return Err("its sign is no sign of a packed number"),
    };
    let value = digits(nibbles.into_iter()).ok_or("a digit of it is no digit")?;
    Ok(if negative { -value } else { value })
}

/// A zoned number of EBCDIC.
pub(crate) fn zoned(bytes: &[u8]) -> Result<i128, &'static str> {
    let (last, others) = bytes.split_last().ok_or("it has no digits")?;
    if others.iter().any(|byte| byte >> 4 != 0xF) {
        return Err("a zone in front of its sign is not F");
    }
    let negative = match last >> 4 {
        0xB | 0xD => true,
        0xA..=0xF => false,
        _ => return Err("its sign is no sign of a zoned number"),
    };
    let value = digits(bytes.iter().map(|byte| byte & 0x0F)).ok_or("a digit of it is no digit")?;
    Ok(if negative { -value } else { value })
}

/// At most 31 digits that are not zeros in front.
fn digits(mut digits: impl Iterator<Item = u8>) -> Option<i128> {
    digits.try_fold(0_i128, |sum, digit| {
        let digit = (digit < 10).then_some(i128::from(digit))?;
        sum.checked_mul(10)?.checked_add(digit)
    })
}

/// `-12.50`: its digits and its scale; without a point it has the scale that was said.
pub(crate) fn written(text: &str, scale: u8) -> Option<(i128, u8)> {
    let text = text.trim();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let text = text.trim_start();
    let (whole, part, scale) = match text.split_once(['.', ',']) {
        Some((whole, part)) => (whole, part, u8::try_from(part.len()).ok()?),
        None => (text, "", scale),
    };
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let nibbles = whole.bytes().chain(part.bytes());
    let value = digits(nibbles.map(|byte| byte.wrapping_sub(b'0')))?;
    Some((if negative { -value } else { value }, scale))
}

/// Bytes of a packed number of so many digits; `None`: it has more.
pub(crate) fn pack(value: i128, precision: u8) -> Option<Vec<u8>> {
    let length = usize::from(precision) / 2 + 1;
    let mut out = vec![0; length];
    let mut rest = value.unsigned_abs();
    if 10_u128.checked_pow(precision.into())? <= rest {
        return None;
    }
    out[length - 1] = if value < 0 { 0x0D } else { 0x0C };
    for nibble in (0..2 * length - 1).rev() {
        let digit = u8::try_from(rest % 10).ok()?;
        rest /= 10;
        out[nibble / 2] |= if nibble % 2 == 0 { digit << 4 } else { digit };
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_and_zoned_numbers_are_strict() {
        assert_eq!(pack(-12345, 5).unwrap(), [0x12, 0x34, 0x5D]);
        assert_eq!(pack(1234, 4).unwrap(), [0x01, 0x23, 0x4C]);
        assert_eq!(pack(10_000, 4), None);
        assert_eq!(packed(&[0x12, 0x34, 0x5D]), Ok(-12345));
        assert_eq!(packed(&[0x01, 0x23, 0x4F]), Ok(1234));
        assert!(packed(&[0x01, 0xA3, 0x4C]).is_err());
        assert!(packed(&[0x01, 0x23, 0x45]).is_err());
        assert!(packed(&[]).is_err());
        assert_eq!(zoned(&[0xF1, 0xF2, 0xD3]), Ok(-123));
        assert!(zoned(&[0xC1, 0xF2]).is_err());
        assert_eq!(written(" -12.50", 0), Some((-1250, 2)));
        assert_eq!(written("00125", 2), Some((125, 2)));
        assert_eq!((written("1.2.3", 0), written("", 0)), (None, None));
    }
}
