//! The region's end as an operator asks for it from inside.
//!
//! Not here: stopping; whoever started the region waits for this and stops it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use tokio::sync::Notify;
use transom_csd::ProgramList;
use transom_types::{TransId, UserId};

const NO: u8 = 0;
const NORMAL: u8 = 1;
const IMMEDIATE: u8 = 2;

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
