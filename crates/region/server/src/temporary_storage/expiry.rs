//! Temporary storage queues whose time is over although nobody names them any more.
//!
//! What: looks once in a while for queues that were not used for EXPIRYINT of their model, and
//! deletes them. Not here: queues a command names (`temporary_storage::place`), recoverable ones:
//! EXPIRYINT means nothing for them.

use super::Queues;
use std::sync::{Arc, Weak};
use std::time::Duration;
use transom_messages as messages;
use transom_region_dispatcher::Clock;
use transom_types::TsQueueName;
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
        let now = transom_time::abstime_at(i64::try_from(clock.unix_ms()).unwrap_or(i64::MAX));
        let free = |name: &[u8], token| self.spill.free(name, token);
        let queues = sweep(self.kernel.shared(), now, &free);
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

/// Deletes what is over, and frees what lies on disk of it; answers how many queues.
fn sweep(shared: &dyn Shared, now: i64, free: &dyn Fn(&[u8], u64)) -> usize {
    let mut queues = 0;
    for name in shared.group_names(Space::TsMain) {
        let model = TsQueueName::try_from(&name[..])
            .ok()
            .and_then(|name| TsModelEntry::of(shared, name));
        let Some(model) = model.filter(|model| model.expiry_hours > 0) else {
            continue;
        };
        let unused_since = now - i64::from(model.expiry_hours) * HOUR_MS;
        let is_over = |header: &Header| header.used < unused_since;
        let (deleted, of_queue) = items::delete_if(shared, &name, &is_over);
        queues += usize::from(deleted == Some(true));
        of_queue.into_iter().for_each(|token| free(&name, token));
    }
    queues
}
