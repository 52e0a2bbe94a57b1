//! EXEC CICS INQUIRE TSQUEUE and INQUIRE TSQNAME (with START, NEXT, END), SET TSQUEUE and SET
//! TSQNAME.
//!
//! SET deletes a queue, with LASTUSEDINT only one that was not used for so many seconds; a
//! recoverable one at once, whatever becomes of the task's unit of work. A browse shows the queues
//! there were at its start, in order of their names; one deleted in the meantime answers QIDERR.
//! Conditions: QIDERR 1 (no such queue), ILLOGIC 1, END 2 (browse), SYSIDERR; SET: INVREQ 1 (used
//! since, or in use by a unit of work), 2 (not DELETE), 3 (LASTUSEDINT), NOTFND 1, QIDERR 1 (a
//! blank name).

use super::answer::either;
use super::browse::{Wanted, wanted_of};
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::{OptionId, opt};
use transom_types::{Resp, TsQueueName};
use transom_wire::Space;
use transom_wire::definitions::TsModelEntry;
use transom_wire::language::whole;
use transom_wire::temporary_storage as items;
use transom_wire::temporary_storage::{Header, Request};

/// Name of a queue.
const NAME_BYTES: usize = 16;

/// INQUIRE TSQUEUE.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    queue(cx, opt::TSQUEUE)
}

/// INQUIRE TSQNAME.
pub(crate) fn inquire_name(cx: &mut Cx<'_>) -> Done {
    queue(cx, opt::TSQNAME)
}

fn queue(cx: &mut Cx<'_>, option: OptionId) -> Done {
    if cx.is_remote(opt::SYSID) {
        return raise(Resp::SYSIDERR, 1);
    }
    let wanted = wanted_of(cx, option, NAME_BYTES, names)?;
    let Wanted::Name(name) = wanted else {
        return NORMAL;
    };
    let name = TsQueueName::from_field(&name);
    let model = TsModelEntry::of(cx.host.shared(), name);
    let stored = model.as_ref().is_some_and(|m| m.recovery && !m.main);
    let Some(header) = header(cx, &name, stored)? else {
        return raise(Resp::QIDERR, 1);
    };
    let unused = (cx.host.abstime_ms() - header.used).max(0) / 1_000;
    let expiry = model.as_ref().map_or(0, |model| model.expiry_hours);
    // A recoverable queue keeps no time of last use: reading it writes nothing.
    let unused = if stored { 0 } else { unused };
    cx.set_number(opt::LASTUSEDINT, unused.min(i64::from(i32::MAX)));
    cx.set_number(opt::NUMITEMS, i64::from(header.count));
    cx.set_number(opt::MINITEMLEN, i64::from(header.shortest));
    cx.set_number(opt::MAXITEMLEN, i64::from(header.longest));
    cx.set_number(opt::FLENGTH, header.bytes.min(i32::MAX as u64) as i64);
    cx.set_number(opt::EXPIRYINT, i64::from(expiry));
    cx.set_number(opt::EXPIRYINTMIN, i64::from(expiry) * 60);
    cx.set_cvda(opt::LOCATION, either(header.main, "MAIN", "AUXILIARY"));
    cx.set_cvda(
        opt::RECOVSTATUS,
        either(stored, "RECOVERABLE", "NOTRECOVABLE"),
    );
    cx.set_bytes(opt::TRANSID, &header.transid, b' ');
    let model = model.map_or([b' '; 8], |model| model.name);
    cx.set_bytes(opt::TSMODEL, &model, b' ');
    NORMAL
}

/// SET TSQUEUE.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    delete(cx, opt::TSQUEUE)
}

/// SET TSQNAME.
pub(crate) fn set_name(cx: &mut Cx<'_>) -> Done {
    delete(cx, opt::TSQNAME)
}

fn delete(cx: &mut Cx<'_>, option: OptionId) -> Done {
    let name = cx.raw_name::<NAME_BYTES>(option);
    let name = name.map_or(TsQueueName::BLANK, TsQueueName::new);
    cx.resource(name.as_bytes());
    if cx.is_remote(opt::SYSID) {
        return raise(Resp::SYSIDERR, 1);
    }
    if name.is_blank() {
        return raise(Resp::QIDERR, 1);
    }
    if !cx.value_is(opt::DELETE, opt::ACTION, "DELETE") {
        return raise(Resp::INVREQ, 2);
    }
    let unused_for = cx.number(opt::LASTUSEDINT).unwrap_or(0);
    if unused_for < 0 {
        return raise(Resp::INVREQ, 3);
    }
    let model = TsModelEntry::of(cx.host.shared(), name);
    if model.is_some_and(|model| model.recovery && !model.main) {
        if unused_for > 0 {
            return raise(Resp::INVREQ, 1);
        }
        return match cx.ask(&Request::DeleteNow(name)) {
            Ok(_) => NORMAL,
            Err(Fail::Raise(Resp::QIDERR, _)) => raise(Resp::NOTFND, 1),
            Err(fail) => Err(fail),
        };
    }
    let used_before = cx.host.abstime_ms() - unused_for * 1_000;
    let unused = |header: &Header| header.used <= used_before;
    let (found, tokens) = items::delete_if(cx.host.shared(), name.as_bytes(), &unused);
    transom_region_data::free_items(cx, &name, &tokens)?;
    match found {
        None => raise(Resp::NOTFND, 1),
        Some(false) => raise(Resp::INVREQ, 1),
        Some(true) => NORMAL,
    }
}

fn header(cx: &mut Cx<'_>, name: &TsQueueName, stored: bool) -> Result<Option<Header>, Fail> {
    if stored {
        return match cx.ask(&Request::Inquire(*name)) {
            Ok(bytes) => Ok(Header::decode(&bytes)),
            Err(Fail::Raise(Resp::QIDERR, _)) => Ok(None),
            Err(fail) => Err(fail),
        };
    }
    let mut header = None;
    cx.host
        .shared()
        .with_group(Space::TsMain, name.as_bytes(), &mut |group| {
            header = Header::read(group);
        });
    Ok(header)
}

/// Queues in shared memory and in the store.
fn names(cx: &mut Cx<'_>) -> Result<Vec<Vec<u8>>, Fail> {
    let mut names = cx.host.shared().group_names(Space::TsMain);
    if TsModelEntry::any_recoverable(cx.host.shared()) {
        let stored: Vec<[u8; NAME_BYTES]> = whole(&cx.ask(&Request::List)?).unwrap_or_default();
        names.extend(stored.iter().map(|name| name.to_vec()));
    }
    Ok(names)
}
