//! Hash tables of groups: one for each kind of data under each lock, as long as it has to be.
//!
//! What: where the chain of a hash begins, and which link leads on from a node. Why two links in a
//! node: a longer table hangs all nodes on the link that is not in use, and one store makes it the
//! table. Who dies before that leaves the old table as it was, and a block that stays taken. Not
//! here: what a node has besides its links (`groups`).

use super::Segment;
use super::layout::{FIRST_BUCKETS, STRIPES, TABLES};
use super::seal::{Sealed, check};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use transom_wire::Space;

/// Groups in one chain; more means the table is damaged.
const MAX_CHAIN: usize = 1 << 20;
/// A new table has four times the buckets, as a power of two.
const STEP: u32 = 2;
/// Most buckets of a table, as a power of two: beyond it chains grow.
const MOST: u32 = 24;
/// The word of a table: place of its buckets in the heap in units of 16 bytes, 0 for those in the
/// header; then its length as a power of two, then the link in use.
const PLACE: u64 = (1 << 31) - 1;
const PLACE_UNIT: u64 = 16;
const LENGTH_AT: u32 = 31;
const LENGTH: u64 = 0x1F;
const SIDE_AT: u32 = 36;
/// Whose links, words and blocks are: a bucket's, a table's.
const BUCKET_OWNER: u64 = 1 << 62;
const TABLE_OWNER: u64 = 1 << 61;

/// Where a group starts. The name follows.
#[repr(C)]
pub(super) struct Node {
    /// To the next one of its chain; which of the two counts, the table says.
    next: [Sealed; 2],
    pub(super) hash: AtomicU64,
    pub(super) index: Sealed,
    pub(super) space: AtomicU32,
    pub(super) name_bytes: AtomicU32,
    /// Over hash, space and length.
    check: AtomicU64,
}

impl Node {
    /// Says whose node it is.
    pub(super) fn fill(&self, hash: u64, space: Space, name_bytes: usize) {
        self.hash.store(hash, Relaxed);
        self.space.store(space as u32, Relaxed);
        self.name_bytes.store(name_bytes as u32, Relaxed);
        self.check.store(self.own_check(), Relaxed);
    }

    fn own_check(&self) -> u64 {
        let (space, bytes) = (self.space.load(Relaxed), self.name_bytes.load(Relaxed));
        check(
            self.hash.load(Relaxed),
            u64::from(space) << 32 | u64::from(bytes),
        )
    }

    fn is_sound(&self) -> bool {
        self.check.load(Relaxed) == self.own_check()
    }
}

/// A link, and whose it is.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    word: &'a Sealed,
    owner: u64,
}

impl Link<'_> {
    pub(super) fn get(&self) -> Option<u64> {
        self.word.get(self.owner)
    }

    pub(super) fn set(&self, at: u64) {
        self.word.set(self.owner, at);
    }
}

impl Segment {
    /// All tables are empty.
    pub(super) fn begin_tables(&self) {
        let header = self.header();
        for number in 0..TABLES {
            header.tables[number].set(TABLE_OWNER ^ number as u64, 0);
            let table = Table {
                segment: self,
                number,
                word: 0,
            };
            for bucket in 0..FIRST_BUCKETS as u64 {
                if let Some(link) = table.bucket(bucket) {
                    link.set(0);
                }
            }
        }
    }
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
    /// The table as it is now. `None`, here and below: it was overwritten.
    pub(super) fn of(segment: &'a Segment, space: Space, stripe: usize) -> Option<Self> {
        let number = space as usize * STRIPES + stripe % STRIPES;
        let word = segment.header().tables[number].get(TABLE_OWNER ^ number as u64)?;
        Some(Self {
            segment,
            number,
            word,
        })
    }

    fn buckets(&self) -> u64 {
        match self.word {
            0 => FIRST_BUCKETS as u64,
            word => 1 << (word >> LENGTH_AT & LENGTH).min(u64::from(MOST)),
        }
    }

    fn place(&self) -> u64 {
        (self.word & PLACE) * PLACE_UNIT
    }

    fn side(&self) -> usize {
        (self.word >> SIDE_AT & 1) as usize
    }

