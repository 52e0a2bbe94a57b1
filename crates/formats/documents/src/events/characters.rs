//! Characters of a document: which there may be, what references stand for.
//!
//! Not here: the words they make (`scan`).

use super::event::{BAD_CHARACTER, NOT_WELL_FORMED};

/// Something is not as XML wants it: XML-CODE.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong(pub(super) i32);

const WRONG: Wrong = Wrong(NOT_WELL_FORMED);

/// A part of a value or of content.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(Vec<u8>),
    /// A reference to a character that the document's characters lack.
    National(char),
    /// An entity that is declared elsewhere.
    Elsewhere,
}

/// How the characters of a document are taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Characters {
    /// UTF-8, else one byte each.
    pub(super) utf8: bool,
    /// DOCTYPE has named something outside, which may define entities.
    pub(super) external: bool,
}

impl Characters {
    /// What a reference stands for.
    pub(super) fn referred(&self, name: &[u8]) -> Result<Piece, Wrong> {
        let byte = match name {
            b"amp" => b'&',
            b"lt" => b'<',
            b"gt" => b'>',
            b"apos" => b'\'',
            b"quot" => b'"',
            [b'#', ..] => return self.character(&name[1..]),
            _ if self.external && self.name_length(name) == name.len() => {
                return Ok(Piece::Elsewhere);
            }
            _ => return Err(WRONG),
        };
        Ok(Piece::Text(vec![byte]))
    }

    fn character(&self, digits: &[u8]) -> Result<Piece, Wrong> {
        let digits = std::str::from_utf8(digits).map_err(|_| WRONG)?;
        let code = match digits.strip_prefix('x') {
            Some(digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
                u32::from_str_radix(digits, 16)
            }
            None if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse(),
            _ => return Err(WRONG),
        };
        let code = code.ok().and_then(char::from_u32).ok_or(WRONG)?;
        let control = code < ' ' && !matches!(code, '\t' | '\n' | '\r');
        if control || matches!(code, '\u{FFFE}' | '\u{FFFF}') {
            return Err(Wrong(BAD_CHARACTER));
        }
        if self.utf8 {
            return Ok(Piece::Text(code.to_string().into_bytes()));
        }
        Ok(match u8::try_from(u32::from(code)) {
            Ok(byte) => Piece::Text(vec![byte]),
            Err(_) => Piece::National(code),
        })
    }

    /// An attribute's value: white space is blanks, references are what they stand for.
    pub(super) fn value(&self, raw: &[u8]) -> Result<Vec<Piece>, Wrong> {
        if raw.contains(&b'<') {
            return Err(WRONG);
        }
        let mut pieces = Vec::new();
        let mut out = Vec::with_capacity(raw.len());
        let mut at = 0;
        while let Some(byte) = raw.get(at) {
            at += 1;
            match byte {
                b'&' => {
                    let (name, behind) = reference(&raw[at - 1..])?;
                    at += behind - 1;
                    match self.referred(name)? {
                        Piece::Text(text) => out.extend(text),
                        Piece::Elsewhere => return Err(WRONG),
                        other => {
                            pieces.extend([Piece::Text(std::mem::take(&mut out)), other]);
                        }
                    }
                }
                b'\r' if raw.get(at) == Some(&b'\n') => {}
                b'\t' | b'\n' | b'\r' => out.push(b' '),
                byte => out.push(*byte),
            }
        }
        pieces.push(Piece::Text(out));
        if pieces.len() > 1 {
            pieces.retain(|piece| *piece != Piece::Text(Vec::new()));
        }
        Ok(pieces)
    }

    /// Characters with line ends as XML has them.
    pub(super) fn lines(&self, raw: &[u8]) -> Result<Vec<u8>, Wrong> {
        self.check(raw)?;
        let mut out = Vec::with_capacity(raw.len());
        for (at, byte) in raw.iter().enumerate() {
            match byte {
                b'\r' if raw.get(at + 1) == Some(&b'\n') => {}
                b'\r' => out.push(b'\n'),
                byte => out.push(*byte),
            }
        }
        Ok(out)
    }

    /// All of them are characters of XML.
    pub(super) fn check(&self, bytes: &[u8]) -> Result<(), Wrong> {
        let text = self.utf8.then(|| std::str::from_utf8(bytes));
        let wrong = match text {
            Some(Ok(text)) => text.contains(['\u{FFFE}', '\u{FFFF}']),
            Some(Err(_)) => true,
            None => false,
        };
        match wrong || bytes.iter().any(|b| is_control(*b)) {
            true => Err(Wrong(BAD_CHARACTER)),
            false => Ok(()),
        }
    }

    /// Bytes of the name these begin with.
    pub(super) fn name_length(&self, bytes: &[u8]) -> usize {
        let letter = |b: u8| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':' => true,
            0x80.. if self.utf8 => true,
            0xC0.. => !matches!(b, 0xD7 | 0xF7),
            _ => false,
        };
        let further = |b: u8| letter(b) || b.is_ascii_digit() || matches!(b, b'-' | b'.' | 0xB7);
        match bytes.first() {
            Some(first) if letter(*first) => bytes.iter().take_while(|b| further(**b)).count(),
            _ => 0,
        }
    }
}

/// The name of a reference, and the bytes of all of it.
pub(super) fn reference(bytes: &[u8]) -> Result<(&[u8], usize), Wrong> {
    let end = bytes.iter().position(|b| *b == b';').ok_or(WRONG)?;
    match bytes.get(1..end) {
        Some(name) if !name.is_empty() => Ok((name, end + 1)),
        _ => Err(WRONG),
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

pub(super) fn is_control(byte: u8) -> bool {
    byte < b' ' && !is_space(byte)
}
