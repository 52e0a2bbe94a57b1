//! What PRINT and LISTCAT show.

use crate::script::PrintFormat;
use std::fmt::Write as _;

/// Bytes on one line of PRINT in characters.
const CHARACTER_LINE: usize = 120;
/// Bytes on one line of PRINT HEX.
const HEX_LINE: usize = 60;
/// Bytes on one line of PRINT DUMP.
const DUMP_LINE: usize = 32;

/// A record as PRINT shows it; `heading` says which one: `KEY OF RECORD - 0001`.
pub fn record(heading: &str, record: &[u8], format: PrintFormat) -> String {
    let mut out = format!("{heading}\n");
    match format {
        PrintFormat::Character => lines(&mut out, record, CHARACTER_LINE, |out, _, bytes| {
            out.push_str(&text(bytes))
        }),
        PrintFormat::Hex => lines(&mut out, record, HEX_LINE, |out, _, bytes| {
            hex(out, bytes, 0)
        }),
        PrintFormat::Dump => lines(&mut out, record, DUMP_LINE, |out, at, bytes| {
            let _ = write!(out, "{at:06X}  ");
            hex(out, bytes, 4);
            let written = bytes.len() * 2 + bytes.len().saturating_sub(1) / 4;
            let width = DUMP_LINE * 2 + DUMP_LINE / 4;
            let _ = write!(
                out,
                "{:1$}*{2}*",
                "",
                width.saturating_sub(written),
                text(bytes)
            );
        }),
    }
    out
}

fn lines(out: &mut String, record: &[u8], width: usize, show: impl Fn(&mut String, usize, &[u8])) {
    for (index, bytes) in record.chunks(width).enumerate() {
        show(out, index * width, bytes);
        out.push('\n');
    }
}

/// Characters of ISO 8859-1; what cannot be shown is a dot.
pub fn text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|b| match b {
            0x20..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF => char::from(*b),
            _ => '.',
        })
        .collect()
}

/// `group`: bytes between blanks; 0 for none.
fn hex(out: &mut String, bytes: &[u8], group: usize) {
    for (i, byte) in bytes.iter().enumerate() {
        if group > 0 && i > 0 && i % group == 0 {
            out.push(' ');
        }
        let _ = write!(out, "{byte:02X}");
    }
}

/// A key in a heading: characters where all of it can be shown, else hexadecimal.
pub fn key(bytes: &[u8]) -> String {
    if bytes.iter().all(|b| (0x20..0x7F).contains(b)) {
        return text(bytes);
    }
    let mut out = String::from("X'");
    hex(&mut out, bytes, 0);
    out.push('\'');
    out
}

/// One entry of LISTCAT: `CLUSTER ------- NAME`, then attribute lines of four columns.
pub fn entry(kind: &str, name: &str, groups: &[(&str, Vec<(String, String)>)]) -> String {
    let mut out = format!(
        "{kind} {:-<1$} {name}\n",
        "",
        15usize.saturating_sub(kind.len())
    );
    for (title, attributes) in groups {
        if attributes.is_empty() {
            continue;
        }
        let _ = writeln!(out, "     {title}");
        for row in attributes.chunks(4) {
            let row: Vec<String> = row
                .iter()
                .map(|(name, value)| attribute(name, value))
                .collect();
            let _ = writeln!(out, "       {}", row.join("     ").trim_end());
        }
    }
    out
}

/// `KEYLEN----------------11`, 24 columns; a word alone where there is no value.
fn attribute(name: &str, value: &str) -> String {
    if value.is_empty() {
        return format!("{name:<24}");
    }
    let dashes = 24usize.saturating_sub(name.len() + value.len()).max(2);
    format!("{name}{:-<dashes$}{value}", "")
}
