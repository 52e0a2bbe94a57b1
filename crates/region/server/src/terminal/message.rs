//! What a user is told when a transaction does not run or does not end well.
//!
//! Lines at the bottom of the screen, bright, with the number of the CICS message that says the
//! same; a text goes on in the next line where one is not enough. The rest of the screen stays; a
//! field behind the last line lets the user type a transaction at once where the screen had none.

use super::record::Terminal;
use transom_datastream::{FieldAttribute, Intensity, Outbound, Wcc, WriteCommand};
use transom_messages as messages;
use transom_region_api::{Fault, LinkFailure};
use transom_types::{Applid, ProgramName, Resp, TransId};
use transom_wire::definitions::SystemEntry;

/// The words for a failure, named as CICS names them where the region says so.
pub(crate) fn text(
    failure: &LinkFailure,
    transid: TransId,
    program: ProgramName,
    system: &SystemEntry,
) -> String {
    let text = words(failure, transid, program, system.applid);
    match system.cics_messages {
        true => messages::as_cics(&text).into_owned(),
        false => text,
    }
}

fn words(failure: &LinkFailure, transid: TransId, program: ProgramName, applid: Applid) -> String {
    match failure.fault {
        Fault::Abend(code) => {
            messages::ac::transaction_abended(applid, transid, program, code).to_string()
        }
        Fault::Refused { resp, .. } if resp == Resp::TRANSIDERR => {
            messages::ac::transaction_not_recognized(applid, transid).to_string()
        }
        Fault::Refused { resp, .. } if resp == Resp::DISABLED => {
            messages::ac::transaction_disabled(applid, transid).to_string()
        }
        Fault::Refused { resp, .. } if resp == Resp::PGMIDERR => {
            messages::ac::program_not_available(applid, transid, program, &failure.text).to_string()
        }
        Fault::Refused { resp, .. } if resp == Resp::NOTAUTH => {
            messages::ac::transaction_not_authorized(applid, transid).to_string()
        }
        _ => failure.text.clone(),
    }
}

/// Lines a message may take; what is longer is cut.
const LINES_MAX: usize = 4;

/// Shows a text and unlocks the keyboard.
pub(super) fn show(terminal: &mut Terminal, text: &str) {
    let size = terminal.size();
    let (rows, columns) = (size.rows(), size.columns());
    let room = columns.saturating_sub(2);
    let lines = lines(text, room);
    let bright = FieldAttribute::default()
        .with_protected(true)
        .with_intensity(Intensity::Bright);
    let mut out = Outbound::new(WriteCommand::Write, Wcc::UNLOCK, size);
    let first = (rows + 1).saturating_sub(lines.len()).max(1);
    for (row, line) in (first..=rows).zip(&lines) {
        let (mut line, _) = terminal.page().encode(line);
        line.resize(room, terminal.page().space);
        out.set_buffer_address(size.position(row, 1))
            .start_field(bright)
            .text(&line);
        // Between two lines this is the last column: nothing can be typed there.
        let behind = FieldAttribute::default().with_protected(row < rows);
        out.start_field(behind);
    }
    terminal.write(out.into_bytes());
}

/// A text in lines of at most so many characters, broken between words.
fn lines(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, |line| line.chars().count());
        let word: String = word.chars().take(room).collect();
        if last > 0 && last + 1 + word.chars().count() > room {
            lines.push(word);
        } else if let Some(line) = lines.last_mut() {
            if last > 0 {
                line.push(' ');
            }
            line.push_str(&word);
        }
    }
    lines.truncate(LINES_MAX);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_goes_on_in_the_next_line() {
        let text = "TXMAC2206E CARDDEMO transaction CC00 (COSGN00C) abended ASRA; its changes were backed out";
        let shown = lines(text, 78);
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[1], "backed out");
        assert_eq!(shown.join(" "), text);
        assert_eq!(lines(&"X".repeat(100), 78), ["X".repeat(78)]);
        assert_eq!(lines(&"word ".repeat(200), 78).len(), LINES_MAX);
    }
}
