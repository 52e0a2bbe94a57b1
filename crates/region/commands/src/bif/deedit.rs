//! EXEC CICS BIF DEEDIT: digits of an edited number, in place.
//!
//! Everything but digits goes, the digits move to the right, zeros fill the left. A field that ends
//! in a minus sign or CR becomes negative: its last digit carries the sign as the COBOL run time
//! writes it. A last byte that is a zoned digit on the mainframe (a letter, say) stays.
//! Condition: LENGERR 1 (LENGTH below 1).

use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn deedit(cx: &mut Cx<'_>) -> Done {
    let field = cx.call.bytes(opt::FIELD).map_or(0, <[u8]>::len);
    let length = match cx.number(opt::LENGTH) {
        Some(length) => length,
        None => field as i64,
    };
    let Some(length) = usize::try_from(length).ok().filter(|length| *length > 0) else {
        return raise(Resp::LENGERR, 1);
    };
    if let Some(field) = cx.call.bytes_mut(opt::FIELD) {
        let length = length.min(field.len());
        edit(&mut field[..length]);
    }
    NORMAL
}

/// Digits 0 to 9 with a negative zone, as ASCII shows them.
const NEGATIVE: &[u8; 10] = b"}JKLMNOPQR";
/// What ASCII shows for EBCDIC digits with the zones A, C, D and E; zone F is the plain digits.
const ZONED: &[u8] = b"~stuvwxyz{ABCDEFGHI}JKLMNOPQR\\STUVWXYZ";

/// A field of one byte stays as it is.
fn edit(field: &mut [u8]) {
    let Some((last, rest)) = field.split_last().filter(|(_, rest)| !rest.is_empty()) else {
        return;
    };
    let negative = *last == b'-' || (*last == b'R' && rest.last() == Some(&b'C'));
    // In CR the R is text, not the digit 9.
    let zoned = !negative && ZONED.contains(last);
    let mut digits: Vec<u8> = rest.iter().copied().filter(u8::is_ascii_digit).collect();
    if zoned || last.is_ascii_digit() {
        digits.push(*last);
    }
    let start = field.len() - digits.len();
    field[..start].fill(b'0');
    field[start..].copy_from_slice(&digits);
    if negative && let Some(last) = field.last_mut() {
        *last = NEGATIVE[usize::from(last.wrapping_sub(b'0')) % 10];
    }
}

#[cfg(test)]
mod tests {
    fn check(input: &str, expect: &str) {
        let mut field = input.as_bytes().to_vec();
        super::edit(&mut field);
        assert_eq!(String::from_utf8(field).unwrap(), expect, "from {input:?}");
    }

    #[test]
    fn examples() {
        check("14-6704/B", "00146704B");
        check("$25.68   ", "000002568");
        check("  1,234.50-", "0000012345}");
        check("12.34CR", "000123M");
        check("7", "7");
        check("?", "?");
        check("abc", "000");
        check("1 X", "01X");
        check("12J", "12J");
        check("   ", "000");
    }
}
