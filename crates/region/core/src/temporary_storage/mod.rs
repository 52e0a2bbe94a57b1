//! Temporary storage queues in main storage.
//!
//! What: one group of shared memory per queue; item 0 is the header, items 1 to 32,767 are the
//! queue's items. AUXILIARY queues are kept in main storage too: they do not outlive the region.
//! Not here: recoverable queues, queues of other regions (SYSIDERR), expiry.

pub(crate) mod deleteq;
pub(crate) mod readq;
pub(crate) mod writeq;

use crate::codec::{Reader, Writer};
use crate::command::{Cx, Fail, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_workers::seam::Group;

/// Items of one queue.
pub const ITEMS_MAX: u32 = 32_767;
/// Bytes of one item.
pub const ITEM_BYTES_MAX: usize = 32_763;
const HEADER: u32 = 0;

/// What a queue knows about itself.
#[derive(Default)]
pub(crate) struct Header {
    /// Items.
    pub count: u32,
    /// Item the last READQ of any task read.
    pub cursor: u32,
}

impl Header {
    pub(crate) fn read(group: &dyn Group) -> Option<Self> {
        let mut from = Reader(group.get(HEADER)?);
        Some(Self {
            count: from.u32()?,
            cursor: from.u32()?,
        })
    }

    #[must_use]
    pub(crate) fn write(&self, group: &mut dyn Group) -> bool {
        let mut out = Writer::with_capacity(8);
        out.u32(self.count).u32(self.cursor);
        group.put(HEADER, &out.0)
    }
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
