//! Blocks of the heap with an owner, who alone can read them and give them back.
//!
//! What: a mark in front of the block, made of owner and place. Why: an offset read from shared
//! memory may be that of somebody else's block. Not here: what is in a block.

use super::Segment;
use super::heap::Heap;
use super::seal::MIX;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// In front of a block with an owner.
const HEAD: usize = 16;

/// The mark of a block at an offset.
fn mark(owner: u64, at: u64) -> u64 {
    (owner ^ at.rotate_left(40)).wrapping_mul(MIX) | 1
}

impl Heap<'_> {
    /// A block of at least `bytes` for an owner, not cleared. `None`: full, or too large.
    pub(crate) fn allocate_for(&self, segment: &Segment, owner: u64, bytes: usize) -> Option<u64> {
        let at = self.allocate(bytes.checked_add(HEAD)?)?;
        segment.at::<AtomicU64>(at)?.store(mark(owner, at), Relaxed);
        Some(at + HEAD as u64)
    }

    /// Usable bytes of a block; `None`: it is not this owner's, or none at all.
    pub(crate) fn room_of(&self, segment: &Segment, owner: u64, at: u64) -> Option<usize> {
        let at = at.checked_sub(HEAD as u64)?;
        let room = self.size_of_block(at)?;
        let found = segment.at::<AtomicU64>(at)?.load(Relaxed);
        (found == mark(owner, at)).then_some(room - HEAD)
    }

    /// Gives a block back; `false`: it is not this owner's.
    pub(crate) fn free_of(&self, segment: &Segment, owner: u64, at: u64) -> bool {
        if self.room_of(segment, owner, at).is_none() {
            return false;
        }
        let at = at - HEAD as u64;
        if let Some(head) = segment.at::<AtomicU64>(at) {
            head.store(0, Relaxed);
        }
        self.free(at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Layout;
    use super::*;

    #[test]
    fn a_block_is_its_owners_alone() {
        let layout = Layout {
            slots: 1,
            tasks: 1,
            heap_bytes: 1 << 20,
            open_limit: 1,
        };
        let segment = Segment::create(&layout).unwrap();
        let heap = segment.heap();
        let at = heap.allocate_for(&segment, 7, 100).unwrap();
        assert!(heap.room_of(&segment, 7, at).unwrap() >= 100);
        assert_eq!(heap.room_of(&segment, 8, at), None);
        assert_eq!(heap.room_of(&segment, 7, at + 16), None);
        assert!(!heap.free_of(&segment, 8, at));
        assert!(heap.free_of(&segment, 7, at));
        assert!(!heap.free_of(&segment, 7, at), "twice");
        assert_eq!(heap.used_bytes(), 0);
    }
}
