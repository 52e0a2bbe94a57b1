//! Condition tokens: CEEDCOD, CEENCOD, CEEMGET, CEEMSG, CEEMOUT, and the texts of conditions.
//!
//! Layout of a token: condition id (severity and message number), two bits of case, three of
//! severity, three of control, facility, four bytes of its own. Texts are ours: programs show
//! them and compare numbers. Not here: raising conditions.

use super::arguments::{Arguments, Condition, FACILITY};
use super::enclave::Task;

/// Bytes of a message area.
const AREA: usize = 80;
/// Destination of messages: the message file, here the region's log.
const MESSAGE_FILE: i32 = 2;

const BAD_DESTINATION: Condition = Condition::severe(451);
const BAD_CASE: Condition = Condition::severe(401);
const BAD_CONTROL: Condition = Condition::severe(402);
const BAD_SEVERITY: Condition = Condition::severe(403);

/// CEEDCOD: a token in its parts.
pub(super) fn ceedcod(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let token: [u8; 12] = of.bytes(0);
    of.store(1, &token[..2]);
    of.store(2, &token[2..4]);
    for (n, part) in [token[4] >> 6, token[4] >> 3 & 7, token[4] & 7]
        .into_iter()
        .enumerate()
    {
        of.store(3 + n, &u16::from(part).to_be_bytes());
    }
    let facility: Vec<u8> = token[5..8].iter().map(|b| latin1(*b)).collect();
    of.store(6, &facility);
    of.store(7, &token[8..]);
    Ok(())
}

/// CEENCOD: parts to a token.
pub(super) fn ceencod(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let part = |n: usize| i16::from_be_bytes(of.bytes(n));
    let (case, severity, control) = (part(2), part(3), part(4));
    if !(1..=2).contains(&case) {
        return Err(BAD_CASE);
    }
    if !(0..=4).contains(&severity) {
        return Err(BAD_SEVERITY);
    }
    if !(0..=1).contains(&control) {
        return Err(BAD_CONTROL);
    }
    let mut token = [0; 12];
    token[..2].copy_from_slice(&of.bytes::<2>(0));
    token[2..4].copy_from_slice(&of.bytes::<2>(1));
    token[4] = (case << 6 | severity << 3 | control) as u8;
    for (to, from) in token[5..8].iter_mut().zip(of.bytes::<3>(5)) {
        *to = ebcdic(from);
    }
    token[8..].copy_from_slice(&of.bytes::<4>(6));
    of.store(7, &token);
    Ok(())
}

/// CEEMGET: the text of a token's message.
pub(super) fn ceemget(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let mut area = [b' '; AREA];
    for (to, from) in area.iter_mut().zip(message(&of.bytes(0)).bytes()) {
        *to = from;
    }
    of.store(1, &area);
    // All texts fit, so nothing is left for another call.
    of.store_number(2, 0);
    Ok(())
}

/// CEEMSG: the text of a token's message goes to the log.
pub(super) fn ceemsg(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let token = of.bytes(0);
    said(
        task,
        i32::from_be_bytes(of.bytes(1)),
        message(&token).as_bytes(),
    )
}

/// CEEMOUT: a text goes to the log.
pub(super) fn ceemout(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    said(task, i32::from_be_bytes(of.bytes(1)), &of.text(0))
}

fn said(task: &mut Task<'_>, destination: i32, text: &[u8]) -> Result<(), Condition> {
    if destination != MESSAGE_FILE {
        return Err(BAD_DESTINATION);
    }
    task.process.message(text);
    Ok(())
}

/// `CEE2517S` and what it means.
fn message(token: &[u8; 12]) -> String {
    let number = u16::from_be_bytes([token[2], token[3]]);
    let letter = char::from(b"IWESC"[usize::from(token[4] >> 3 & 7).min(4)]);
    let facility: String = token[5..8].iter().map(|b| char::from(latin1(*b))).collect();
    if token[..8] == [0; 8] {
        return "CEE0000I The service did what it should.".to_owned();
    }
    let text = TEXTS.iter().find(|(known, _)| *known == number);
    let text = text.filter(|_| token[5..8] == FACILITY);
    let text = text.map_or("There is no text of this condition here.", |(_, text)| text);
    format!("{facility}{number:04}{letter} {text}")
}

#[rustfmt::skip]
const TEXTS: &[(u16, &str)] = &[
    (401, "The case of a condition token is neither 1 nor 2."),
    (402, "The control code of a condition token is neither 0 nor 1."),
    (403, "The severity of a condition token is not 0 to 4."),
    (451, "The destination of a message is not 2."),
    (803, "There is no such heap."),
    (804, "A heap of this initial size cannot be made."),
    (805, "A heap with this increment cannot be made."),
    (806, "There are no such options of a heap."),
    (808, "The size of storage is not positive."),
    (810, "The storage is not in use."),
    (812, "The initial heap cannot be discarded."),
    (813, "There is not enough storage."),
    (2505, "The seconds lie outside of the calendar."),
    (2507, "The picture says too little for a date."),
    (2508, "There is no such day or year."),
    (2510, "There is no such hour."),
    (2511, "There is no such day in this month."),
    (2512, "The Lilian day lies outside of the calendar."),
    (2513, "The date lies outside of the calendar."),
    (2514, "The year lies outside of the calendar."),
    (2515, "There are no such milliseconds."),
    (2516, "There is no such minute."),
    (2517, "There is no such month."),
    (2518, "The picture string is none."),
    (2519, "There is no such second."),
    (2520, "There is no digit where the picture wants one."),
    (2524, "The seed is not one of 0 to 2147483646."),
    (2533, "The century window begins 0 to 100 years before this year."),
    (2534, "The name of a month or week day is longer than the picture."),
];

/// Facilities are letters and digits in EBCDIC, also in programs that are ASCII.
fn latin1(byte: u8) -> u8 {
    match byte {
        0xC1..=0xC9 => b'A' + (byte - 0xC1),
        0xD1..=0xD9 => b'J' + (byte - 0xD1),
        0xE2..=0xE9 => b'S' + (byte - 0xE2),
        0xF0..=0xF9 => b'0' + (byte - 0xF0),
        0x40 => b' ',
        _ => byte,
    }
}

fn ebcdic(byte: u8) -> u8 {
    (0x40..=0xF9)
        .find(|b| latin1(*b) == byte && latin1(*b) != *b)
        .unwrap_or(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facilities_go_both_ways() {
        let back: Vec<u8> = b"CEEIGZ09".iter().map(|b| latin1(ebcdic(*b))).collect();
        assert_eq!(back, b"CEEIGZ09");
        assert_eq!(ebcdic(b'C'), 0xC3);
    }

    #[test]
    fn messages_have_number_severity_and_text() {
        let token = [0, 3, 0x09, 0xD5, 0x59, 0xC3, 0xC5, 0xC5, 0, 0, 0, 0];
        assert_eq!(message(&token), "CEE2517S There is no such month.");
        assert!(message(&[0; 12]).starts_with("CEE0000I"));
        let long = TEXTS.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
        assert!(long + 9 <= AREA);
    }
}
