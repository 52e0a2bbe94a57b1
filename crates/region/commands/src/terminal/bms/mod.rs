//! Basic mapping support: maps and text on the screen of a task's terminal.
//!
//! What: the device as maps see it, and the options commands share. Reading order: here,
//! `send_map`, `receive_map`, then logical messages: `message`, `page_map`, `send_text`,
//! `send_page`, `route`. Not here: merging and unpacking (`transom_bms`), when output is sent
//! (`super::output`), paging sessions (`region/server/terminal::paging`).

pub(crate) mod mapping_device;
mod mapsets;
pub(crate) mod message;
mod page_map;
pub(crate) mod receive_map;
pub(crate) mod route;
pub(crate) mod send_control;
pub(crate) mod send_map;
pub(crate) mod send_page;
pub(crate) mod send_text;
mod set_area;

pub(crate) use mapsets::MapsetCache;

use super::{Terminal, output};
use crate::command::Cx;
use transom_bms::{Controls, Device, Erase, Extra, ExtraSet, PrintLine, ScreenWrite};
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

/// Any device as maps see it.
pub(super) fn device_of(facts: &transom_types::Device, alternate: bool) -> Device {
    let has = [
        (facts.colour, Extra::Color),
        (facts.highlight, Extra::Highlight),
        (facts.outline, Extra::Outline),
        (facts.validation, Extra::Validation),
    ];
    let known = has.iter().filter(|(has, _)| *has);
    Device {
        size: transom_wire::terminal::screen_size(facts, alternate),
        extras: known.fold(ExtraSet::default(), |set, (_, kind)| set.with(*kind)),
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
