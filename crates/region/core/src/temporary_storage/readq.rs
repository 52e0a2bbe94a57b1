//! EXEC CICS READQ TS: read an item of a queue.
//!
//! ITEM names it; NEXT, or neither, takes the one after the item any task read last. LENGTH is the
//! room on input and the item's length on output. SET answers storage
//! that stays valid until the next READQ TS SET of the task.
//! Conditions: QIDERR (no such queue), ITEMERR (no such item), LENGERR (INTO shorter than the item,
//! which is cut; LENGTH negative), INVREQ (name), SYSIDERR.

use super::{Header, queue};
use crate::command::{Cx, Done, NORMAL, area_out, raise, to_storage};
use transom_commands::opt;
use transom_types::Resp;
use transom_workers::seam::{Group, Space};

/// The command.
pub(crate) fn readq(cx: &mut Cx<'_>) -> Done {
    let name = queue(cx)?;
    let wanted = cx.number(opt::ITEM);
    let room = match cx.number(opt::LENGTH) {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 0))?,
        None => cx.call.bytes(opt::INTO).map_or(0, <[u8]>::len),
    };
    let mut read = Err(Resp::QIDERR);
    let mut data = Vec::new();
    cx.host
        .shared()
        .with_group(Space::TsMain, &name, &mut |group| {
            read = take(group, wanted, &mut data);
        });
    let count = match read {
        Ok(count) => count,
        Err(resp) => return raise(resp, 0),
    };
    cx.set_number(opt::NUMITEMS, i64::from(count));
    if cx.has(opt::SET) {
        let area = to_storage(cx.host, &data)?;
        let old = std::mem::replace(&mut cx.task.queue_area, area);
        if old != 0 {
            cx.host.freemain(old);
        }
        cx.call.set_pointer(opt::SET, area);
        cx.set_number(opt::LENGTH, data.len() as i64);
        return NORMAL;
    }
    area_out(cx.host, cx.call, opt::INTO, &data[..data.len().min(room)]);
    cx.set_number(opt::LENGTH, data.len() as i64);
    if room < data.len() {
        return raise(Resp::LENGERR, 0);
    }
    NORMAL
}

/// Reads an item and moves the queue's cursor to it; answers how many items the queue has.
fn take(group: &mut dyn Group, wanted: Option<i64>, data: &mut Vec<u8>) -> Result<u32, Resp> {
    let mut header = Header::read(group).ok_or(Resp::QIDERR)?;
    let item = match wanted {
        Some(item) => u32::try_from(item).unwrap_or(0),
        None => header.cursor + 1,
    };
    if !(1..=header.count).contains(&item) {
        return Err(Resp::ITEMERR);
    }
    data.extend_from_slice(group.get(item).ok_or(Resp::ITEMERR)?);
    if header.cursor != item {
        header.cursor = item;
        // Same size as before: needs no new storage.
        let _ = header.write(group);
    }
    Ok(header.count)
}
