//! Region-wide data in shared memory, as region and workers see it.
//!
//! What: [`Shared`], groups of numbered items, and [`Space`], one per kind of data. Why a trait:
//! workers map the segment, tests keep it in a map. Not here: the segment itself
//! (`transom_workers`), what the items mean (the module of each domain).

use std::sync::Arc;

// Those of resource kinds follow from their table.
include!(concat!(env!("OUT_DIR"), "/space.rs"));

/// Region-wide data: groups of numbered items, each group updated under one lock.
pub trait Shared {
    /// Runs `f` with the group locked. The group need not exist. Keep `f` short: no waits inside.
    /// A worker that dies inside leaves every single item either old or new.
    fn with_group(&self, space: Space, group: &[u8], f: &mut dyn FnMut(&mut dyn Group));
    /// Names of all groups of a space, unordered.
    fn group_names(&self, space: Space) -> Vec<Vec<u8>>;
    /// Changes with each change of a definition (item 0) of a space that is
    /// [remembered](Space::is_remembered): what was read under one number is so while the number is
    /// the same. Look at the number first, then read.
    fn changes(&self, space: Space) -> u64;
    /// Percent of shared storage in use, 0 to 100.
    fn percent_used(&self) -> u8 {
        0
    }
}

impl<T: Shared + ?Sized> Shared for Arc<T> {
    fn with_group(&self, space: Space, group: &[u8], f: &mut dyn FnMut(&mut dyn Group)) {
        (**self).with_group(space, group, f);
    }

    fn group_names(&self, space: Space) -> Vec<Vec<u8>> {
        (**self).group_names(space)
    }

    fn changes(&self, space: Space) -> u64 {
        (**self).changes(space)
    }

    fn percent_used(&self) -> u8 {
        (**self).percent_used()
    }
}

impl Space {
    /// Tasks make and change all of it.
    pub fn is_of_tasks(self) -> bool {
        matches!(
            self,
            Self::TsMain | Self::Enqueue | Self::Task | Self::Interval | Self::Edf | Self::Asked
        )
    }

    /// Workers keep what they read of it in their own memory: it is read at almost each command and
    /// changes rarely.
    pub fn is_remembered(self) -> bool {
        matches!(
            self,
            Self::File
                | Self::Program
                | Self::Transaction
                | Self::System
                | Self::Edf
                | Self::Connection
                | Self::IpConn
        )
    }
}

/// One locked group.
pub trait Group {
    /// An item.
    fn get(&self, item: u32) -> Option<&[u8]>;
    /// Stores an item; `false`: shared storage is full and nothing changed.
    fn put(&mut self, item: u32, value: &[u8]) -> bool;
    /// Removes an item.
    fn remove(&mut self, item: u32);
    /// Removes the group.
    fn remove_all(&mut self);
    /// Numbers of all items, ascending.
    fn items(&self) -> Vec<u32>;

    /// Adds to one of an item's `places` numbers, of eight bytes each, lowest first. Nothing
    /// happens to a group that does not exist, or without room for the numbers: nothing but
    /// statistics depends on them, so they alone have no checksum in shared memory.
    fn count(&mut self, item: u32, places: usize, place: usize, by: u64) {
        if place >= places || self.items().is_empty() {
            return;
        }
        let mut numbers = self.get(item).map_or_else(Vec::new, <[u8]>::to_vec);
        numbers.resize(places * 8, 0);
        if let Some(number) = numbers.as_chunks_mut::<8>().0.get_mut(place) {
            *number = u64::from_le_bytes(*number).wrapping_add(by).to_le_bytes();
        }
        // As above.
        let _counted = self.put(item, &numbers);
    }
}
