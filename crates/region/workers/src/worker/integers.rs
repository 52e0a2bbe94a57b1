//! Integers in binary and packed fields, without libcob.
//!
//! Why: RESP, lengths and times are such fields, and a MOVE by libcob costs more than most
//! commands. What: reading and storing where there is nothing to decide. Not here: decimal places,
//! zoned and floating-point items, numbers that a field has no room for; those are libcob's.

use super::edge::Argument;

/// libcob's field types and flags (common.h of GnuCOBOL 3.1).
const TYPE_BINARY: i32 = 0x11;
const TYPE_PACKED: i32 = 0x12;
const FLAG_SIGN: u32 = 1;
const FLAG_SWAP: u32 = 0x20;
const FLAG_REAL: u32 = 0x40;
const FLAG_POINTER: u32 = 0x80;
const FLAG_NO_SIGN_NIBBLE: u32 = 0x100;

/// Sign nibbles of packed items.
const PLUS: u8 = 0xC;
const MINUS: u8 = 0xD;
const NO_SIGN: u8 = 0xF;

/// The field is one that [`read`] reads.
pub(super) fn is_binary(argument: &Argument) -> bool {
    // Two bytes and more are in the order of this machine only where COMP-5 says so.
    let known_order = argument.flags & (FLAG_SWAP | FLAG_REAL) != 0 || argument.size == 1;
    argument.kind == TYPE_BINARY
        && argument.scale == 0
        && (1..=8).contains(&argument.size)
        && known_order
}

/// The integer of a binary field, whose bytes were reached before.
pub(super) fn read(argument: &Argument, bytes: &[u8]) -> Option<i64> {
    let n = bytes.len().min(8);
    let big = argument.flags & FLAG_SWAP != 0;
    let first = if big { bytes.first() } else { bytes.last() };
    let negative = argument.flags & FLAG_SIGN != 0 && first? & 0x80 != 0;
    let mut wide = [if negative { 0xFF } else { 0 }; 8];
    if big {
        wide[8 - n..].copy_from_slice(&bytes[..n]);
        Some(i64::from_be_bytes(wide))
    } else {
        wide[..n].copy_from_slice(&bytes[..n]);
        Some(i64::from_le_bytes(wide))
    }
}

/// The field may be one that [`store`] fills.
pub(super) fn may_store(argument: &Argument) -> bool {
    let whole = argument.scale == 0 && argument.flags & (FLAG_POINTER | FLAG_NO_SIGN_NIBBLE) == 0;
    whole && (is_binary(argument) || (argument.kind == TYPE_PACKED && argument.size > 0))
}

/// Stores a number; `false`: nothing was stored, it is libcob's.
pub(super) fn store(argument: &Argument, bytes: &mut [u8], value: i64) -> bool {
    let signed = argument.flags & FLAG_SIGN != 0;
    let digits = u32::try_from(argument.digits).unwrap_or(0);
    let most = 10_i64.checked_pow(digits).filter(|_| digits > 0);
    let fits = most.is_some_and(|most| -most < value && value < most);
    if !may_store(argument) || !fits || (value < 0 && !signed) {
        return false;
    }
    if argument.kind == TYPE_PACKED {
        store_packed(argument, bytes, value)
    } else {
        store_binary(argument, bytes, value)
    }
}

fn store_binary(argument: &Argument, bytes: &mut [u8], value: i64) -> bool {
    let n = bytes.len();
    let room = 8 * n as u32 - (argument.flags & FLAG_SIGN);
    if room < 64 && value.unsigned_abs() >> room != 0 {
        return false;
    }
    if argument.flags & FLAG_SWAP != 0 {
        bytes.copy_from_slice(&value.to_be_bytes()[8 - n..]);
    } else {
        bytes.copy_from_slice(&value.to_le_bytes()[..n]);
    }
    true
}

