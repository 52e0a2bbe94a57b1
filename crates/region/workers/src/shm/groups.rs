//! Region-wide data: groups of numbered items in the shared heap.
//!
//! What: groups by their names (`table`); each has an index of its items, sorted by number; each
//! item is a block of its own. Why: queues, counters, definitions and running tasks live here and
//! every worker works on them directly. A change is a new block published by one store, under the
//! lock of the group's stripe, so a death inside leaves each item old or new.

use super::Segment;
use super::layout::STRIPES;
use super::table::{Node, Table};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use transom_wire::{Group, Shared, Space};

/// Longest group name.
pub(crate) const MAX_GROUP_NAME: usize = 512;
const FIRST_INDEX_ENTRIES: u32 = 6;

/// Index of a group. `count` entries follow, sorted by item, with `capacity` places.
#[repr(C)]
struct Index {
    capacity: AtomicU32,
    count: AtomicU32,
}

/// An item; offset 0 = removed.
#[repr(C)]
struct Entry {
    item: AtomicU32,
    bytes: AtomicU32,
    at: AtomicU64,
}

const NODE: usize = size_of::<Node>();
const INDEX: usize = size_of::<Index>();
const ENTRY: usize = size_of::<Entry>();

/// [`Shared`] on a segment.
#[derive(Clone, Copy)]
pub(crate) struct Groups<'a>(pub(crate) &'a Segment);

impl std::fmt::Debug for Groups<'_> {
    /// The segment shows itself.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Groups").finish_non_exhaustive()
    }
}

fn hash(space: Space, name: &[u8]) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325_u64 ^ (space as u64);
    for byte in name {
        h = (h ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    h ^ (h >> 29)
}

impl Shared for Groups<'_> {
    fn with_group(&self, space: Space, group: &[u8], f: &mut dyn FnMut(&mut dyn Group)) {
        let name = &group[..group.len().min(MAX_GROUP_NAME)];
        let hash = hash(space, name);
        let stripe = hash as usize % STRIPES;
        let _held = self.0.header().stripes[stripe].lock();
        let mut view = View {
            segment: self.0,
            space,
            name,
            hash,
            stripe,
            node: 0,
        };
        view.node = view.find().map_or(0, |(_, node)| node);
        f(&mut view);
        view.drop_if_empty();
    }

    fn percent_used(&self) -> u8 {
        let heap = self.0.heap();
        let percent = heap.used_bytes().saturating_mul(100) / heap.total_bytes().max(1);
        u8::try_from(percent).unwrap_or(100).min(100)
    }

    fn group_names(&self, space: Space) -> Vec<Vec<u8>> {
        let mut names = Vec::new();
        for stripe in 0..STRIPES {
            let _held = self.0.header().stripes[stripe].lock();
            let table = Table::of(self.0, space, stripe);
            names.reserve(table.groups() as usize);
            table.walk_all(|at, node| {
                names.extend(name_of(self.0, at, node).map(<[u8]>::to_vec));
            });
        }
        names
    }
}

fn name_of<'a>(segment: &'a Segment, at: u64, node: &Node) -> Option<&'a [u8]> {
    let bytes = node.name_bytes.load(Ordering::Relaxed) as usize;
    segment.slice(at + NODE as u64, bytes.min(MAX_GROUP_NAME))
}

/// A locked group.
struct View<'a> {
    segment: &'a Segment,
    space: Space,
    name: &'a [u8],
    hash: u64,
    stripe: usize,
    /// Offset, 0 = does not exist.
    node: u64,
}

