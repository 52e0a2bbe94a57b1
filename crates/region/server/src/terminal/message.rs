//! What a user is told when a transaction does not run or does not end well.
//!
//! One line at the bottom of the screen, bright, with the number of the CICS message that says the
//! same. The rest of the screen stays; a field behind the line lets the user type a transaction at
//! once where the screen had none.

use super::record::Terminal;
use transom_datastream::{FieldAttribute, Intensity, Outbound, Wcc, WriteCommand};
use transom_messages as messages;
use transom_region_api::{Fault, LinkFailure};
use transom_types::{Applid, ProgramName, Resp, TransId};

/// The words for a failure.
pub(super) fn text(
    failure: &LinkFailure,
    transid: TransId,
    program: ProgramName,
    applid: Applid,
) -> String {
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
            messages::ac::program_not_available(applid, transid, program).to_string()
        }
        Fault::Refused { resp, .. } if resp == Resp::NOTAUTH => {
            messages::ac::transaction_not_authorized(applid, transid).to_string()
        }
        _ => failure.text.clone(),
    }
}

/// Shows a line and unlocks the keyboard.
pub(super) fn show(terminal: &mut Terminal, text: &str) {
    let size = terminal.size();
    let (rows, columns) = (size.rows(), size.columns());
    let (bytes, _) = terminal.page().encode(text);
    let room = columns.saturating_sub(2);
    let mut line = bytes.get(..room).unwrap_or(&bytes).to_vec();
    line.resize(room, terminal.page().space);
    let bright = FieldAttribute::default()
        .with_protected(true)
        .with_intensity(Intensity::Bright);
    let mut out = Outbound::new(WriteCommand::Write, Wcc::UNLOCK, size);
    out.set_buffer_address(size.position(rows, 1))
        .start_field(bright)
        .text(&line)
        .start_field(FieldAttribute::default());
    terminal.write(out.into_bytes());
}
