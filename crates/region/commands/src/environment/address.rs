//! EXEC CICS ADDRESS and ADDRESS SET.
//!
//! An area that does not exist (no COMMAREA, TWA, CWA, terminal or security) answers X'FF000000',
//! as on CICS: not null, and touching it is a program check. Conditions: none.

use crate::command::{Cx, Done, NORMAL};
use transom_commands::opt;
use transom_workers::seam::Address;

/// What CICS answers for an area that does not exist.
pub const NO_AREA: Address = 0xFF00_0000;

/// ADDRESS.
pub(crate) fn address(cx: &mut Cx<'_>) -> Done {
    let commarea = cx.task.level().map_or(0, |level| level.area.address);
    let twa = cx.task.storage.twa;
    if cx.has(opt::EIB) {
        let eib = cx.host.eib_mut().as_ptr() as Address;
        cx.call.set_pointer(opt::EIB, eib);
    }
    if cx.has(opt::CWA) {
        let cwa = cx.host.cwa(cx.region.facts.cwa_bytes as usize);
        cx.call.set_pointer(opt::CWA, or_none(cwa.unwrap_or(0)));
    }
    cx.call.set_pointer(opt::COMMAREA, or_none(commarea));
    cx.call.set_pointer(opt::TWA, or_none(twa));
    let user_area = cx.task.terminal.get().map_or(0, |own| own.user_area().0);
    cx.call.set_pointer(opt::TCTUA, or_none(user_area));
    cx.call.set_pointer(opt::ACEE, NO_AREA);
    NORMAL
}

/// ADDRESS SET: SET takes the address USING stands for, whichever of the two is the pointer.
pub(crate) fn address_set(cx: &mut Cx<'_>) -> Done {
    let using = cx.call.pointer(opt::USING).unwrap_or(0);
    cx.call.set_pointer(opt::SET, using);
    NORMAL
}

fn or_none(address: Address) -> Address {
    if address == 0 { NO_AREA } else { address }
}
