//! Storage of the program that ran, in a dump: WORKING-STORAGE, LOCAL-STORAGE, LINKAGE.
//!
//! Areas have the numbers of the compiler; `transom dump` has the names and knows how long an item
//! of LINKAGE is. Not here: where the areas lie (`records`), how they are written (`dump`).

use super::dump_area::{AREA_BYTES_MAX, area};
use super::records::records;
use crate::task_state::TaskState;
use transom_workers::seam::{Address, Host};

/// Bytes that are shown behind an address: nobody here knows how long the item is.
const AT_BYTES_MAX: usize = 8_192;
/// Where storage of programs lies. What is above is the worker's own: its heap, and its stack,
/// where arguments BY CONTENT were, which are gone after a program check.
const OF_PROGRAMS: std::ops::Range<Address> = 0x1_0000..0x8000_0000;

/// All of it.
pub(super) fn storage(text: &mut String, host: &mut dyn Host, task: &TaskState) {
    let failed = task.abend.place.as_ref();
    let failed = failed.filter(|_| task.abend.program_check);
    let program = failed.map_or_else(|| task.program(), |place| place.program);
    let found = records(host, program, failed.is_some());
    // A program check names the program that it ended; else a program that was called may run.
    let whose = match failed.is_none() && found.added.is_empty() {
        true => "the program that ran".to_owned(),
        false => program.to_string(),
    };
    for (number, record) in &found.own {
        let title = format!("WORKING-STORAGE of {whose}, record {number}");
        show(text, host, &title, record.address, record.bytes);
    }
    if let Some(local) = found.local {
        let title = format!("LOCAL-STORAGE of {whose}");
        show(text, host, &title, local.address, local.bytes);
    }
    let eib = host.eib_mut().as_ptr() as Address;
    let level = task.levels.last();
    let commarea = level
        .filter(|level| level.program == program)
        .map_or(0, |level| level.area.address);
    for (number, address) in found.parameters {
        if address != eib && address != commarea {
            let title = format!("STORAGE at parameter {number} of {whose}");
            behind(text, host, &title, address);
        }
    }
    for (number, record) in found.own.iter().chain(&found.added) {
        if record.bytes != size_of::<Address>() {
            continue;
        }
        let word = host.memory(record.address, record.bytes).try_into();
        let address = word.map_or(0, Address::from_ne_bytes);
        let title = format!("STORAGE at record {number} of {whose}");
        behind(text, host, &title, address);
    }
}

/// What of an area there is.
fn show(text: &mut String, host: &dyn Host, title: &str, address: Address, bytes: usize) {
    let shown = host.reach(address, bytes.min(AREA_BYTES_MAX), false);
    area(text, title, address, host.memory(address, shown), bytes);
}

/// What lies behind an address, if anything does.
fn behind(text: &mut String, host: &dyn Host, title: &str, address: Address) {
    if !OF_PROGRAMS.contains(&address) {
        return;
    }
    let most = AT_BYTES_MAX.min(OF_PROGRAMS.end - address);
    let there = host.reach(address, most, false);
    if there > 0 {
        area(text, title, address, host.memory(address, there), there);
    }
}
