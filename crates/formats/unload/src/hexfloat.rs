//! Hexadecimal floating point of System/390, FLOAT(S390), from and to a double.
//!
//! A long number has up to 56 bits, more than a double: what is more is rounded. Each double that
//! is neither too large nor too small is a long number as it is.

/// Exponent of a number without a point: the fraction is so many bits.
const BITS: i32 = 56;

/// A short or long number (4 or 8 bytes).
pub(crate) fn read(bytes: &[u8]) -> f64 {
    let Some((first, fraction)) = bytes.split_first() else {
        return 0.0;
    };
    let bits = 8 * fraction.len() as i32;
    let number = fraction
        .iter()
        .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    let power = 4 * (i32::from(first & 0x7F) - 64) - bits;
    let value = number as f64 * f64::from(power).exp2();
    if first & 0x80 == 0 { value } else { -value }
}

/// In `length` bytes, 4 or 8; `None`: it is too large, too small, or no number.
pub(crate) fn write(value: f64, length: usize) -> Option<Vec<u8>> {
    if value == 0.0 {
        return Some(vec![0; length]);
    }
    if !value.is_normal() {
        return None;
    }
    let bits = value.to_bits();
    let mantissa = bits & 0xF_FFFF_FFFF_FFFF | 0x10_0000_0000_0000;
    let power = ((bits >> 52) & 0x7FF) as i32 - 1075;
    // The power of two becomes one of sixteen; the fraction takes the rest.
    let shift = power.rem_euclid(4);
    let mut fraction = mantissa << shift;
    let mut exponent = (power - shift + BITS) / 4;
    if length == 4 {
        fraction = (fraction + (1 << 31)) >> 32;
        if fraction >> 24 != 0 {
            (fraction, exponent) = (fraction >> 4, exponent + 1);
        }
    }
    let exponent = u8::try_from(exponent + 64).ok().filter(|e| *e < 128)?;
    let sign = if value < 0.0 { 0x80 } else { 0 };
    let mut out = vec![exponent | sign];
    out.extend(&fraction.to_be_bytes()[9 - length..]);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_principles_of_operation() {
        // 1.0, 0.5, 1/64 and -15 as the table of IBM's Principles of Operation has them.
        for (value, bytes) in [
            (1.0, [0x41, 0x10, 0, 0, 0, 0, 0, 0]),
            (0.5, [0x40, 0x80, 0, 0, 0, 0, 0, 0]),
            (1.0 / 64.0, [0x3F, 0x40, 0, 0, 0, 0, 0, 0]),
            (-15.0, [0xC1, 0xF0, 0, 0, 0, 0, 0, 0]),
            (0.0, [0; 8]),
        ] {
            assert_eq!(write(value, 8).unwrap(), bytes);
            assert_eq!(write(value, 4).unwrap(), bytes[..4]);
            assert_eq!((read(&bytes), read(&bytes[..4])), (value, value));
        }
        for value in [0.1, -1e70, 123_456.789, 5e-70, 2.5] {
            assert_eq!(read(&write(value, 8).unwrap()), value);
        }
        assert_eq!((write(1e76, 8), write(1e-80, 8)), (None, None));
        assert_eq!(write(f64::NAN, 8), None);
    }
}
