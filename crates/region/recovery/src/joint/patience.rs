//! Waits of units of work that hold something in another store.
//!
//! Each store finds circles of its own; a circle that goes through two stores nobody sees. So who
//! waits without end in one store while it holds locks in another waits for a limited time, and is
//! then refused as in a deadlock.

use super::JointStore;
use crate::{Part, StoreError, StoreFuture, UowId, UowStore, Wait, ready};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

impl JointStore {
    /// Does what waits for a lock in the store of a table, for a limited time where a circle could
    /// not be seen.
    pub(super) fn patiently<'a, T: Send + 'a>(
        &'a self,
        uow: UowId,
        table: &str,
        wait: Wait,
        work: impl FnOnce(&'a dyn UowStore, Wait) -> StoreFuture<'a, T>,
    ) -> StoreFuture<'a, T> {
        let store = match self.at(table) {
            Ok(store) => store,
            Err(error) => return ready(Err(error)),
        };
        if wait != Wait::Forever || !self.holds_elsewhere(uow, table) {
            return work(store, wait);
        }
        let most = Duration::from_millis(self.across_ms.load(Ordering::Relaxed));
        let waits = work(store, Wait::Until(Instant::now() + most));
        Box::pin(async move {
            match waits.await {
                Err(StoreError::Timeout) => Err(StoreError::Deadlock),
                other => other,
            }
        })
    }

    /// Another place may be any participant: an SQL session has locks too.
    fn holds_elsewhere(&self, uow: UowId, table: &str) -> bool {
        let here = self.place_of(table).map(|place| place.member);
        let local = here.is_some() && self.local.part(uow) != Part::None;
        let mut others = self.coordinator.present();
        local || others.any(|(n, one)| here != Some(n) && one.part(uow) != Part::None)
    }
}
