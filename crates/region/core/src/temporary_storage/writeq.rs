//! EXEC CICS WRITEQ TS: add an item to a queue, or rewrite one.
//!
//! The queue is made when it does not exist. ITEM (without REWRITE) and NUMITEMS answer the number
//! of items. Conditions: LENGERR (LENGTH not 1 to 32,763), INVREQ (name), ITEMERR (REWRITE of an item
//! that is not there; more than 32,767 items), QIDERR (REWRITE: no such queue), NOSPACE (shared
//! storage is full), SYSIDERR. Differs: NOSPACE is raised at once, nobody waits for space.

use super::{Header, ITEM_BYTES_MAX, ITEMS_MAX, queue};
use crate::command::{Cx, Done, NORMAL, area_in, length_of, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_workers::seam::{Group, Space};

/// The command.
pub(crate) fn writeq(cx: &mut Cx<'_>) -> Done {
    let name = queue(cx)?;
    let length = length_of(cx.call, opt::FROM, &[opt::LENGTH], ITEM_BYTES_MAX);
    let Some(length) = length.filter(|length| *length > 0) else {
        return raise(Resp::LENGERR, 0);
    };
    let rewrite = cx.has(opt::REWRITE);
    let item = cx.number(opt::ITEM);
    let data = area_in(cx.host, cx.call, opt::FROM, length);
    let mut written = Err(Resp::NOSPACE);
    cx.host
        .shared()
        .with_group(Space::TsMain, &name, &mut |group| {
            written = if rewrite {
                replace(group, item, data)
            } else {
                append(group, data)
            };
        });
    match written {
        Ok(count) => {
            if !rewrite {
                cx.set_number(opt::ITEM, i64::from(count));
            }
            cx.set_number(opt::NUMITEMS, i64::from(count));
            NORMAL
        }
        Err(resp) => raise(resp, 0),
    }
}

fn append(group: &mut dyn Group, data: &[u8]) -> Result<u32, Resp> {
    let before = Header::read(group);
    let is_new = before.is_none();
    let mut header = before.unwrap_or_default();
    if header.count >= ITEMS_MAX {
        return Err(Resp::ITEMERR);
    }
    header.count += 1;
    // The item first: a reader that sees the new count finds the item.
    if !group.put(header.count, data) {
        if is_new {
            group.remove_all();
        }
        return Err(Resp::NOSPACE);
    }
    if !header.write(group) {
        group.remove(header.count);
        return Err(Resp::NOSPACE);
    }
    Ok(header.count)
}

fn replace(group: &mut dyn Group, item: Option<i64>, data: &[u8]) -> Result<u32, Resp> {
    let header = Header::read(group).ok_or(Resp::QIDERR)?;
    let item = item.and_then(|item| u32::try_from(item).ok()).unwrap_or(0);
    if !(1..=header.count).contains(&item) {
        return Err(Resp::ITEMERR);
    }
    if !group.put(item, data) {
        return Err(Resp::NOSPACE);
    }
    Ok(header.count)
}