fn store_packed(argument: &Argument, bytes: &mut [u8], value: i64) -> bool {
    let as_long = usize::try_from(argument.digits).is_ok_and(|d| d / 2 + 1 == bytes.len());
    let Some((last, digits)) = bytes.split_last_mut().filter(|_| as_long) else {
        return false;
    };
    let sign = match (argument.flags & FLAG_SIGN != 0, value < 0) {
        (false, _) => NO_SIGN,
        (true, false) => PLUS,
        (true, true) => MINUS,
    };
    let mut rest = value.unsigned_abs();
    let mut next = |count| {
        let part = (rest % count) as u8;
        rest /= count;
        part
    };
    *last = (next(10) << 4) | sign;
    for byte in digits.iter_mut().rev() {
        let two = next(100);
        *byte = ((two / 10) << 4) | (two % 10);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(kind: i32, digits: i32, flags: u32, size: usize) -> Argument {
        Argument {
            data: std::ptr::null_mut(),
            size,
            kind,
            digits,
            scale: 0,
            flags,
            field: std::ptr::null(),
        }
    }

    /// What lies in a field of X'EE's after it was told a number; `None`: left to libcob.
    fn stored(field: &Argument, value: i64) -> Option<Vec<u8>> {
        let mut bytes = vec![0xEE; field.size];
        let done = store(field, &mut bytes, value);
        assert!(done || bytes.iter().all(|b| *b == 0xEE));
        done.then_some(bytes)
    }

    #[test]
    fn packed_fields_hold_digits_and_a_sign() {
        let time = field(TYPE_PACKED, 15, FLAG_SIGN, 8);
        let digits = [0, 0x39, 0x87, 0x65, 0x43, 0x21, 0x09, 0x8C];
        assert_eq!(stored(&time, 3_987_654_321_098), Some(digits.to_vec()));
        let small = field(TYPE_PACKED, 3, FLAG_SIGN, 2);
        assert_eq!(stored(&small, -7), Some(vec![0x00, 0x7D]));
        assert_eq!(stored(&small, 0), Some(vec![0x00, 0x0C]));
        assert_eq!(stored(&small, 999), Some(vec![0x99, 0x9C]));
        assert_eq!(stored(&small, 1000), None);
        let even = field(TYPE_PACKED, 4, 0, 3);
        assert_eq!(stored(&even, 1234), Some(vec![0x01, 0x23, 0x4F]));
        assert_eq!(stored(&even, -1), None);
        let comp_6 = field(TYPE_PACKED, 4, FLAG_NO_SIGN_NIBBLE, 2);
        assert_eq!(stored(&comp_6, 12), None);
    }

    #[test]
    fn binary_fields_come_back_and_take_what_has_room() {
        for (flags, size, digits) in [(FLAG_SWAP, 2, 4), (FLAG_SWAP, 4, 9), (FLAG_REAL, 8, 18)] {
            let field = field(TYPE_BINARY, digits, flags | FLAG_SIGN, size);
            for value in [0, 1, -1, 9_999, -9_999] {
                let bytes = stored(&field, value).unwrap();
                assert_eq!(read(&field, &bytes), Some(value), "{size}");
            }
        }
        let half = field(TYPE_BINARY, 4, FLAG_SWAP | FLAG_SIGN, 2);
        assert_eq!(stored(&half, 4_660), Some(vec![0x12, 0x34]));
        assert_eq!(stored(&half, 10_000), None);
        let byte = field(TYPE_BINARY, 3, FLAG_SIGN | FLAG_REAL, 1);
        assert_eq!(stored(&byte, 127), Some(vec![127]));
        assert_eq!((stored(&byte, 128), stored(&byte, -128)), (None, None));
        let unsigned = field(TYPE_BINARY, 9, FLAG_SWAP, 4);
        assert_eq!(stored(&unsigned, -1), None);
        let pointer = field(TYPE_BINARY, 0, FLAG_POINTER | FLAG_REAL, 8);
        assert_eq!(stored(&pointer, 0), None);
    }
}
