//! The order of characters.
//!
//! Why: Db2 takes strings of different lengths for equal when only blanks make the difference, and
//! the order may be that of code page 037. Not here: files, which have theirs
//! (`region/datasets`).

use rusqlite::{Connection, Result};
use std::cmp::Ordering;
use transom_copybook::codepage::CP037;

/// The collation rewritten statements name.
const NAME: &str = "DB2";

pub(super) fn register(connection: &Connection, is_ebcdic: bool) -> Result<()> {
    match is_ebcdic {
        true => connection.create_collation(NAME, |a, b| compare(a, b, ebcdic)),
        false => connection.create_collation(NAME, |a, b| compare(a, b, |c| c)),
    }
}

/// With blanks behind the shorter one.
fn compare(a: &str, b: &str, weight: fn(u8) -> u8) -> Ordering {
    let byte = |c: char| weight(u8::try_from(u32::from(c)).unwrap_or(b'?'));
    let (mut a, mut b) = (a.chars(), b.chars());
    loop {
        let (left, right) = (a.next(), b.next());
        if left.is_none() && right.is_none() {
            return Ordering::Equal;
        }
        let order = byte(left.unwrap_or(' ')).cmp(&byte(right.unwrap_or(' ')));
        if order.is_ne() {
            return order;
        }
    }
}

/// The place of a character of ISO 8859-1 in code page 037.
fn ebcdic(latin: u8) -> u8 {
    CP037.from_latin1[usize::from(latin)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_at_the_end_do_not_count_and_letters_stand_before_digits_in_037() {
        let ascii = |a, b| compare(a, b, |c| c);
        let ebcdic = |a, b| compare(a, b, ebcdic);
        assert_eq!(ascii("AB", "AB   "), Ordering::Equal);
        assert_eq!(ascii("AB", "AB\0"), Ordering::Greater);
        assert_eq!(ascii("A", "1"), Ordering::Greater);
        assert_eq!(ebcdic("A", "1"), Ordering::Less);
        assert_eq!(ebcdic("a", "A"), Ordering::Less);
        assert_eq!(ebcdic("AB", "AB   "), Ordering::Equal);
    }
}
