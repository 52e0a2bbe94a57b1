//! Region-wide data: groups of numbered items in the shared heap.
//!
//! What: groups by their names (`table`); each has an index of its items, sorted by number; each
//! item is a block of its own. Why: queues, counters, definitions and running tasks live here and
//! every worker works on them directly. A change is a new block published by one store, under the
//! lock of the group's stripe, so a death inside leaves each item old or new.

use super::Segment;
use super::layout::STRIPES;
use super::lock::Held;
use super::table::{Link, Node, Table};
mod nodes;
mod shared;
mod split;
mod values;

use nodes::*;
use std::sync::atomic::Ordering;
use transom_wire::definitions::DEFINITION;
use transom_wire::{Group, Space};

/// [`Shared`] on a segment.
#[derive(Clone, Copy)]
pub(crate) struct Groups<'a>(pub(crate) &'a Segment);

impl std::fmt::Debug for Groups<'_> {
    /// The segment shows itself.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Groups").finish_non_exhaustive()
    }
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
    /// Nobody looked for the group yet.
    fn of(segment: &'a Segment, space: Space, name: &'a [u8]) -> Self {
        let hash = hash(space, name);
        Self {
            segment,
            space,
            name,
            hash,
            stripe: hash as usize % STRIPES,
            node: 0,
        }
    }

    fn locked(segment: &'a Segment, space: Space, name: &'a [u8]) -> (Self, Held<'a>) {
        let view = Self::of(segment, space, name);
        let held = segment.header().stripes[view.stripe].lock();
        (view, held)
    }

    /// Looks for the group.
    fn look(&mut self) {
        self.node = self.find().map_or(0, |(_, node)| node);
    }

    /// An item with its number.
    fn copy_of(&self, item: u32) -> Option<(u32, Vec<u8>)> {
        self.get(item).map(|bytes| (item, bytes.to_vec()))
    }

    /// All items.
    fn copies(&self) -> Vec<(u32, Vec<u8>)> {
        let live = self.live().into_iter();
        live.filter_map(|(item, _)| self.copy_of(item)).collect()
    }

    fn table(&self) -> Option<Table<'a>> {
        let table = Table::of(self.segment, self.space, self.stripe);
        if table.is_none() {
            self.damaged();
        }
        table
    }

    /// The link that leads to the node, and its place.
    fn find(&self) -> Option<(Link<'a>, u64)> {
        let table = self.table()?;
        let mut sound = true;
        let visit = |at, node: &Node| {
            let same = node.hash.load(Ordering::Relaxed) == self.hash
                && node.space.load(Ordering::Relaxed) == self.space as u32;
            if !same {
                return false;
            }
            // Whoever chooses names can find two with one hash; a name without it was changed.
            let name = name_of(self.segment, at, node);
            sound &= name.is_some_and(|name| hash(self.space, name) == self.hash);
            name == Some(self.name)
        };
        let found = table.chain(self.hash).and_then(|c| table.walk(c, visit));
        if found.is_none() || !sound {
            self.damaged();
        }
        found.flatten()
    }

    fn damaged(&self) {
        self.segment.note_damage(kind_of(self.space));
    }

    fn node(&self) -> Option<&'a Node> {
        if self.node == 0 {
            None
        } else {
            self.segment.at(self.node)
        }
    }

    fn index(&self) -> Option<(&'a Index, &'a [Entry])> {
        let node = self.node()?;
        let owner = self.hash ^ INDEX_OWNER;
        let found = || {
            let at = node.index.get(owner)?;
            let index = self.segment.at::<Index>(at)?;
            // The count is checked by group and place, and each entry by group and item: whose
            // block this is need not be asked.
            let count = usize::try_from(index.count.get(owner ^ at)?).ok()?;
            let bytes = count.checked_mul(ENTRY)?;
            Some((index, self.segment.slice(at + INDEX as u64, bytes)?, count))
        };
        let Some((index, entries, count)) = found() else {
            self.damaged();
            return None;
        };
        // SAFETY: the slice has `count` entries, 8-byte aligned since the index in front of it is,
        // and an entry is atomics only: whoever stores there, each load is one value.
        let entries =
            unsafe { std::slice::from_raw_parts(entries.as_ptr().cast::<Entry>(), count) };
        Some((index, entries))
    }

    fn entry(&self, item: u32) -> Option<&'a Entry> {
        let (_, entries) = self.index()?;
        let mut sound = true;
        let found = entries.binary_search_by_key(&item, |entry| {
            sound &= entry.at.get(self.owner_of(entry.item())).is_some();
            entry.item()
        });
        if !sound {
            self.damaged();
        }
        found.ok().map(|i| &entries[i])
    }

    /// Items that are there, with their places.
    fn live(&self) -> Vec<(u32, u64)> {
        let Some((_, entries)) = self.index() else {
            return Vec::new();
        };
        let mut live = Vec::with_capacity(entries.len());
        for entry in entries {
            match entry.at.get(self.owner_of(entry.item())) {
                Some(0) => {}
                Some(at) => live.push((entry.item(), at)),
                None => self.damaged(),
            }
        }
        live
    }

    fn create(&mut self) -> bool {
        let heap = self.segment.heap();
        let Some(mut table) = self.table() else {
            return false;
        };
        table.make_room();
        let (segment, owner) = (self.segment, self.hash ^ NODE_OWNER);
        let Some(at) = heap.allocate_for(segment, owner, NODE + self.name.len()) else {
            return false;
        };
        let Some(index) = self.new_index(FIRST_INDEX_ENTRIES) else {
            heap.free_of(segment, owner, at);
            return false;
        };
        let Some(node) = self.segment.at::<Node>(at) else {
            return false;
        };
        node.fill(self.hash, self.space, self.name.len());
        node.index.set(self.hash ^ INDEX_OWNER, index);
        self.segment.write(at + NODE as u64, self.name);
        if !table.hang(at, node) {
            self.damaged();
            return false;
        }
        self.node = at;
        true
    }

    /// Adds an entry for a new item whose value is at `at`.
    fn insert(&mut self, item: u32, at: u64) -> bool {
        let (segment, node) = (self.segment, self.node);
        let Some((index, entries)) = self.index() else {
            return false;
        };
        let owner = self.hash ^ INDEX_OWNER;
        let index_at = self.node().and_then(|node| node.index.get(owner));
        let Some(index_at) = index_at else {
            return false;
        };
        let room = segment.heap().room_of(segment, owner, index_at);
        let most = room.unwrap_or(0).saturating_sub(INDEX) / ENTRY;
        let capacity = most.min(index.capacity.load(Ordering::Relaxed) as usize);
        let last = entries.last().map(Entry::item);
        if last.is_none_or(|last| last < item) && entries.len() < capacity {
            let place = index_at + (INDEX + entries.len() * ENTRY) as u64;
            let Some(entry) = segment.at::<Entry>(place) else {
                return false;
            };
            self.set_entry(entry, item, at);
            index.count.set(owner ^ index_at, entries.len() as u64 + 1);
            return true;
        }
        let mut live = self.live();
        let behind = live.partition_point(|(here, _)| *here < item);
        live.insert(behind, (item, at));
        let wanted = live.len().saturating_mul(2).max(capacity / 2);
        let Some(new) = self.new_index(u32::try_from(wanted).unwrap_or(u32::MAX)) else {
            return false;
        };
        for (n, (item, at)) in live.iter().enumerate() {
            if let Some(entry) = segment.at::<Entry>(new + (INDEX + n * ENTRY) as u64) {
                self.set_entry(entry, *item, *at);
            }
        }
        self.publish_index(node, new, live.len() as u64)
    }

    fn set_entry(&self, entry: &Entry, item: u32, at: u64) {
        entry.item.store(item.into(), Ordering::Relaxed);
        entry.at.set(self.owner_of(item), at);
    }

    fn publish_index(&self, node: u64, new: u64, count: u64) -> bool {
        let (Some(index), Some(node)) =
            (self.segment.at::<Index>(new), self.segment.at::<Node>(node))
        else {
            return false;
        };
        let owner = self.hash ^ INDEX_OWNER;
        index.count.set(owner ^ new, count);
        match node.index.replace(owner, new) {
            Some(old) => self.free(owner, old),
            None => self.damaged(),
        }
        true
    }

    fn new_index(&self, entries: u32) -> Option<u64> {
        let (segment, owner) = (self.segment, self.hash ^ INDEX_OWNER);
        let bytes = INDEX + entries as usize * ENTRY;
        let at = segment.heap().allocate_for(segment, owner, bytes)?;
        let index = segment.at::<Index>(at)?;
        let room = segment.heap().room_of(segment, owner, at)?;
        index
            .capacity
            .store(((room - INDEX) / ENTRY) as u64, Ordering::Relaxed);
        index.count.set(owner ^ at, 0);
        Some(at)
    }

    /// Whose the value of an item is.
    fn owner_of(&self, item: u32) -> u64 {
        self.hash ^ (u64::from(item) << 16)
    }

    /// A definition changed, after it did.
    fn changed(&self, item: u32) {
        if item == DEFINITION && self.space.is_remembered() {
            let changes = &self.segment.header().changes[self.space as usize];
            changes.0.fetch_add(1, Ordering::Release);
        }
    }

    /// Gives a block back that is this owner's. One that no longer says so stays taken: it may be
    /// another one's by now.
    fn free(&self, owner: u64, at: u64) {
        if !self.segment.heap().free_of(self.segment, owner, at) {
            self.damaged();
        }
    }

    fn drop_if_empty(&mut self) {
        let empty = match self.index() {
            Some((_, entries)) => entries
                .iter()
                .all(|e| e.at.get(self.owner_of(e.item())) == Some(0)),
            None => false,
        };
        if empty {
            self.remove_all();
        }
    }
}

