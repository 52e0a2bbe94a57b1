//! Named counters: what lies in shared memory, and what workers ask the region.
//!
//! Not here: the commands, keeping counters in the store (`region/server/counter`).

use crate::language;
use crate::shared::{Group, Shared, Space};

/// Item of a counter's group.
const ITEM: u32 = 0;

/// Pool (8) and name (16): the group of a counter, and its key in the store.
pub type CounterKey = [u8; 24];

language! {
    /// A counter.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Counter {
        /// The number the next GET answers; `max + 1` at the limit.
        pub value: i128,
        /// Lowest number.
        pub min: i128,
        /// Highest number.
        pub max: i128,
    }

    /// What a worker asks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Request {
        /// Answers when the counter is in the store as it is now, or as it became meanwhile.
        1 = Keep(key: CounterKey),
    }
}

impl Counter {
    /// The counter of a group.
    pub fn read(group: &dyn Group) -> Option<Self> {
        Self::decode(group.get(ITEM)?)
    }

    /// `false`: shared storage is full.
    #[must_use]
    pub fn write(&self, group: &mut dyn Group) -> bool {
        group.put(ITEM, &self.encode())
    }

    /// The counter of a key.
    pub fn find(shared: &dyn Shared, key: &CounterKey) -> Option<Self> {
        let mut found = None;
        shared.with_group(Space::Counter, key, &mut |group| found = Self::read(group));
        found
    }

    /// Puts it where commands find it. `false`: shared storage is full.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared, key: &CounterKey) -> bool {
        let mut stored = false;
        shared.with_group(Space::Counter, key, &mut |group| stored = self.write(group));
        stored
    }

    /// No number is left.
    pub fn at_limit(&self) -> bool {
        self.value > self.max
    }
}
