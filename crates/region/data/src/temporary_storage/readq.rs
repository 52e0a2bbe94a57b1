//! EXEC CICS READQ TS: read an item of a queue.
//!
//! ITEM names it; NEXT, or neither, takes the one after the item any task read last. LENGTH is the
//! room on input and the item's length on output. SET answers storage
//! that stays valid until the next READQ TS SET of the task.
//! A recoverable queue shows what was committed and the task's own changes.
//! Conditions: QIDERR (no such queue), ITEMERR (no such item), LENGERR (INTO shorter than the item,
//! which is cut; LENGTH negative), INVREQ (name), SYSIDERR.

use super::queue::{place, queue};
use super::spill;
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, Fail, give, raise};
use transom_types::{Resp, TsQueueName};
use transom_wire::asked::Asked;
use transom_wire::temporary_storage::{self as items, Item};
use transom_wire::temporary_storage::{Header, Read, Request};
use transom_wire::{Group, Space};

/// Looks at an item that is replaced again and again; then the read is given up.
const RETRIES: usize = 100;

/// The command.
pub(crate) fn readq(cx: &mut Cx<'_>) -> Done {
    let name = queue(cx)?;
    let wanted = cx.number(opt::ITEM);
    let room = match cx.number(opt::LENGTH) {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 0))?,
        None => cx.call.bytes(opt::INTO).map_or(0, <[u8]>::len),
    };
    let (count, data, main) = if place(cx, &name)?.stored {
        let (count, data) = stored(cx, &name, wanted)?;
        (count, data, false)
    } else {
        in_memory(cx, &name, wanted)?
    };
    let asked = if main {
        Asked::TsGetMain
    } else {
        Asked::TsGetAux
    };
    asked.count(cx.host.shared());
    cx.set_number(opt::NUMITEMS, i64::from(count));
    give(cx, &data, room, |task| &mut task.queues.set_area)
}

fn stored(
    cx: &mut Cx<'_>,
    name: &TsQueueName,
    wanted: Option<i64>,
) -> Result<(u32, Vec<u8>), Fail> {
    // An item number no queue can have answers ITEMERR.
    let item = wanted.map(|item| u32::try_from(item).unwrap_or(0));
    let answer = cx.ask(&Request::Read(*name, item))?;
    match Read::decode(&answer) {
        Some(read) => Ok((read.count, read.data)),
        None => raise(Resp::IOERR, 0),
    }
}

fn in_memory(
    cx: &mut Cx<'_>,
    name: &TsQueueName,
    mut wanted: Option<i64>,
) -> Result<(u32, Vec<u8>, bool), Fail> {
    for _ in 0..RETRIES {
        let now = cx.host.abstime_ms();
        let mut taken = Err(Resp::QIDERR);
        cx.host
            .shared()
            .with_group(Space::TsMain, name.as_bytes(), &mut |group| {
                taken = take(group, wanted, now);
            });
        let taken = taken.or_else(|resp| raise(resp, 0))?;
        match taken.token {
            None => return Ok((taken.count, taken.data, taken.main)),
            Some(token) => {
                if let Some(data) = spill::fetch(cx, name, token)? {
                    return Ok((taken.count, data, taken.main));
                }
            }
        }
        // It was replaced or deleted on the way: the same item again, even for NEXT.
        wanted = Some(i64::from(taken.item));
    }
    raise(Resp::IOERR, 0)
}

struct Taken {
    count: u32,
    item: u32,
    data: Vec<u8>,
    /// The item is on disk.
    token: Option<u64>,
    /// The queue is in main storage.
    main: bool,
}

/// Reads an item and moves the queue's cursor to it.
fn take(group: &mut dyn Group, wanted: Option<i64>, now: i64) -> Result<Taken, Resp> {
    let mut header = Header::read(group).ok_or(Resp::QIDERR)?;
    let item = match wanted {
        Some(item) => u32::try_from(item).unwrap_or(0),
        None => header.cursor + 1,
    };
    if !(1..=header.count).contains(&item) {
        return Err(Resp::ITEMERR);
    }
    let (data, token) = match items::item(group, item).ok_or(Resp::ITEMERR)? {
        Item::Here(data) => (data.to_vec(), None),
        Item::Spilled(token) => (Vec::new(), Some(token.number)),
    };
    (header.cursor, header.used) = (item, now);
    // Same size as before: needs no new storage.
    let _ = header.write(group);
    Ok(Taken {
        count: header.count,
        item,
        data,
        token,
        main: header.main,
    })
}
