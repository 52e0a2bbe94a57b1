//! Hash tables of groups: one for each kind of data under each lock, as long as it has to be.
//!
//! What: where the chain of a hash begins, and which link leads on from a node. Why two links in a
//! node: a longer table hangs all nodes on the link that is not in use, and one store makes it the
//! table. Who dies before that leaves the old table as it was, and a block that stays taken. Not
//! here: what a node has besides its links (`groups`).

use super::Segment;
use super::layout::{FIRST_BUCKETS, STRIPES};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use transom_wire::Space;

/// Groups in one chain; more means the table is damaged.
const MAX_CHAIN: usize = 1 << 20;
/// A new table has four times the buckets, as a power of two.
const STEP: u32 = 2;
/// Most buckets of a table, as a power of two: beyond it chains grow.
const MOST: u32 = 24;
/// The word of a table: place of its buckets in the heap, 0 for those in the header; then its
/// length as a power of two, then the link in use.
const PLACE: u64 = (1 << 48) - 1;
const LENGTH_AT: u32 = 48;
const LENGTH: u64 = 0xFF;
const SIDE_AT: u32 = 56;

/// Where a group starts. The name follows.
#[repr(C)]
pub(super) struct Node {
    /// To the next one of its chain; which of the two counts, the table says.
    pub(super) next: [AtomicU64; 2],
    pub(super) hash: AtomicU64,
    pub(super) index: AtomicU64,
    pub(super) space: AtomicU32,
    pub(super) name_bytes: AtomicU32,
}

/// The table of a kind of data under one lock, which the caller holds.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    segment: &'a Segment,
    /// Which of all tables.
    number: usize,
    word: u64,
}

impl<'a> Table<'a> {
    /// The table as it is now.
    pub(super) fn of(segment: &'a Segment, space: Space, stripe: usize) -> Self {
        let number = space as usize * STRIPES + stripe % STRIPES;
        let word = segment.header().tables[number].load(Acquire);
        Self {
            segment,
            number,
            word,
        }
    }

    fn buckets(&self) -> u64 {
        match self.word {
            0 => FIRST_BUCKETS as u64,
            word => 1 << (word >> LENGTH_AT & LENGTH).min(u64::from(MOST)),
        }
    }

    fn side(&self) -> usize {
        (self.word >> SIDE_AT & 1) as usize
    }

    /// Where the chain of a hash begins.
    pub(super) fn chain(&self, hash: u64) -> Option<&'a AtomicU64> {
        // The lowest bits chose the lock.
        self.bucket(self.word, (hash / STRIPES as u64) & (self.buckets() - 1))
    }

    fn bucket(&self, word: u64, bucket: u64) -> Option<&'a AtomicU64> {
        match word & PLACE {
            0 => {
                let first = self.number * FIRST_BUCKETS;
                let own = &self.segment.header().buckets[first..first + FIRST_BUCKETS];
                own.get(bucket as usize)
            }
            place => self
                .segment
                .at(place + bucket * size_of::<AtomicU64>() as u64),
        }
    }

    /// The link that leads on from a node.
    pub(super) fn next(&self, node: &'a Node) -> &'a AtomicU64 {
        &node.next[self.side()]
    }

    /// Shows nodes from the one at `at` on until the visitor says no.
    pub(super) fn walk(&self, at: u64, mut visit: impl FnMut(u64, &'a Node) -> bool) {
        let mut at = at;
        for _ in 0..MAX_CHAIN {
            let Some(node) = (at != 0).then(|| self.segment.at::<Node>(at)).flatten() else {
                return;
            };
            // The visitor may hang it elsewhere, on the other link.
            let next = self.next(node).load(Acquire);
            if !visit(at, node) {
                return;
            }
            at = next;
        }
    }

    /// Shows all nodes.
    pub(super) fn walk_all(&self, mut visit: impl FnMut(u64, &'a Node)) {
        for bucket in 0..self.buckets() {
            if let Some(head) = self.bucket(self.word, bucket) {
                self.walk(head.load(Acquire), |at, node| {
                    visit(at, node);
                    true
                });
            }
        }
    }

    /// Number of nodes, about: one that dies while it counts leaves it wrong by one.
    pub(super) fn groups(&self) -> u32 {
        self.segment.header().groups[self.number].load(Relaxed)
    }

    /// One came, or one went.
    pub(super) fn count(&self, came: bool) {
        let groups = &self.segment.header().groups[self.number];
        let now = match came {
            true => self.groups().saturating_add(1),
            false => self.groups().saturating_sub(1),
        };
        groups.store(now, Relaxed);
    }

    /// Makes a longer table before a node comes, when the chains are long. Without room for one
    /// they stay so: it is tried again only some groups later.
    pub(super) fn make_room(&mut self) {
        let (groups, buckets) = (u64::from(self.groups()), self.buckets());
        if groups >= 2 * buckets
            && groups.is_multiple_of(buckets)
            && let Some(longer) = self.longer()
        {
            self.publish(longer);
        }
    }

    /// A longer table with all nodes, which nobody sees; its word.
    pub(super) fn longer(&self) -> Option<u64> {
        let length = self.buckets().trailing_zeros() + STEP;
        if length > MOST {
            return None;
        }
        let bytes = size_of::<AtomicU64>() << length;
        let place = self.segment.heap().allocate(bytes)?;
        let side = (self.side() ^ 1) as u64;
        let word = place | u64::from(length) << LENGTH_AT | side << SIDE_AT;
        let longer = Table { word, ..*self };
        for bucket in 0..longer.buckets() {
            longer.bucket(word, bucket)?.store(0, Relaxed);
        }
        self.walk_all(|at, node| {
            if let Some(head) = longer.chain(node.hash.load(Relaxed)) {
                longer.next(node).store(head.load(Relaxed), Relaxed);
                head.store(at, Relaxed);
            }
        });
        Some(word)
    }

    fn publish(&mut self, word: u64) {
        let old = self.segment.header().tables[self.number].swap(word, AcqRel);
        self.word = word;
        if old & PLACE != 0 {
            self.segment.heap().free(old & PLACE);
        }
    }

    /// Puts a node in front of its chain.
    pub(super) fn hang(&self, at: u64, node: &'a Node) -> bool {
        let Some(head) = self.chain(node.hash.load(Relaxed)) else {
            return false;
        };
        self.next(node).store(head.load(Acquire), Relaxed);
        head.store(at, Release);
        self.count(true);
        true
    }
}

#[cfg(test)]
impl Table<'_> {
    /// Nodes of the longest chain.
    pub(super) fn longest_chain(&self) -> usize {
        let heads = (0..self.buckets()).filter_map(|bucket| self.bucket(self.word, bucket));
        let length = |head: &AtomicU64| {
            let mut nodes = 0;
            self.walk(head.load(Acquire), |_, _| {
                nodes += 1;
                true
            });
            nodes
        };
        heads.map(length).max().unwrap_or(0)
    }
}
