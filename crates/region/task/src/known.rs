//! Definitions as a worker read them last, in its own memory.
//!
//! Why: they are needed at almost each command and change rarely; a copy needs no lock, no checksum
//! and no decoding. Not here: what is done with them.

use foldhash::HashMap;
use std::hash::Hash;
use std::rc::Rc;
use transom_wire::{Shared, Space};

/// Most definitions of one kind that are kept; with one more it begins afresh.
const KNOWN_MAX: usize = 256;

/// Definitions of one kind by their names.
pub struct Known<K, T> {
    space: Space,
    /// What [`Shared::changes`] said when they were read.
    changes: u64,
    by_name: HashMap<K, Rc<T>>,
}

impl<K: Eq + Hash, T> Known<K, T> {
    pub fn of(space: Space) -> Self {
        debug_assert!(space.is_remembered());
        Self {
            space,
            changes: 0,
            by_name: HashMap::default(),
        }
    }

    /// The definition as it is now; `read` when it is not known.
    pub fn find(
        &mut self,
        shared: &dyn Shared,
        name: K,
        read: impl FnOnce(K) -> Option<T>,
    ) -> Option<Rc<T>>
    where
        K: Copy,
    {
        let changes = shared.changes(self.space);
        if self.changes != changes {
            self.by_name.clear();
            self.changes = changes;
        }
        if let Some(known) = self.by_name.get(&name) {
            return Some(known.clone());
        }
        let found = Rc::new(read(name)?);
        if self.by_name.len() >= KNOWN_MAX {
            self.by_name.clear();
        }
        self.by_name.insert(name, found.clone());
        Some(found)
    }
}
