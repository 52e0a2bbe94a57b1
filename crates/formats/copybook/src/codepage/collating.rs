//! The order of characters on z/OS, for bytes of ISO 8859-1.
//!
//! What: the weight of each byte in code page 037, and the byte of each weight. Why: programs,
//! keys and SORT compare what the EBCDIC bytes would compare. One exchange against the code page:
//! X'FF' is HIGH-VALUES here as there, so it is the highest, and X'9F' (a control character that
//! nobody writes) takes the place of the letter X'FF' would be. X'00' is the lowest in both. Not
//! here: conversion of characters, which follows the code page alone.

use super::tables::IBM037;

/// An order of all bytes; both directions are permutations.
#[derive(Debug)]
pub struct Collating {
    /// Weight of each byte.
    pub weight: [u8; 256],
    /// Byte of each weight: all bytes in ascending order.
    pub ascending: [u8; 256],
}

/// The order of code page 037.
pub static EBCDIC037: Collating = Collating::of(&IBM037);

/// HIGH-VALUES.
const HIGH: u8 = 0xFF;

impl Collating {
    const fn of(page: &[u8; 256]) -> Self {
        let mut ascending = *page;
        let mut at = 0;
        let mut place = 0;
        while at < 256 {
            if page[at] == HIGH {
                place = at;
            }
            at += 1;
        }
        ascending[place] = page[255];
        ascending[255] = HIGH;
        let mut weight = [0; 256];
        at = 0;
        while at < 256 {
            weight[ascending[at] as usize] = at as u8;
            at += 1;
        }
        Self { weight, ascending }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From IBM's chart of code page 037, not from our table.
    #[test]
    fn the_order_is_that_of_the_code_page() {
        let order = "\0 ¢.<(+|&!$*);¬-/¦,%_>?`:#@'=\"abcdefghijklmnopqr~stuvwxyz^[]\
                     {ABCDEFGHI}JKLMNOPQR\\STUVWXYZ0123456789\u{ff}";
        let weights = order.chars().map(|c| EBCDIC037.weight[c as usize]);
        assert!(weights.collect::<Vec<_>>().is_sorted_by(|a, b| a < b));
        assert_eq!(EBCDIC037.weight[usize::from(b'A')], 0xC1);
        assert_eq!(EBCDIC037.weight[usize::from(b' ')], 0x40);
        assert_eq!((EBCDIC037.weight[0], EBCDIC037.weight[0xFF]), (0, 0xFF));
    }

    #[test]
    fn nothing_is_lost_both_ways() {
        for byte in 0..=255u8 {
            let weight = EBCDIC037.weight[usize::from(byte)];
            assert_eq!(EBCDIC037.ascending[usize::from(weight)], byte);
        }
    }
}
