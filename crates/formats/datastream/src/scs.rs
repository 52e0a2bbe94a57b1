//! SCS, the character stream of printers of LU type 1.
//!
//! What: a screen of BMS as lines of text, and what a program writes itself. Why: such a printer
//! knows no buffer addresses. A record of SCS begins with [`SCS`] where one for a 3270 has its
//! command. Not here: the device's buffer of LU type 3 printers, which format themselves.

use crate::{Command, Screen, ScreenOptions, ScreenSize};

/// First byte of a record of SCS between worker and region; no 3270 command.
pub const SCS: u8 = 0x00;
const NEW_LINE: u8 = 0x15;
const FORM_FEED: u8 = 0x0C;
/// As EBCDIC has it; as a character of Latin 1 the same byte is `@`.
const BLANK: u8 = 0x40;
/// Codes that begin a sequence with its length: SHF, SVF, SSLD, SPD and others are X'2B', class,
/// length.
const SEQUENCE: u8 = 0x2B;

/// A record of BMS: a write becomes the lines it fills, what prints nothing becomes nothing.
pub fn of_record(record: Vec<u8>, size: ScreenSize, form_feed: bool) -> Vec<u8> {
    let command = record.first().copied();
    if command == Some(SCS) {
        return record;
    }
    let mut out = vec![SCS];
    if form_feed {
        out.push(FORM_FEED);
    }
    let writes = command.and_then(Command::from_byte);
    if !matches!(
        writes,
        Some(Command::Write | Command::EraseWrite | Command::EraseWriteAlternate)
    ) {
        return out;
    }
    let mut paper = Screen::new(ScreenOptions {
        default: size,
        alternate: size,
        ..ScreenOptions::default()
    });
    if paper.apply(&record).is_err() {
        return out;
    }
    let rows: Vec<Vec<u8>> = (1..=size.rows()).map(|row| line(&paper, row)).collect();
    let used = rows
        .iter()
        .rposition(|row| !row.is_empty())
        .map_or(0, |at| at + 1);
    for row in rows.into_iter().take(used) {
        out.extend(row);
        out.push(NEW_LINE);
    }
    out
}

/// A row without the blanks at its end; whatever is no character is a blank.
fn line(paper: &Screen, row: usize) -> Vec<u8> {
    let itself: [char; 256] = std::array::from_fn(|byte| char::from(byte as u8));
    let text = paper.row(row, &itself);
    let byte = |c: char| match c {
        ' ' | '\u{FF}' => BLANK,
        c => c as u32 as u8,
    };
    text.trim_end_matches([' ', '@'])
        .chars()
        .map(byte)
        .collect()
}

/// What a program sends: text in the code page of the table, controls below X'20' and sequences of
/// X'2B' as they are.
pub fn of_program(from_latin1: &[u8; 256], data: &[u8]) -> Vec<u8> {
    let mut out = vec![SCS];
    let mut rest = data;
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        match (first, tail) {
            (&SEQUENCE, [class @ 0xC1..=0xFE, length, ..]) => {
                let operands = (1 + usize::from(*length).max(1)).min(tail.len());
                out.extend([SEQUENCE, *class, *length]);
                out.extend(tail.get(2..operands).unwrap_or_default());
                rest = tail.get(operands.max(2)..).unwrap_or_default();
            }
            (0x00..=0x1F, _) => out.push(*first),
            (byte, _) => out.push(from_latin1[usize::from(*byte)]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FieldAttribute, Outbound, Wcc, WriteCommand};
    use transom_copybook::codepage::CP037;

    #[test]
    fn a_page_becomes_lines() {
        let size = ScreenSize::MODEL_2;
        let mut page = Outbound::new(WriteCommand::EraseWrite, Wcc::default(), size);
        page.set_buffer_address(0)
            .start_field(FieldAttribute::default())
            .text(&CP037.encode("ONE").0)
            .set_buffer_address(160)
            .text(&CP037.encode("THREE  ").0);
        let printed = of_record(page.into_bytes(), size, true);
        let expected = b"\x00\x0C ONE\x15\x15THREE\x15";
        let shown: Vec<u8> = printed
            .iter()
            .map(|b| {
                if *b < 0x40 {
                    *b
                } else {
                    CP037.to_latin1[usize::from(*b)]
                }
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn programs_write_controls_and_sequences() {
        let out = of_program(&CP037.from_latin1, b"A+B\x15\x2B\xC1\x02\x50Z");
        assert_eq!(
            out,
            [0x00, 0xC1, 0x4E, 0xC2, 0x15, 0x2B, 0xC1, 0x02, 0x50, 0xE9]
        );
    }
}
