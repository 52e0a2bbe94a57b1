//! EXEC CICS WRITEQ TS: add an item to a queue, or rewrite one.
//!
//! The queue is made when it does not exist. ITEM (without REWRITE) and NUMITEMS answer the number
//! of items. Conditions: LENGERR (LENGTH not 1 to 32,763), INVREQ (name), ITEMERR (REWRITE of an
//! item that is not there; more than 32,767 items), QIDERR (REWRITE: no such queue), NOSPACE (the
//! store is full, or shared storage and for auxiliary items the room on disk too), LOCKED (a
//! recoverable queue, by a unit of work in doubt), SYSIDERR. Differs: NOSPACE is raised at once,
//! nobody waits for space.

use super::queue::{Place, place, queue};
use super::spill;
use transom_commands::opt;
use transom_monitoring::field;
use transom_region_task::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use transom_types::{Resp, TsQueueName};
use transom_wire::asked::Asked;
use transom_wire::language::whole;
use transom_wire::temporary_storage::{self as items, New};
use transom_wire::temporary_storage::{Header, ITEM_BYTES_MAX, ITEMS_MAX, Request, new_header};
use transom_wire::{Group, Space};

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
    if !rewrite && count == 1 {
        Asked::TsMade.count(cx.host.shared());
    }
    if !rewrite {
        cx.set_number(opt::ITEM, i64::from(count));
    }
    cx.set_number(opt::NUMITEMS, i64::from(count));
    NORMAL
}

/// Answers the number of items. `rewrite`: the item to replace.
fn stored(
    cx: &mut Cx<'_>,
    name: &TsQueueName,
    length: usize,
    rewrite: Option<Option<i64>>,
) -> Result<u32, Fail> {
    let item = rewrite.flatten().and_then(|item| u32::try_from(item).ok());
    let request = Request::Write {
        name: *name,
        dtimout_ms: cx.task.transaction.deadlock_timeout_ms(),
        transid: cx.task.transaction.transid,
        rewrite: rewrite.map(|_| item.unwrap_or(0)),
        data: area_in(cx.host, cx.call, opt::FROM, length).to_vec(),
    };
    cx.task.unit.touch();
    cx.task.counts.count(field::TSPUTACT);
    let answer = cx.ask(&request)?;
    Asked::TsPutAux.count(cx.host.shared());
    whole(&answer).map_or_else(|| raise(Resp::IOERR, 0), Ok)
}

fn in_memory(
    cx: &mut Cx<'_>,
    name: &TsQueueName,
    length: usize,
    rewrite: Option<Option<i64>>,
    place: &Place,
) -> Result<u32, Fail> {
    let main = place.main.unwrap_or_else(|| cx.has(opt::MAIN));
    let may_spill = length >= items::SPILL_BYTES_MIN && !main && !is_in_main(cx, name);
    let wants_disk = may_spill && items::is_nearly_full(cx.host.shared());
    if wants_disk && let Some(count) = on_disk(cx, name, length, rewrite)? {
        return Ok(count);
    }
    let data = area_in(cx.host, cx.call, opt::FROM, length);
    let written = put(cx, name, rewrite, main, New::Data(data));
    let full = matches!(written, Err(Resp::NOSPACE));
    // What is free in memory may be too short a piece.
    if full
        && may_spill
        && !wants_disk
        && let Some(count) = on_disk(cx, name, length, rewrite)?
    {
        return Ok(count);
    }
    finish(cx, name, written)
}

/// Writes an item of auxiliary storage to disk; `None`: the disk has no room for it.
fn on_disk(
    cx: &mut Cx<'_>,
    name: &TsQueueName,
    length: usize,
    rewrite: Option<Option<i64>>,
) -> Result<Option<u32>, Fail> {
    let data = area_in(cx.host, cx.call, opt::FROM, length).to_vec();
    let Some(token) = spill::spill(cx, name, &data)? else {
        return Ok(None);
    };
    let written = put(cx, name, rewrite, false, New::Token(token));
    if written.is_err() {
        spill::free(cx, name, &[token.number])?;
    }
    finish(cx, name, written).map(Some)
}

/// A queue is where its first item was written.
fn is_in_main(cx: &Cx<'_>, name: &TsQueueName) -> bool {
    let mut main = false;
    let shared = cx.host.shared();
    shared.with_group(Space::TsMain, name.as_bytes(), &mut |group| {
        main = Header::read(group).is_some_and(|header| header.main);
    });
    main
}

/// Frees what the item took on disk before; answers the number of items.
fn finish(
    cx: &mut Cx<'_>,
    name: &TsQueueName,
    written: Result<Written, Resp>,
) -> Result<u32, Fail> {
    match written {
        Ok(Written { count, freed, main }) => {
            let counts = &mut cx.task.counts;
            counts.count_either(main, (field::TSPUTMCT, field::TSPUTACT));
            let asked = if main {
                Asked::TsPutMain
            } else {
                Asked::TsPutAux
            };
            asked.count(cx.host.shared());
            spill::free(cx, name, freed.as_slice())?;
            Ok(count)
        }
        Err(resp) => raise(resp, 0),
    }
}

struct Written {
    count: u32,
    /// Token of the item that was replaced.
    freed: Option<u64>,
    /// The queue is in main storage.
    main: bool,
}

fn put(
    cx: &Cx<'_>,
    name: &TsQueueName,
    rewrite: Option<Option<i64>>,
    main: bool,
    new: New<'_>,
) -> Result<Written, Resp> {
    let now = cx.host.abstime_ms();
    let transid = cx.task.transaction.transid;
    let mut written = Err(Resp::NOSPACE);
    cx.host
        .shared()
        .with_group(Space::TsMain, name.as_bytes(), &mut |group| {
            let header = Header::read(group);
            written = match rewrite {
                Some(item) => replace(group, header, item, new, now),
                None => {
                    let is_new = header.is_none();
                    let mut header = header.unwrap_or_else(|| new_header(transid, main));
                    header.used = now;
                    append(group, header, is_new, new)
                }
            };
        });
    written
}

fn append(
    group: &mut dyn Group,
    mut header: Header,
    is_new: bool,
    new: New<'_>,
) -> Result<Written, Resp> {
    if header.count >= ITEMS_MAX {
        return Err(Resp::ITEMERR);
    }
    header.count += 1;
    header.item_written(new.bytes(), 0);
    // The item first: a reader that sees the new count finds the item.
    if !items::put(group, header.count, new) {
        if is_new {
            group.remove_all();
        }
        return Err(Resp::NOSPACE);
    }
    if !header.write(group) {
        items::remove(group, header.count);
        return Err(Resp::NOSPACE);
    }
    Ok(Written {
        count: header.count,
        freed: None,
        main: header.main,
    })
}

fn replace(
    group: &mut dyn Group,
    header: Option<Header>,
    item: Option<i64>,
    new: New<'_>,
    now: i64,
) -> Result<Written, Resp> {
    let mut header = header.ok_or(Resp::QIDERR)?;
    let item = item.and_then(|item| u32::try_from(item).ok()).unwrap_or(0);
    if !(1..=header.count).contains(&item) {
        return Err(Resp::ITEMERR);
    }
    let old = items::item(group, item);
    let (before, freed) = old.map_or((0, None), |old| (old.bytes(), old.token()));
    if !items::put(group, item, new) {
        return Err(Resp::NOSPACE);
    }
    header.item_written(new.bytes(), before);
    header.used = now;
    // Same size as before: needs no new storage.
    let _ = header.write(group);
    Ok(Written {
        count: header.count,
        freed,
        main: header.main,
    })
}
