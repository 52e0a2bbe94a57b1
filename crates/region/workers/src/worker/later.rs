//! A request that waits for the next one of its task.
//!
//! What: its bytes, under a checksum: they lie in memory of the worker, where a program may store;
//! what it changed must not become a record. Not here: what may wait (`region/commands`).

use transom_wire::requests::{Along, ToRegion};

/// At most one; empty: none.
#[derive(Default)]
pub(super) struct Later {
    message: Vec<u8>,
    sum: u32,
}

impl Later {
    pub(super) fn put(&mut self, message: Vec<u8>) {
        self.sum = crc32fast::hash(&message);
        self.message = message;
    }

    pub(super) fn is_some(&self) -> bool {
        !self.message.is_empty()
    }

    pub(super) fn forget(&mut self) {
        self.message.clear();
    }

    /// What is asked in place of `then`; `None`: the bytes are not those that were put here.
    pub(super) fn with(&self, then: &[u8]) -> Option<Vec<u8>> {
        let first = self.message.clone();
        let whole = crc32fast::hash(&first) == self.sum;
        let then = then.to_vec();
        whole.then(|| Along { first, then }.message())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_wire::requests::Domain;

    #[test]
    fn what_waits_comes_in_front_of_the_question() {
        let mut later = Later::default();
        later.put(vec![1, 2]);
        assert!(later.is_some());
        let message = later.with(&[3]).unwrap();
        let (domain, request) = Domain::open(&message).unwrap();
        let along = Along::decode(request).unwrap();
        assert_eq!(
            (domain, along.first, along.then),
            (Domain::Along, vec![1, 2], vec![3])
        );
        // Asked or not: that shows when there was room for it.
        assert!(later.is_some());
        later.forget();
        assert!(!later.is_some());
    }

    #[test]
    fn what_a_program_stored_over_is_not_asked() {
        let mut later = Later::default();
        later.put(vec![1, 2]);
        later.message[1] = 9;
        assert_eq!(later.with(&[3]), None);
    }
}
