//! A value of JSON as an item takes it, or why it does not.
//!
//! Not here: finding the item (`walk`), digits of numbers (`number`).

use super::codes::{INCOMPATIBLE, SIZE_ERROR, SUBSTITUTE, SUBSTITUTED, TRUNCATED};
use super::number::Number;
use super::scan::Scan;
use super::target::Receiver;

#[derive(Debug)]
pub(super) enum Value {
    Text(Vec<u8>),
    Number(Number),
}

/// A value, and what JSON-STATUS says of it; or JSON-CODE.
pub(super) type Taken = Result<(Value, i32), i32>;

/// A string.
pub(super) fn string(receiver: Receiver, text: &str) -> Taken {
    if let Receiver::Text { .. } = receiver {
        let byte = |c: char| u8::try_from(u32::from(c)).ok();
        let status = match text.chars().any(|c| byte(c).is_none()) {
            true => SUBSTITUTED,
            false => 0,
        };
        let text = text.chars().map(|c| byte(c).unwrap_or(SUBSTITUTE));
        let (value, more) = characters(receiver, text.collect());
        return Ok((value, status | more));
    }
    match !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        true => number(receiver, Number::of_digits(text)),
        false => Err(INCOMPATIBLE),
    }
}

/// A number.
pub(super) fn number(receiver: Receiver, number: Number) -> Taken {
    if let Receiver::Text { alphabetic, .. } = receiver {
        if alphabetic || !number.integer {
            return Err(INCOMPATIBLE);
        }
        let digits = number.characters().as_bytes().to_vec();
        return Ok(characters(receiver, digits));
    }
    let status = match number.is_too_large(&receiver) {
        true => SIZE_ERROR,
        false => 0,
    };
    Ok((Value::Number(number), status))
}

/// As many characters as the item has; blanks that go are no loss.
fn characters(receiver: Receiver, mut text: Vec<u8>) -> (Value, i32) {
    let mut status = 0;
    if let Receiver::Text {
        characters,
        justified,
        ..
    } = receiver
    {
        let room = usize::try_from(characters).unwrap_or(usize::MAX);
        let over = text.len().saturating_sub(room);
        let gone: Vec<u8> = match justified {
            true => text.drain(..over).collect(),
            false => text.drain(text.len() - over..).collect(),
        };
        if gone.iter().any(|b| *b != b' ') {
            status = TRUNCATED;
        }
    }
    (Value::Text(text), status)
}

/// Two values say the same: numbers by what they are, strings by their characters, structures by
/// their text without white space.
pub(super) fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim(), b.trim());
    if let (Some(a), Some(b)) = (Number::read(a), Number::read(b)) {
        return a.equals(&b);
    }
    if a.starts_with('"') && b.starts_with('"') {
        let text = |t: &str| Scan::new(t.to_owned()).string();
        return text(a) == text(b);
    }
    close_up(a) == close_up(b)
}

/// Without the white space between words.
fn close_up(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    for c in text.chars() {
        if quoted || !matches!(c, ' ' | '\t' | '\n' | '\r') {
            out.push(c);
        }
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
    }
    out
}
