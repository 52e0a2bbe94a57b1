//! Temporary storage queues.
//!
//! What: where a queue lies ([`place`]): a TSMODEL with RECOVERY(YES) puts it in the store, where it is
//! part of units of work and outlives the region; all others, MAIN or AUXILIARY, are one group of
//! shared memory each, of which an orderly end keeps the auxiliary ones: item 0 is the header, items 1 to 32,767 are the queue's items. Not here:
//! recoverable queues (region side), queues of other regions (SYSIDERR).
//!
//! A queue whose model has EXPIRYINT is deleted when a command names it after that time without use.

pub(crate) mod deleteq;
pub(crate) mod items;
pub(crate) mod readq;
pub(crate) mod writeq;

use crate::codec::{Reader, Writer};
use crate::command::{Cx, Fail, raise};
use crate::definitions::TsModelEntry;
use transom_commands::opt;
use transom_types::{Resp, TransId};
use transom_workers::seam::Group;

/// Items of one queue.
pub const ITEMS_MAX: u32 = 32_767;
/// Bytes of one item.
pub const ITEM_BYTES_MAX: usize = 32_763;
const HEADER: u32 = 0;
pub(crate) const HOUR_MS: i64 = 3_600_000;

/// Requests of this domain, first byte; the queue's name follows.
pub(crate) mod ask {
    /// WRITEQ: DTIMOUT in milliseconds, transaction, REWRITE, item, data. Answers items and item.
    pub(crate) const WRITE: u8 = 1;
    /// READQ: item, 0: the next. Answers items, then the data.
    pub(crate) const READ: u8 = 2;
    /// DELETEQ: DTIMOUT.
    pub(crate) const DELETE: u8 = 3;
    /// INQUIRE TSQUEUE: answers the header.
    pub(crate) const INQUIRE: u8 = 4;
    /// Names of all queues in the store; no name follows.
    pub(crate) const LIST: u8 = 5;
    /// SET TSQUEUE DELETE: at once, in a unit of work of its own; INVREQ 1 for a queue in use.
    pub(crate) const DELETE_NOW: u8 = 6;
    /// An item for auxiliary storage on disk, whatever the name: its bytes. Answers its number.
    pub(crate) const SPILL: u8 = 7;
    /// An item on disk by its number; NOTFND: it is gone.
    pub(crate) const FETCH: u8 = 8;
    /// Items on disk that are gone: their numbers.
    pub(crate) const FREE: u8 = 9;
}

/// What a queue knows about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Header {
    /// Items.
    pub count: u32,
    /// Item the last READQ of any task read.
    pub cursor: u32,
    /// In main storage, by MAIN of the first write or by its model.
    pub main: bool,
    /// Last use as ABSTIME.
    pub used: i64,
    /// Length of the shortest item written.
    pub shortest: u32,
    /// Length of the longest item written.
    pub longest: u32,
    /// Bytes written and not replaced.
    pub bytes: u64,
    /// Transaction that made the queue.
    pub transid: [u8; 4],
}

impl Header {
    pub(crate) fn read(group: &dyn Group) -> Option<Self> {
        Self::decode(group.get(HEADER)?)
    }

    #[must_use]
    pub(crate) fn write(&self, group: &mut dyn Group) -> bool {
        group.put(HEADER, &self.encode())
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(40);
        out.u32(self.count)
            .u32(self.cursor)
            .flag(self.main)
            .u64(self.used as u64)
            .u32(self.shortest)
            .u32(self.longest)
            .u64(self.bytes)
            .raw(&self.transid);
        out.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            count: from.u32()?,
            cursor: from.u32()?,
            main: from.flag()?,
            used: from.u64()? as i64,
            shortest: from.u32()?,
            longest: from.u32()?,
            bytes: from.u64()?,
            transid: from.raw(4)?.try_into().ok()?,
        })
    }

    /// An item was added, or took the place of one of `before` bytes.
    pub(crate) fn item_written(&mut self, length: usize, before: usize) {
        let bytes = length as u32;
        self.shortest = match self.shortest {
            0 => bytes,
            shortest => shortest.min(bytes),
        };
        self.longest = self.longest.max(bytes);
        self.bytes = (self.bytes + length as u64).saturating_sub(before as u64);
    }
}

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
        let (_, tokens) = items::delete_if(cx.host.shared(), name, &is_over);
        items::free(cx, &tokens)?;
    }
    Ok(Place {
        stored,
        main: Some(model.main),
    })
}

/// The beginning of a request.
pub(crate) fn request(what: u8, name: &[u8; 16], bytes: usize) -> Writer {
    let mut out = Writer::with_capacity(bytes + 40);
    out.u8(what).raw(name);
    out
}

/// The header of a new queue.
pub(crate) fn new_header(transid: TransId, main: bool) -> Header {
    Header {
        transid: *transid.as_bytes(),
        main,
        ..Header::default()
    }
}