impl Group for View<'_> {
    fn get(&self, item: u32) -> Option<&[u8]> {
        match self.entry(item)?.at.get(self.owner_of(item))? {
            0 => None,
            at => self.value(item, at),
        }
    }

    fn put(&mut self, item: u32, bytes: &[u8]) -> bool {
        let stored = self.store_bytes(item, bytes);
        self.changed(item);
        stored
    }

    fn count(&mut self, item: u32, places: usize, place: usize, by: u64) {
        if self.node != 0 && place < places {
            self.add(item, places, place, by);
        }
    }

    fn remove(&mut self, item: u32) {
        if let Some(entry) = self.entry(item)
            && let Some(old @ 1..) = entry.at.replace(self.owner_of(item), 0)
        {
            self.free(self.owner_of(item), old);
        }
        self.changed(item);
    }

    fn remove_all(&mut self) {
        let (Some(table), Some((link, at))) = (self.table(), self.find()) else {
            return;
        };
        let Some(node) = self.segment.at::<Node>(at) else {
            return;
        };
        let Some(next) = table.next(at, node).get() else {
            return self.damaged();
        };
        let (live, index) = (self.live(), node.index.get(self.hash ^ INDEX_OWNER));
        link.set(next);
        self.changed(DEFINITION);
        table.count(false);
        for (item, at) in live {
            self.free(self.owner_of(item), at);
        }
        if let Some(index) = index {
            self.free(self.hash ^ INDEX_OWNER, index);
        }
        self.free(self.hash ^ NODE_OWNER, at);
        self.node = 0;
    }

    fn items(&self) -> Vec<u32> {
        self.live().into_iter().map(|(item, _)| item).collect()
    }
}

#[cfg(test)]
mod tests;
