//! The region's end as an operator asks for it from inside.
//!
//! Not here: stopping; whoever started the region waits for this and stops it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use transom_csd::ProgramList;
use transom_region_dispatcher::ByTask;
use transom_types::{TransId, UserId};

const NO: u8 = 0;
const NORMAL: u8 = 1;
const IMMEDIATE: u8 = 2;

/// How long a task has for what it does when it is purged, before it is purged once more: one that
/// waits for its user again would keep the region.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Tasks that were purged because they waited for users, and when.
#[derive(Default)]
pub(super) struct Asked(ByTask<Instant>);

impl Asked {
    /// Whether a task that waits is to be purged now.
    pub(super) fn may(&mut self, task: u32, now: Instant) -> bool {
        let recently = self.0.get(&task).is_some_and(|at| now < *at + AGAIN_AFTER);
        if !recently {
            self.0.insert(task, now);
        }
        !recently
    }
}

/// The task that asked for the end.
#[derive(Clone)]
pub(super) struct Asking {
    pub(super) transid: TransId,
    pub(super) userid: UserId,
    /// The program list table it named, in place of PLTSD.
    pub(super) list: Option<ProgramList>,
}

/// Whether somebody asked for the end.
#[derive(Default)]
pub(crate) struct Shutdown {
    asked: AtomicU8,
    told: Notify,
    /// The task that asked first, if it was a task.
    by: OnceLock<Asking>,
}

impl Shutdown {
    /// A task asks for the end.
    pub(super) fn ask_by(&self, immediate: bool, task: Asking) {
        if self.asked.load(Ordering::SeqCst) == NO {
            // Only the first is the one programs of the end run for.
            let _later = self.by.set(task);
        }
        self.ask(immediate);
    }

    /// The task that asked; `None`: it was no task.
    pub(super) fn by(&self) -> Option<&Asking> {
        self.by.get()
    }

    /// Asks for the end. Immediate counts more than normal.
    pub(super) fn ask(&self, immediate: bool) {
        let wanted = if immediate { IMMEDIATE } else { NORMAL };
        self.asked.fetch_max(wanted, Ordering::SeqCst);
        self.told.notify_one();
    }

    /// Waits until somebody asks; true: without waiting for tasks. One waiter at a time.
    pub(super) async fn asked(&self) -> bool {
        loop {
            match self.asked.load(Ordering::SeqCst) {
                NO => self.told.notified().await,
                asked => return asked == IMMEDIATE,
            }
        }
    }

    /// Waits until somebody asks for it without waiting for tasks.
    pub(super) async fn asked_immediately(&self) {
        while self.asked.load(Ordering::SeqCst) != IMMEDIATE {
            self.told.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_region_dispatcher::{Clock, SystemClock};

    #[test]
    fn a_task_has_time_for_its_end_but_not_for_another_wait() {
        let (mut asked, begin) = (Asked::default(), SystemClock.now());
        assert!(asked.may(7, begin));
        assert!(!asked.may(7, begin + Duration::from_millis(5)));
        assert!(asked.may(8, begin + Duration::from_millis(5)));
        assert!(asked.may(7, begin + AGAIN_AFTER));
    }
}
