//! The record of a command: INTO, SET, FROM and LENGTH.

use super::access::Target;
use transom_commands::opt;
use transom_region_task::command::{Cx, Fail, area_in, area_out, length_of, raise, to_storage};
use transom_types::Resp;

/// LENGTH is a signed halfword.
const LENGTH_MAX: usize = 32_767;

/// Hands a record to the program. Conditions: LENGERR 11 (longer than LENGTH: it is cut), 13
/// (LENGTH is not the length of the fixed-length records).
pub(super) fn give(cx: &mut Cx<'_>, target: &Target, record: &[u8]) -> Result<(), Fail> {
    let asked = cx.number(opt::LENGTH);
    if cx.has(opt::SET) {
        set(cx, target, record)?;
        cx.set_number(opt::LENGTH, record.len() as i64);
        return Ok(());
    }
    let room = match asked {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 11))?,
        None => cx.call.bytes(opt::INTO).map_or(0, <[u8]>::len),
    };
    let shown = record.get(..room).unwrap_or(record);
    area_out(cx.host, cx.call, opt::INTO, shown);
    cx.set_number(opt::LENGTH, record.len() as i64);
    if room < record.len() {
        return raise(Resp::LENGERR, 11);
    }
    if target.entry.fixed && asked.is_some() && room != record.len() {
        return raise(Resp::LENGERR, 13);
    }
    Ok(())
}

/// Storage for SET, valid until the next SET for the same file.
fn set(cx: &mut Cx<'_>, target: &Target, record: &[u8]) -> Result<(), Fail> {
    let area = to_storage(cx.host, record)?;
    cx.call.set_pointer(opt::SET, area);
    let areas = &mut cx.task.files.areas;
    match areas.iter_mut().find(|(file, _)| *file == target.name) {
        Some((_, old)) => {
            let old = std::mem::replace(old, area);
            cx.host.freemain(old);
        }
        None => areas.push((target.name, area)),
    }
    Ok(())
}

/// The record of FROM. Conditions: LENGERR 12 (longer than the data set allows), 14 (not the fixed
/// length).
pub(super) fn take(cx: &Cx<'_>, target: &Target) -> Result<Vec<u8>, Fail> {
    let max = target.shape.record_max as usize;
    let length = length_of(cx.call, opt::FROM, &[opt::LENGTH], LENGTH_MAX);
    let Some(length) = length.filter(|length| *length <= max) else {
        return raise(Resp::LENGERR, 12);
    };
    if target.entry.fixed && length != max {
        return raise(Resp::LENGERR, 14);
    }
    Ok(area_in(cx.host, cx.call, opt::FROM, length).to_vec())
}