    /// Where the chain of a hash begins.
    pub(super) fn chain(&self, hash: u64) -> Option<Link<'a>> {
        // The lowest bits chose the lock.
        self.bucket((hash / STRIPES as u64) & (self.buckets() - 1))
    }

    fn bucket(&self, bucket: u64) -> Option<Link<'a>> {
        let word = match self.place() {
            0 => {
                let first = self.number * FIRST_BUCKETS;
                let own = &self.segment.header().buckets[first..first + FIRST_BUCKETS];
                own.get(bucket as usize)
            }
            place => self.segment.at(place + bucket * size_of::<Sealed>() as u64),
        };
        let owner = BUCKET_OWNER ^ (self.number as u64) << 44 ^ self.place() ^ bucket;
        word.map(|word| Link { word, owner })
    }

    /// The link that leads on from the node at a place.
    pub(super) fn next(&self, at: u64, node: &'a Node) -> Link<'a> {
        let side = self.side();
        Link {
            word: &node.next[side],
            owner: at | (side as u64) << 44,
        }
    }

    /// Shows the nodes of a chain until the visitor says yes: the link to that one, and its place.
    pub(super) fn walk(
        &self,
        first: Link<'a>,
        mut visit: impl FnMut(u64, &'a Node) -> bool,
    ) -> Option<Option<(Link<'a>, u64)>> {
        let mut link = first;
        for _ in 0..MAX_CHAIN {
            let at = link.get()?;
            if at == 0 {
                return Some(None);
            }
            let node = self.segment.at::<Node>(at).filter(|node| node.is_sound())?;
            if visit(at, node) {
                return Some(Some((link, at)));
            }
            link = self.next(at, node);
        }
        None
    }

    /// Shows all nodes.
    pub(super) fn walk_all(&self, mut visit: impl FnMut(u64, &'a Node)) -> Option<()> {
        for bucket in 0..self.buckets() {
            self.walk(self.bucket(bucket)?, |at, node| {
                visit(at, node);
                false
            })?;
        }
        Some(())
    }

    /// Number of nodes, about: one that dies while it counts leaves it wrong by one.
    pub(super) fn groups(&self) -> u32 {
        self.segment.header().groups[self.number].load(Relaxed)
    }

    /// One came, or one went.
    pub(super) fn count(&self, came: bool) {
        let now = match came {
            true => self.groups().saturating_add(1),
            false => self.groups().saturating_sub(1),
        };
        self.segment.header().groups[self.number].store(now, Relaxed);
    }

    /// Makes a longer table before a node comes, when the chains are long. Without room for one
    /// they stay so: it is tried again only some groups later.
    pub(super) fn make_room(&mut self) {
        let (groups, buckets) = (u64::from(self.groups()), self.buckets());
        if groups < 2 * buckets || !groups.is_multiple_of(buckets) {
            return;
        }
        // The number decides nothing by itself: a program may have stored there.
        let mut nodes = 0;
        if self.walk_all(|_, _| nodes += 1).is_none() || nodes < buckets {
            let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
            self.segment.header().groups[self.number].store(nodes, Relaxed);
        } else if let Some(longer) = self.longer() {
            self.publish(longer);
        }
    }

    /// A longer table with all nodes, which nobody sees; its word.
    pub(super) fn longer(&self) -> Option<u64> {
        let length = self.buckets().trailing_zeros() + STEP;
        if length > MOST {
            return None;
        }
        let bytes = size_of::<Sealed>() << length;
        let heap = self.segment.heap();
        let place = heap.allocate_for(self.segment, self.owner(), bytes)?;
        let side = (self.side() ^ 1) as u64;
        let word = (place / PLACE_UNIT) | u64::from(length) << LENGTH_AT | side << SIDE_AT;
        let longer = Table { word, ..*self };
        for bucket in 0..longer.buckets() {
            longer.bucket(bucket)?.set(0);
        }
        self.walk_all(|at, node| {
            if let Some(head) = longer.chain(node.hash.load(Relaxed)) {
                longer.next(at, node).set(head.get().unwrap_or(0));
                head.set(at);
            }
        })?;
        Some(word)
    }

    fn owner(&self) -> u64 {
        TABLE_OWNER ^ self.number as u64
    }

    fn publish(&mut self, word: u64) {
        let old = *self;
        self.segment.header().tables[self.number].set(self.owner(), word);
        self.word = word;
        if old.place() != 0 {
            let heap = self.segment.heap();
            heap.free_of(self.segment, self.owner(), old.place());
        }
    }

    /// Puts a node in front of its chain; `false`: that was overwritten.
    pub(super) fn hang(&self, at: u64, node: &'a Node) -> bool {
        let head = self.chain(node.hash.load(Relaxed));
        let Some((head, first)) = head.and_then(|head| Some((head, head.get()?))) else {
            return false;
        };
        self.next(at, node).set(first);
        head.set(at);
        self.count(true);
        true
    }
}

#[cfg(test)]
impl Table<'_> {
    /// Nodes of the longest chain.
    pub(super) fn longest_chain(&self) -> usize {
        let length = |bucket| {
            let mut nodes = 0;
            self.walk(self.bucket(bucket).unwrap(), |_, _| {
                nodes += 1;
                false
            });
            nodes
        };
        (0..self.buckets()).map(length).max().unwrap_or(0)
    }
}