impl<'a> View<'a> {
    fn table(&self) -> Table<'a> {
        Table::of(self.segment, self.space, self.stripe)
    }

    /// The link that points to the node, and the node.
    fn find(&self) -> Option<(&'a AtomicU64, u64)> {
        let table = self.table();
        let mut link = table.chain(self.hash)?;
        let mut found = None;
        table.walk(link.load(Ordering::Acquire), |at, node| {
            let same = node.hash.load(Ordering::Relaxed) == self.hash
                && node.space.load(Ordering::Relaxed) == self.space as u32
                && name_of(self.segment, at, node) == Some(self.name);
            if same {
                found = Some((link, at));
            }
            link = table.next(node);
            !same
        });
        found
    }

    fn node(&self) -> Option<&'a Node> {
        if self.node == 0 {
            None
        } else {
            self.segment.at(self.node)
        }
    }

    fn index(&self) -> Option<(&'a Index, &'a [Entry])> {
        let at = self.node()?.index.load(Ordering::Acquire);
        let index = self.segment.at::<Index>(at)?;
        if at % 8 != 0 {
            return None;
        }
        let capacity = index.capacity.load(Ordering::Relaxed) as usize;
        let count = (index.count.load(Ordering::Acquire) as usize).min(capacity);
        let entries = self
            .segment
            .slice(at + INDEX as u64, count.checked_mul(ENTRY)?)?;
        // SAFETY: the slice has `count` entries, 8-byte aligned since `at` and the mapping are, and
        // an entry is atomics only.
        let entries =
            unsafe { std::slice::from_raw_parts(entries.as_ptr().cast::<Entry>(), count) };
        Some((index, entries))
    }

    fn entry(&self, item: u32) -> Option<&'a Entry> {
        let (_, entries) = self.index()?;
        let i = entries
            .binary_search_by_key(&item, |e| e.item.load(Ordering::Relaxed))
            .ok()?;
        Some(&entries[i])
    }

    fn create(&mut self) -> bool {
        let heap = self.segment.heap();
        let mut table = self.table();
        table.make_room();
        let Some(at) = heap.allocate(NODE + self.name.len()) else {
            return false;
        };
        let Some(index) = new_index(self.segment, FIRST_INDEX_ENTRIES) else {
            heap.free(at);
            return false;
        };
        let Some(node) = self.segment.at::<Node>(at) else {
            return false;
        };
        node.hash.store(self.hash, Ordering::Relaxed);
        node.index.store(index, Ordering::Relaxed);
        node.space.store(self.space as u32, Ordering::Relaxed);
        node.name_bytes
            .store(self.name.len() as u32, Ordering::Relaxed);
        self.segment.write(at + NODE as u64, self.name);
        if !table.hang(at, node) {
            return false;
        }
        self.node = at;
        true
    }

    /// Adds an entry for a new item whose value is at `at`.
    fn insert(&mut self, item: u32, at: u64, bytes: u32) -> bool {
        let (segment, node) = (self.segment, self.node);
        let Some((index, entries)) = self.index() else {
            return false;
        };
        let capacity = index.capacity.load(Ordering::Relaxed);
        let last = entries.last().map(|e| e.item.load(Ordering::Relaxed));
        if last.is_none_or(|last| last < item) && (entries.len() as u32) < capacity {
            let index_at = self.node().map_or(0, |n| n.index.load(Ordering::Acquire));
            let place = index_at + (INDEX + entries.len() * ENTRY) as u64;
            let Some(entry) = segment.at::<Entry>(place) else {
                return false;
            };
            set_entry(entry, item, bytes, at);
            index
                .count
                .store(entries.len() as u32 + 1, Ordering::Release);
            return true;
        }
        let live = entries
            .iter()
            .filter(|e| e.at.load(Ordering::Relaxed) != 0)
            .count() as u32;
        let Some(new) = new_index(segment, (live + 1).saturating_mul(2).max(capacity / 2)) else {
            return false;
        };
        let mut out = 0;
        let mut push = |item, bytes, at| {
            if let Some(entry) = segment.at::<Entry>(new + (INDEX + out * ENTRY) as u64) {
                set_entry(entry, item, bytes, at);
                out += 1;
            }
        };
        let mut pending = Some((item, bytes, at));
        for entry in entries.iter().filter(|e| e.at.load(Ordering::Relaxed) != 0) {
            let here = entry.item.load(Ordering::Relaxed);
            if here > item
                && let Some((item, bytes, at)) = pending.take()
            {
                push(item, bytes, at);
            }
            push(
                here,
                entry.bytes.load(Ordering::Relaxed),
                entry.at.load(Ordering::Relaxed),
            );
        }
        if let Some((item, bytes, at)) = pending {
            push(item, bytes, at);
        }
        self.publish_index(node, new, out as u32)
    }

    fn publish_index(&self, node: u64, new: u64, count: u32) -> bool {
        let (Some(index), Some(node)) =
            (self.segment.at::<Index>(new), self.segment.at::<Node>(node))
        else {
            return false;
        };
        index.count.store(count, Ordering::Relaxed);
        let old = node.index.swap(new, Ordering::AcqRel);
        self.segment.heap().free(old);
        true
    }

    fn drop_if_empty(&mut self) {
        let empty = match self.index() {
            Some((_, entries)) => entries.iter().all(|e| e.at.load(Ordering::Relaxed) == 0),
            None => false,
        };
        if empty {
            self.remove_all();
        }
    }
}

