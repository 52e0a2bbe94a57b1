//! Temporary storage queues.
//!
//! What: where a queue lies ([`place`]): a TSMODEL with RECOVERY(YES) puts it in the store, where
//! it is part of units of work and outlives the region; all others, MAIN or AUXILIARY, are one
//! group of shared memory each, of which an orderly end keeps the auxiliary ones: item 0 is the
//! header, items 1 to 32,767 are the queue's items. Not here: recoverable queues (region side),
//! queues of other regions (SYSIDERR).
//!
//! A queue whose model has EXPIRYINT is deleted when a command names it after that time without
//! use.

pub(crate) mod deleteq;
pub(crate) mod readq;
pub(crate) mod spill;
pub(crate) mod writeq;

use crate::command::{Cx, Fail, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::definitions::TsModelEntry;
use transom_wire::temporary_storage::{HOUR_MS, Header, delete_if};

/// Where a queue lies.
pub(crate) struct Place {
    /// In the store: recoverable.
    pub stored: bool,
    /// LOCATION(MAIN) of its model; without a model what the first write says.
    pub main: Option<bool>,
}

/// The queue's 16-byte name: INVREQ when it is all low values or blanks, SYSIDERR for a queue of
/// another region.
pub(crate) fn queue(cx: &mut Cx<'_>) -> Result<[u8; 16], Fail> {
    let option = if cx.has(opt::QNAME) {
        opt::QNAME
    } else {
        opt::QUEUE
    };
    let name = cx.name::<16>(option).unwrap_or([b' '; 16]);
    cx.resource(&name);
    if name == [b' '; 16] {
        return raise(Resp::INVREQ, 0);
    }
    if cx.is_remote(opt::SYSID) {
        return raise(Resp::SYSIDERR, 1);
    }
    Ok(name)
}

/// Where the queue lies; deletes it first when its time is over. SYSIDERR: in another region.
pub(crate) fn place(cx: &mut Cx<'_>, name: &[u8; 16]) -> Result<Place, Fail> {
    let Some(model) = TsModelEntry::of(cx.host.shared(), name) else {
        return Ok(Place {
            stored: false,
            main: None,
        });
    };
    if model.remote {
        return raise(Resp::SYSIDERR, 1);
    }
    let stored = model.recovery && !model.main;
    if model.expiry_hours > 0 && !stored {
        let unused_since = cx.host.abstime_ms() - i64::from(model.expiry_hours) * HOUR_MS;
        let is_over = |header: &Header| header.used < unused_since;
        let (_, tokens) = delete_if(cx.host.shared(), name, &is_over);
        spill::free(cx, &tokens)?;
    }
    Ok(Place {
        stored,
        main: Some(model.main),
    })
}
