//! EXEC CICS WRITEQ TS: add an item to a queue, or rewrite one.
//!
//! The queue is made when it does not exist. ITEM (without REWRITE) and NUMITEMS answer the number
//! of items. Conditions: LENGERR (LENGTH not 1 to 32,763), INVREQ (name), ITEMERR (REWRITE of an item
//! that is not there; more than 32,767 items), QIDERR (REWRITE: no such queue), NOSPACE (shared
//! storage or the store is full), LOCKED (a recoverable queue, by a unit of work in doubt), SYSIDERR.
//! Differs: NOSPACE is raised at once, nobody waits for space.

use super::{Header, ITEM_BYTES_MAX, ITEMS_MAX, Place, ask, new_header, place, queue, request};
use crate::codec::Reader;
use crate::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use crate::requests::Domain;
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
    let place = place(cx, &name)?;
    let written = if place.stored {
        stored(cx, &name, length, rewrite.then_some(item))
    } else {
        in_memory(cx, &name, length, rewrite.then_some(item), &place)
    };
    let count = written?;
    if !rewrite {
        cx.set_number(opt::ITEM, i64::from(count));
    }
    cx.set_number(opt::NUMITEMS, i64::from(count));
    NORMAL
}

/// Answers the number of items. `rewrite`: the item to replace.
fn stored(
    cx: &mut Cx<'_>,
    name: &[u8; 16],
    length: usize,
    rewrite: Option<Option<i64>>,
) -> Result<u32, Fail> {
    let item = rewrite.flatten().and_then(|item| u32::try_from(item).ok());
    let mut out = request(ask::WRITE, name, length);
    out.u64(cx.task.transaction.dtimout_ms)
        .raw(cx.task.transaction.transid.as_bytes())
        .flag(rewrite.is_some())
        .u32(item.unwrap_or(0))
        .raw(area_in(cx.host, cx.call, opt::FROM, length));
    cx.task.uow_open = true;
    let answer = cx.ask(Domain::TemporaryStorage, &out.0)?;
    Reader(&answer)
        .u32()
        .map_or_else(|| raise(Resp::IOERR, 0), Ok)
}

fn in_memory(
    cx: &Cx<'_>,
    name: &[u8; 16],
    length: usize,
    rewrite: Option<Option<i64>>,
    place: &Place,
) -> Result<u32, Fail> {
    let data = area_in(cx.host, cx.call, opt::FROM, length);
    let now = cx.host.abstime_ms();
    let main = place.main.unwrap_or_else(|| cx.has(opt::MAIN));
    let transid = cx.task.transaction.transid;
    let mut written = Err(Resp::NOSPACE);
    cx.host
        .shared()
        .with_group(Space::TsMain, name, &mut |group| {
            let header = Header::read(group);
            written = match rewrite {
                Some(item) => replace(group, header, item, data, now),
                None => {
                    let is_new = header.is_none();
                    let mut header = header.unwrap_or_else(|| new_header(transid, main));
                    header.used = now;
                    append(group, header, is_new, data)
                }
            };
        });
    written.or_else(|resp| raise(resp, 0))
}

fn append(
    group: &mut dyn Group,
    mut header: Header,
    is_new: bool,
    data: &[u8],
) -> Result<u32, Resp> {
    if header.count >= ITEMS_MAX {
        return Err(Resp::ITEMERR);
    }
    header.count += 1;
    header.item_written(data.len(), 0);
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

fn replace(
    group: &mut dyn Group,
    header: Option<Header>,
    item: Option<i64>,
    data: &[u8],
    now: i64,
) -> Result<u32, Resp> {
    let mut header = header.ok_or(Resp::QIDERR)?;
    let item = item.and_then(|item| u32::try_from(item).ok()).unwrap_or(0);
    if !(1..=header.count).contains(&item) {
        return Err(Resp::ITEMERR);
    }
    let before = group.get(item).map_or(0, <[u8]>::len);
    if !group.put(item, data) {
        return Err(Resp::NOSPACE);
    }
    header.item_written(data.len(), before);
    header.used = now;
    // Same size as before: needs no new storage.
    let _ = header.write(group);
    Ok(header.count)
}
