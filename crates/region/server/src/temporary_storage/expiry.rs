//! Temporary storage queues whose time is over although nobody names them any more.
//!
//! What: looks once in a while for queues that were not used for EXPIRYINT of their model, and
//! deletes them. Not here: queues a command names (`temporary_storage::place`), recoverable ones:
//! EXPIRYINT means nothing for them.

use super::Queues;
use crate::clock::Clock;
use std::sync::{Arc, Weak};
use std::time::Duration;
use transom_messages as messages;
use transom_wire::definitions::TsModelEntry;
use transom_wire::temporary_storage::{self as items, HOUR_MS, Header};
use transom_wire::{Shared, Space};

/// Between two looks. EXPIRYINT is in hours.
const EVERY: Duration = Duration::from_secs(300);

impl Queues {
    /// Looks from now on, if any model gives its queues an end.
    pub(super) fn begin_expiry(self: &Arc<Self>) {
        if TsModelEntry::any_expiring(self.kernel.shared()) {
            tokio::spawn(run(Arc::downgrade(self), self.kernel.clock.clone()));
        }
    }

    fn expire(&self) {
        let clock = &self.kernel.clock;
        let now = transom_workers::abstime_at(i64::try_from(clock.unix_ms()).unwrap_or(i64::MAX));
        let (queues, tokens) = sweep(self.kernel.shared(), now);
        tokens.into_iter().for_each(|token| self.spill.free(token));
        if queues > 0 {
            self.kernel.tell(messages::ts::queues_expired(queues));
        }
    }
}

async fn run(queues: Weak<Queues>, clock: Arc<dyn Clock>) {
    loop {
        clock.sleep(EVERY).await;
        match queues.upgrade() {
            Some(queues) if !queues.kernel.is_stopping() => queues.expire(),
            _ => return,
        }
    }
}

/// Deletes what is over; answers how many queues, and the tokens of their items.
fn sweep(shared: &dyn Shared, now: i64) -> (usize, Vec<u64>) {
    let (mut queues, mut tokens) = (0, Vec::new());
    for name in shared.group_names(Space::TsMain) {
        let model = name[..]
            .try_into()
            .ok()
            .and_then(|name| TsModelEntry::of(shared, name));
        let Some(model) = model.filter(|model| model.expiry_hours > 0) else {
            continue;
        };
        let unused_since = now - i64::from(model.expiry_hours) * HOUR_MS;
        let is_over = |header: &Header| header.used < unused_since;
        let (deleted, of_queue) = items::delete_if(shared, &name, &is_over);
        queues += usize::from(deleted == Some(true));
        tokens.extend(of_queue);
    }
    (queues, tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use transom_types::TransId;
    use transom_wire::Group;
    use transom_wire::temporary_storage::new_header;

    type Items = BTreeMap<u32, Vec<u8>>;

    /// Shared storage of one process.
    #[derive(Default)]
    struct Alone(RefCell<BTreeMap<(Space, Vec<u8>), Items>>);

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

    impl Shared for Alone {
        fn with_group(&self, space: Space, group: &[u8], f: &mut dyn FnMut(&mut dyn Group)) {
            let key = (space, group.to_vec());
            let mut items = self.0.borrow_mut().remove(&key).unwrap_or_default();
            f(&mut View(&mut items));
            if !items.is_empty() {
                self.0.borrow_mut().insert(key, items);
            }
        }
        fn group_names(&self, space: Space) -> Vec<Vec<u8>> {
            let groups = self.0.borrow();
            let names = groups.keys().filter(|(kind, _)| *kind == space);
            names.map(|(_, name)| name.clone()).collect()
        }
    }

    #[test]
    fn queues_nobody_uses_are_deleted_when_their_model_says_so() {
        let shared = Alone::default();
        let mut model = TsModelEntry::new(*b"SHORT   ", b"SHORT");
        model.expiry_hours = 2;
        assert!(!TsModelEntry::any_expiring(&shared));
        assert!(model.install(&shared));
        assert!(TsModelEntry::any_expiring(&shared));
        for (name, used) in [
            (b"SHORT.A         ", 0),
            (b"SHORT.B         ", HOUR_MS),
            (b"LONG            ", 0),
        ] {
            shared.with_group(Space::TsMain, name, &mut |group| {
                let mut header = new_header(TransId::BLANK, false);
                (header.used, header.count) = (used, 2);
                assert!(header.write(group));
                let token = items::Token {
                    number: 77,
                    bytes: 9,
                };
                assert!(items::put(group, 1, items::New::Data(b"item")));
                assert!(items::put(group, 2, items::New::Token(token)));
            });
        }
        assert_eq!(sweep(&shared, 2 * HOUR_MS + 1), (1, vec![77]));
        let left = shared.group_names(Space::TsMain);
        assert_eq!(
            left,
            [b"LONG            ".to_vec(), b"SHORT.B         ".to_vec()]
        );
    }
}
