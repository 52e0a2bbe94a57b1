//! Numbers of UOW links, by which INQUIRE and SET UOWLINK name them.
//!
//! What: one keeps its number as long as it is there, and another one gets the next. Not here:
//! which there are (`units`).

use std::collections::BTreeMap;
use transom_recovery::UowId;
use transom_types::Applid;

/// Unit of work of this region, the other region, and whether that one coordinates.
pub(crate) type Key = (UowId, Applid, bool);

/// Those of UOW links that are there.
#[derive(Default)]
pub(crate) struct Tokens {
    last: u32,
    known: BTreeMap<Key, u32>,
}

impl Tokens {
    /// The others are gone.
    pub(crate) fn keep(&mut self, stays: impl Fn(&Key) -> bool) {
        self.known.retain(|key, _| stays(key));
    }

    /// The number of one.
    pub(crate) fn of(&mut self, key: Key) -> u32 {
        if let Some(token) = self.known.get(&key) {
            return *token;
        }
        self.last = self.last.wrapping_add(1);
        self.known.insert(key, self.last);
        self.last
    }
}