/// Length and place of a value must change together: both are in one block, the value's length
/// first, and `Entry::bytes` is only for people who read dumps.
fn value(segment: &Segment, at: u64) -> Option<&[u8]> {
    let bytes = segment.at::<AtomicU64>(at)?.load(Ordering::Relaxed);
    segment.slice(at + 8, usize::try_from(bytes).ok()?)
}

fn set_entry(entry: &Entry, item: u32, bytes: u32, at: u64) {
    entry.item.store(item, Ordering::Relaxed);
    entry.bytes.store(bytes, Ordering::Relaxed);
    entry.at.store(at, Ordering::Release);
}

fn new_index(segment: &Segment, entries: u32) -> Option<u64> {
    let at = segment.heap().allocate(INDEX + entries as usize * ENTRY)?;
    let index = segment.at::<Index>(at)?;
    let room = segment.heap().size_of_block(at)?;
    index
        .capacity
        .store(((room - INDEX) / ENTRY) as u32, Ordering::Relaxed);
    index.count.store(0, Ordering::Relaxed);
    Some(at)
}

impl Group for View<'_> {
    fn get(&self, item: u32) -> Option<&[u8]> {
        let at = self.entry(item)?.at.load(Ordering::Acquire);
        if at == 0 {
            None
        } else {
            value(self.segment, at)
        }
    }

    fn put(&mut self, item: u32, bytes: &[u8]) -> bool {
        let heap = self.segment.heap();
        let Some(at) = heap.allocate(8 + bytes.len()) else {
            return false;
        };
        if let Some(length) = self.segment.at::<AtomicU64>(at) {
            length.store(bytes.len() as u64, Ordering::Relaxed);
        }
        self.segment.write(at + 8, bytes);
        let size = bytes.len() as u32;
        let stored = if let Some(entry) = self.entry(item) {
            let old = entry.at.swap(at, Ordering::AcqRel);
            entry.bytes.store(size, Ordering::Relaxed);
            if old != 0 {
                heap.free(old);
            }
            true
        } else {
            (self.node != 0 || self.create()) && self.insert(item, at, size)
        };
        if !stored {
            heap.free(at);
        }
        stored
    }

    fn remove(&mut self, item: u32) {
        if let Some(entry) = self.entry(item) {
            let old = entry.at.swap(0, Ordering::AcqRel);
            if old != 0 {
                self.segment.heap().free(old);
            }
        }
    }

    fn remove_all(&mut self) {
        let Some((link, at)) = self.find() else {
            return;
        };
        let heap = self.segment.heap();
        let Some(node) = self.segment.at::<Node>(at) else {
            return;
        };
        let table = self.table();
        link.store(table.next(node).load(Ordering::Acquire), Ordering::Release);
        table.count(false);
        if let Some((_, entries)) = self.index() {
            for entry in entries {
                let at = entry.at.load(Ordering::Relaxed);
                if at != 0 {
                    heap.free(at);
                }
            }
        }
        heap.free(node.index.load(Ordering::Relaxed));
        heap.free(at);
        self.node = 0;
    }

    fn items(&self) -> Vec<u32> {
        self.index().map_or_else(Vec::new, |(_, entries)| {
            entries
                .iter()
                .filter(|e| e.at.load(Ordering::Relaxed) != 0)
                .map(|e| e.item.load(Ordering::Relaxed))
                .collect()
        })
    }
}

#[cfg(test)]
mod tests;
