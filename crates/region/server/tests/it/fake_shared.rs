//! Shared memory of a region that is a map.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use transom_wire::{Group, Shared, Space};

type Name = (Space, Vec<u8>);
type Items = BTreeMap<u32, Vec<u8>>;

/// Groups, and which of them somebody works on.
#[derive(Default)]
pub(crate) struct FakeShared {
    state: Mutex<State>,
    let_go: Condvar,
}

#[derive(Default)]
struct State {
    groups: BTreeMap<Name, Items>,
    taken: HashSet<Name>,
}

impl FakeShared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct View<'a>(&'a mut Items);

impl Group for View<'_> {
    fn get(&self, item: u32) -> Option<&[u8]> {
        self.0.get(&item).map(Vec::as_slice)
    }
    fn put(&mut self, item: u32, value: &[u8]) -> bool {
        self.0.insert(item, value.to_vec());
        true
    }
    fn remove(&mut self, item: u32) {
        self.0.remove(&item);
    }
    fn remove_all(&mut self) {
        self.0.clear();
    }
    fn items(&self) -> Vec<u32> {
        self.0.keys().copied().collect()
    }
}

impl Shared for FakeShared {
    fn with_group(&self, space: Space, group: &[u8], f: &mut dyn FnMut(&mut dyn Group)) {
        let name = (space, group.to_vec());
        let mut state = self.state();
        while state.taken.contains(&name) {
            let waited = self.let_go.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.taken.insert(name.clone());
        let mut items = state.groups.remove(&name).unwrap_or_default();
        drop(state);
        f(&mut View(&mut items));
        let mut state = self.state();
        state.taken.remove(&name);
        if !items.is_empty() {
            state.groups.insert(name, items);
        }
        self.let_go.notify_all();
    }

    /// What was read is never current.
    fn changes(&self, _: Space) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }

    fn group_names(&self, space: Space) -> Vec<Vec<u8>> {
        let state = self.state();
        let names = state.groups.keys().filter(|(kind, _)| *kind == space);
        names.map(|(_, name)| name.clone()).collect()
    }
}
