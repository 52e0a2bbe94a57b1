//! Arguments that LINK, XCTL, RETURN and LOAD have in common.

use crate::command::{Cx, Fail, raise};
use transom_commands::opt;
use transom_types::{ProgramName, Resp};
use transom_wire::payload::COMMAREA_BYTES_MAX;
use transom_workers::seam::Area;

/// The program name argument.
pub(crate) fn program_name(cx: &mut Cx<'_>) -> ProgramName {
    let name = cx.name::<8>(opt::PROGRAM).unwrap_or([b' '; 8]);
    cx.resource(&name);
    ProgramName::from_field(&name)
}

/// COMMAREA and LENGTH of a command: LENGERR 11 (LENGTH negative or above 32,763), 26 (no area but
/// a length). LENGTH 0 means no COMMAREA.
pub(crate) fn commarea(cx: &Cx<'_>) -> Result<Area, Fail> {
    if !cx.has(opt::COMMAREA) {
        return Ok(Area::default());
    }
    let bytes = match cx.number(opt::LENGTH) {
        Some(length) => match usize::try_from(length) {
            Ok(length) if length <= COMMAREA_BYTES_MAX => length,
            _ => return raise(Resp::LENGERR, 11),
        },
        None => match cx.call.bytes(opt::COMMAREA).map_or(0, <[u8]>::len) {
            bytes if bytes <= COMMAREA_BYTES_MAX => bytes,
            _ => return raise(Resp::LENGERR, 11),
        },
    };
    let address = cx.call.address_of(opt::COMMAREA).unwrap_or(0);
    match (address, bytes) {
        (_, 0) => Ok(Area::default()),
        (0, _) => raise(Resp::LENGERR, 26),
        _ => Ok(Area { address, bytes }),
    }
}
