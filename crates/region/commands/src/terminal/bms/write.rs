//! A write of BMS for the terminal of the task: its screen size, controls, the record.

use super::devices::device_of;
use crate::command::Cx;
use crate::terminal::output;
use crate::terminal::state::Terminal;
use transom_bms::{Controls, Device, Erase, PrintLine, ScreenWrite};
use transom_commands::opt;
use transom_datastream::{LineLength, Wcc};

/// The device as maps see it, with the screen size that an erasure brings.
pub(super) fn device(terminal: &Terminal, erase: Erase) -> Device {
    device_of(&terminal.facts.device, alternate(terminal, erase))
}

/// The alternate screen size is in force after an erasure.
pub(super) fn alternate(terminal: &Terminal, erase: Erase) -> bool {
    match erase {
        Erase::Default => false,
        Erase::Alternate => true,
        Erase::Keep | Erase::Unprotected => terminal.alternate,
    }
}

/// FREEKB, ALARM, FRSET, PRINT, L40, L64, L80, HONEOM of a command.
pub(super) fn controls(cx: &Cx<'_>) -> Controls {
    let lines = [
        (opt::L40, PrintLine::L40),
        (opt::L64, PrintLine::L64),
        (opt::L80, PrintLine::L80),
    ];
    let line = lines.into_iter().find(|(option, _)| cx.has(*option));
    Controls {
        print: cx.has(opt::PRINT),
        free_keyboard: cx.has(opt::FREEKB),
        alarm: cx.has(opt::ALARM),
        reset_modified: cx.has(opt::FRSET),
        line: line.map_or(PrintLine::Honeom, |(_, line)| line),
    }
}

/// A write of BMS as a record for the terminal; takes over the screen size it brings. `lines`:
/// NLEOM was given, which makes a difference to printers with a buffer.
pub(super) fn record(terminal: &mut Terminal, write: &ScreenWrite, lines: bool) -> Vec<u8> {
    let device = device(terminal, write.erase);
    output::command(terminal, write.erase);
    let page = terminal.page_of_device();
    if lines && terminal.facts.device.printer && !terminal.facts.scs {
        return write.to_lines(&device, &page.from_latin1).into_bytes();
    }
    write.to_stream(&device, &page.from_latin1).into_bytes()
}

/// The write control character of controls.
pub(super) fn wcc(controls: Controls) -> Wcc {
    Wcc {
        reset_modified: controls.reset_modified,
        unlock: controls.free_keyboard,
        alarm: controls.alarm,
        start_print: controls.print,
        line: match controls.line {
            PrintLine::Honeom => LineLength::AsWritten,
            PrintLine::L40 => LineLength::L40,
            PrintLine::L64 => LineLength::L64,
            PrintLine::L80 => LineLength::L80,
        },
    }
}
