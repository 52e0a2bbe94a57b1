//! Character fields of a record as contents of JSON strings.
//!
//! The fast path copies or translates a run of plain characters and checks it afterwards;
//! everything else (escapes, control characters, characters of several UTF-8 bytes) goes through
//! `slow`.

use super::page::{Page, all_plain};
use crate::shape::{CharVarying, Properties};

/// How character fields look, from the service's properties.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) trim_end: bool,
    pub(super) trim_start: bool,
    pub(super) escape: bool,
}

impl Style {
    pub(super) fn of(properties: &Properties, varying: CharVarying) -> Self {
        let trims = varying == CharVarying::Collapse;
        Self {
            trim_end: trims && properties.trim_output_trailing_whitespace,
            trim_start: trims && properties.trim_output_leading_whitespace,
            escape: properties.escape_output_control_characters,
        }
    }
}

/// Appends the characters of a field, without quotes.
#[inline]
pub(super) fn put(out: &mut Vec<u8>, field: &[u8], page: &Page, style: Style, null_ends: bool) {
    let mut bytes = field;
    if null_ends {
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        bytes = &bytes[..end];
    }
    if style.trim_end {
        bytes = &bytes[..trimmed_len(bytes, page.cp.space)];
    }
    if style.trim_start {
        let start = bytes
            .iter()
            .position(|b| *b != page.cp.space)
            .unwrap_or(bytes.len());
        bytes = &bytes[start..];
    }
    put_run(out, bytes, page, style);
}

/// Appends a run already trimmed at its byte ends.
#[inline]
pub(super) fn put_run(out: &mut Vec<u8>, bytes: &[u8], page: &Page, style: Style) {
    let start = out.len();
    let good = if page.identity {
        out.extend_from_slice(bytes);
        all_plain(bytes)
    } else {
        out.extend(bytes.iter().map(|b| page.plain[usize::from(*b)]));
        out[start..].iter().fold(0, |all, b| all | b) < 0x80
    };
    if !good {
        out.truncate(start);
        slow(out, bytes, page, style);
    }
}

/// Length without blanks and low values at the end.
#[inline]
pub(super) fn trimmed_len(bytes: &[u8], space: u8) -> usize {
    let mut len = bytes.len();
    match bytes.last() {
        Some(last) if *last == space || *last == 0 => {}
        _ => return len,
    }
    let blanks = [space; 8];
    while len >= 8 && bytes[len - 8..len] == blanks {
        len -= 8;
    }
    while len > 0 && (bytes[len - 1] == space || bytes[len - 1] == 0) {
        len -= 1;
    }
    len
}

#[cold]
fn slow(out: &mut Vec<u8>, bytes: &[u8], page: &Page, style: Style) {
    let start = out.len();
    for byte in bytes {
        let c = page.cp.to_char[usize::from(*byte)];
        if c == ' ' && style.trim_start && out.len() == start {
            continue;
        }
        put_char(out, c, style.escape);
    }
    // Characters that vanished may have been the last ones.
    while style.trim_end && out.len() > start && out.last() == Some(&b' ') {
        out.pop();
    }
}

/// Appends one character, escaped if JSON asks for it. Control characters other than tabulator,
/// line ends and NEL vanish unless they are to be escaped, as z/OS Connect does.
pub(super) fn put_char(out: &mut Vec<u8>, c: char, escape: bool) {
    match c {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\t' => out.extend_from_slice(b"\\t"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\u{85}' => put_utf8(out, c),
        c if c.is_control() => {
            if escape {
                put_escape(out, c as u32);
            }
        }
        c => put_utf8(out, c),
    }
}

fn put_utf8(out: &mut Vec<u8>, c: char) {
    let mut buffer = [0; 4];
    out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
}

fn put_escape(out: &mut Vec<u8>, code: u32) {
    out.extend_from_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        out.push(HEX[(code >> shift & 15) as usize]);
    }
}

/// Upper case hexadecimal digits.
pub(super) const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Appends UTF-16 big-endian characters; a lone surrogate becomes U+FFFD.
pub(super) fn put_utf16(out: &mut Vec<u8>, bytes: &[u8], style: Style) {
    let start = out.len();
    let units = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    for c in char::decode_utf16(units) {
        let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
        if c == ' ' && style.trim_start && out.len() == start {
            continue;
        }
        put_char(out, c, style.escape);
    }
    while style.trim_end && out.len() > start && out.last() == Some(&b' ') {
        out.pop();
    }
}

/// Appends two hexadecimal digits per byte.
pub(super) fn put_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    for byte in bytes {
        out.extend_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends base 64 with padding.
pub(super) fn put_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    for chunk in bytes.chunks(3) {
        let mut word = [0; 3];
        word[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, word[0], word[1], word[2]]);
        for i in 0..4 {
            let digit = BASE64[(bits >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { digit } else { b'=' });
        }
    }
}
