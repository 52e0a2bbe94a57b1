//! What the bytes of a hexadecimal literal can mean.
//!
//! Why: X'40' is a blank on z/OS and `@` here; X'0C' is a byte on both. Not here: what the literal
//! is compared with or moved to (see `operand`).

use crate::token::{Kind, Token};
use transom_copybook::codepage::{CodePage, SUB_ASCII};

/// What the bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bytes {
    /// LOW-VALUES or HIGH-VALUES, which are the same bytes everywhere.
    Ends,
    /// Characters of the EBCDIC code page that are in ASCII too; these bytes here.
    Characters(Vec<u8>),
    /// Something else, and why it is not taken for characters.
    Other(&'static str),
}

/// The bytes of `X'..'`; none for other words and for literals that cobc will refuse.
pub(crate) fn bytes(token: &Token) -> Option<Vec<u8>> {
    if token.kind != Kind::Literal {
        return None;
    }
    let digits = token.text.strip_prefix(['X', 'x'])?;
    let digits = digits
        .strip_prefix(['\'', '"'])?
        .strip_suffix(['\'', '"'])?;
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| {
        let text = std::str::from_utf8(pair).ok().filter(|p| p.len() == 2)?;
        u8::from_str_radix(text, 16).ok()
    };
    pairs
        .map(byte)
        .collect::<Option<Vec<u8>>>()
        .filter(|b| !b.is_empty())
}

/// The bytes that a literal, or a figurative constant, of an item of characters has here.
pub(crate) fn characters(token: &Token) -> Option<Vec<u8>> {
    if let Some(bytes) = bytes(token) {
        return Some(match meaning(&bytes) {
            Bytes::Characters(here) => here,
            _ => bytes,
        });
    }
    let constants: [(&[&str], u8); 3] = [
        (&["SPACE", "SPACES"], b' '),
        (&["LOW-VALUE", "LOW-VALUES"], 0),
        (&["HIGH-VALUE", "HIGH-VALUES"], 0xFF),
    ];
    if let Some((_, byte)) = constants.iter().find(|(words, _)| token.is_any(words)) {
        return Some(vec![*byte]);
    }
    let quote = token.text.chars().next()?;
    if token.kind != Kind::Literal || !matches!(quote, '\'' | '"') {
        return None;
    }
    let text = token.text.strip_prefix(quote)?.strip_suffix(quote)?;
    let text = text.replace(&format!("{quote}{quote}"), &quote.to_string());
    let byte = |c| u8::try_from(u32::from(c)).unwrap_or(b'?');
    Some(text.chars().map(byte).collect())
}

/// What they can mean.
pub(super) fn meaning(bytes: &[u8]) -> Bytes {
    let end = |byte: &u8| matches!(byte, 0x00 | 0xFF);
    if bytes.iter().all(end) {
        return Bytes::Ends;
    }
    if bytes.iter().any(end) {
        return Bytes::Other("X'00' and X'FF' stand beside other bytes in it");
    }
    if bytes.iter().any(|byte| *byte < 0x40) {
        return Bytes::Other("a control character or a number is in it");
    }
    // Signs without a digit and sets of bits are written so more often than braces.
    if matches!(bytes, [0xC0 | 0xD0]) {
        return Bytes::Other("it may be a sign, a set of bits or a brace");
    }
    // Codes of devices, structured fields and flags lie among the small letters.
    let small = |byte: &u8| matches!(byte, 0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9);
    if bytes.len() <= 2 && bytes.iter().all(small) {
        return Bytes::Other("it may be a code or small letters");
    }
    let here: Vec<u8> = bytes.iter().map(|byte| character(*byte)).collect();
    match here.contains(&SUB_ASCII) {
        true => Bytes::Other("it has a byte that may be a flag or a letter with an accent"),
        false => Bytes::Characters(here),
    }
}

/// The literal with other bytes.
pub(super) fn rewritten(token: &Token, bytes: &[u8]) -> Token {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    Token {
        text: format!("X'{digits}'").into(),
        ..token.clone()
    }
}

/// What the bytes are on a screen here; for messages.
pub(super) fn shown(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| match byte {
            0x20..=0x7E | 0xA0..=0xFF => char::from(*byte),
            _ => '.',
        })
        .collect()
}

/// The character here of an EBCDIC byte, if it is in ASCII or one of the signs COBOL programs use.
fn character(byte: u8) -> u8 {
    const SIGNS: [u8; 4] = [0xA2, 0xA3, 0xA6, 0xAC]; // cent, pound, broken bar, not
    let page = CodePage::by_ccsid(37);
    let here = page.map_or(SUB_ASCII, |page| page.to_latin1[usize::from(byte)]);
    match here {
        0x20..=0x7E => here,
        _ if SIGNS.contains(&here) => here,
        _ => SUB_ASCII,
    }
}
