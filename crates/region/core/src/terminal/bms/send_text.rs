//! EXEC CICS SEND TEXT, with and without NOEDIT.
//!
//! Text is broken into lines between words. Each line begins with an attribute byte, which takes its
//! first position. Text longer than a page makes several writes. With NOEDIT, FROM is a data stream
//! as for SEND. Conditions: LENGERR (a length out of range), INVREQ (no terminal; a data stream no
//! terminal can take; INVREQ 200 in a linked program).

use super::super::output::{command, erase, put};
use super::super::send::SEND_BYTES_MAX;
use super::super::{Terminal, own, text};
use super::{controls, page, wcc};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use transom_bms::{Controls, Erase};
use transom_commands::opt;
use transom_datastream::{FieldAttribute, Fill, Outbound};
use transom_types::Resp;

/// SEND TEXT.
pub(crate) fn send_text(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::INVREQ)?;
    let bytes = from(cx)?;
    let erase = erase(cx)?;
    let cursor = cx.number(opt::CURSOR).and_then(|at| u16::try_from(at).ok());
    let how = (erase, controls(cx), cursor);
    if cx.has(opt::ACCUM) {
        page::accumulate_text(cx, &bytes, how)?;
        return NORMAL;
    }
    let device = super::device(own(cx, Resp::INVREQ)?, erase);
    let lines = Lines::new(&bytes, usize::from(device.columns()).saturating_sub(1));
    for page in lines.pages(usize::from(device.rows())) {
        let record = text_record(own(cx, Resp::INVREQ)?, &page, how);
        put(cx, record)?;
    }
    NORMAL
}

/// SEND TEXT NOEDIT.
pub(crate) fn send_noedit(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::INVREQ)?;
    let bytes = from(cx)?;
    let (erase, controls) = (erase(cx)?, controls(cx));
    let program = cx.task.program();
    let terminal = own(cx, Resp::INVREQ)?;
    let page = terminal.page_of_device();
    let (command, size) = command(terminal, erase);
    let data = text::stream_to_device(page, &bytes, size);
    match Outbound::from_application(command, wcc(controls).byte(), &data, size) {
        Ok(record) => put(cx, record.into_bytes())?,
        Err(error) => {
            let text = format!("TXMZC0119E SEND TEXT NOEDIT of program {program}: {error}");
            cx.host.log(&text);
            return raise(Resp::INVREQ, 0);
        }
    }
    NORMAL
}

fn from(cx: &Cx<'_>) -> Result<Vec<u8>, Fail> {
    match length_of(cx.call, opt::FROM, &[opt::LENGTH], SEND_BYTES_MAX) {
        Some(length) => Ok(area_in(cx.host, cx.call, opt::FROM, length).to_vec()),
        None => raise(Resp::LENGERR, 0),
    }
}

/// A page of text.
pub(super) fn text_record(
    terminal: &mut Terminal,
    lines: &[Vec<u8>],
    (erase, controls, cursor): (Erase, Controls, Option<u16>),
) -> Vec<u8> {
    let page = terminal.page_of_device();
    let (command, size) = command(terminal, erase);
    let mut out = Outbound::new(command, wcc(controls), size);
    for (row, line) in lines.iter().enumerate() {
        out.set_buffer_address(size.position(row + 1, 1))
            .start_field(FieldAttribute::default())
            .text(&text::to_device(page, line));
        if !erase.is_whole() && line.len() + 1 < size.columns() {
            out.repeat_to_address(size.position(row + 2, 1), Fill::Character(0));
        }
    }
    out.set_buffer_address(cursor.unwrap_or(0)).insert_cursor();
    out.into_bytes()
}

/// Text in lines.
pub(super) struct Lines(Vec<Vec<u8>>);

impl Lines {
    /// Breaks text into lines of at most `width` bytes: between words, else in a word that is longer
    /// than a line. A new line begins at X'15' and at a line feed.
    pub(super) fn new(text: &[u8], width: usize) -> Self {
        let width = width.max(1);
        let mut lines = Vec::new();
        for part in text.split(|byte| matches!(byte, 0x15 | b'\n')) {
            let mut rest = part;
            while rest.len() > width {
                let (at, next) = break_at(rest, width);
                lines.push(rest.get(..at).unwrap_or_default().to_vec());
                rest = rest.get(next..).unwrap_or_default();
            }
            lines.push(rest.to_vec());
        }
        Self(lines)
    }

    /// Pages of at most `rows` lines.
    pub(super) fn pages(self, rows: usize) -> Vec<Vec<Vec<u8>>> {
        let mut pages: Vec<Vec<Vec<u8>>> = Vec::new();
        for line in self.0 {
            match pages.last_mut() {
                Some(page) if page.len() < rows.max(1) => page.push(line),
                _ => pages.push(vec![line]),
            }
        }
        pages
    }
}

/// End of a line and beginning of the next in text that is longer than a line.
fn break_at(text: &[u8], width: usize) -> (usize, usize) {
    if text.get(width) == Some(&b' ') {
        // One blank between two words is left out at the end of a line.
        let single = text.get(width + 1).is_none_or(|byte| *byte != b' ');
        return (width, width + usize::from(single));
    }
    match text[..width].iter().rposition(|byte| *byte == b' ') {
        Some(blank) => (blank, blank + 1),
        None => (width, width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: usize) -> Vec<String> {
        let show = |line: &Vec<u8>| String::from_utf8_lossy(line).into_owned();
        Lines::new(text.as_bytes(), width)
            .0
            .iter()
            .map(show)
            .collect()
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(lines("THE QUICK BROWN FOX", 10), ["THE QUICK", "BROWN FOX"]);
        assert_eq!(lines("THE QUICK BROWN", 9), ["THE QUICK", "BROWN"]);
        assert_eq!(lines("ABCDEFGHIJKL MN", 5), ["ABCDE", "FGHIJ", "KL MN"]);
        assert_eq!(lines("A\nB", 5), ["A", "B"]);
        assert_eq!(Lines::new(b"A\nB\nC", 5).pages(2).len(), 2);
    }
}
