//! The region's end as an operator asks for it from inside.
//!
//! Not here: stopping; whoever started the region waits for this and stops it.

use std::sync::atomic::{AtomicU8, Ordering};
use tokio::sync::Notify;

const NO: u8 = 0;
const NORMAL: u8 = 1;
const IMMEDIATE: u8 = 2;

/// Whether somebody asked for the end.
#[derive(Default)]
pub(crate) struct Shutdown {
    asked: AtomicU8,
    told: Notify,
}

impl Shutdown {
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
}
