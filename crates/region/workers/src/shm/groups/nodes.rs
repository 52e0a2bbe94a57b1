//! How groups lie in the heap: indexes and values.
//!
//! What: the structures; each link and number has a check of its own. Not here: nodes in chains
//! (`table`), reading and changing items (`groups`).

use crate::shm::seal::Sealed;
use crate::shm::table::Node;
use crate::shm::{Kind, Segment};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use transom_wire::Space;

/// Longest group name.
pub(crate) const MAX_GROUP_NAME: usize = 512;
/// Values above are looked at twice.
pub(super) const LARGE: usize = 32 << 10;
pub(super) const FIRST_INDEX_ENTRIES: u32 = 6;

/// Index of a group. `count` entries follow, sorted by item, with `capacity` places.
#[repr(C)]
pub(super) struct Index {
    pub(super) capacity: AtomicU64,
    pub(super) count: Sealed,
}

/// An item; offset 0 = removed. The place is the item's, so a changed number is found, too.
#[repr(C)]
pub(super) struct Entry {
    pub(super) item: AtomicU64,
    pub(super) at: Sealed,
}

impl Entry {
    pub(super) fn item(&self) -> u32 {
        self.item.load(Ordering::Relaxed) as u32
    }
}

/// In front of the bytes of a value: how many there are, and their checksum. Length and place must
/// change together, so both are in one block.
#[repr(C)]
pub(super) struct Value {
    pub(super) bytes: AtomicU32,
    pub(super) seal: AtomicU32,
}

/// Set in the length of a value that is numbers which count.
pub(super) const COUNTS: u32 = 1 << 31;
pub(super) const VALUE: usize = size_of::<Value>();
/// Owners of blocks that are no values.
pub(super) const NODE_OWNER: u64 = 1 << 62;
pub(super) const INDEX_OWNER: u64 = 1 << 61;

pub(super) const NODE: usize = size_of::<Node>();
pub(super) const INDEX: usize = size_of::<Index>();
pub(super) const ENTRY: usize = size_of::<Entry>();

pub(super) fn hash(space: Space, name: &[u8]) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325_u64 ^ (space as u64);
    for byte in name {
        h = (h ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    h ^ (h >> 29)
}

/// Only a queue in main storage can be missed by one task alone.
pub(super) fn kind_of(space: Space) -> Kind {
    match space {
        Space::TsMain => Kind::Item,
        _ => Kind::Definition,
    }
}

pub(super) fn name_of<'a>(segment: &'a Segment, at: u64, node: &Node) -> Option<&'a [u8]> {
    let bytes = node.name_bytes.load(Ordering::Relaxed) as usize;
    segment.slice(at + NODE as u64, bytes.min(MAX_GROUP_NAME))
}
