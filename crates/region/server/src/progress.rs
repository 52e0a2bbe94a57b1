//! How far a long work has come, told every few seconds.
//!
//! Why: a stop that keeps a million queues, or a start that takes them up, must not look like one
//! that hangs. A work that is over soon says nothing. Not here: what the work is.

use crate::kernel::Kernel;
use std::time::{Duration, Instant};
use transom_messages::Message;

/// Between two lines.
const EVERY: Duration = Duration::from_secs(2);
/// Steps between two looks at the clock.
const LOOK: usize = 256;

/// Steps of one work.
pub(crate) struct Progress {
    done: usize,
    next: Instant,
}

impl Progress {
    /// Nothing is done yet.
    pub(crate) fn begin(kernel: &Kernel) -> Self {
        Self {
            done: 0,
            next: kernel.clock.now() + EVERY,
        }
    }

    /// One step is done; the message is of how many.
    pub(crate) fn step(&mut self, kernel: &Kernel, message: impl FnOnce(usize) -> Message) {
        self.done += 1;
        if !self.done.is_multiple_of(LOOK) {
            return;
        }
        let now = kernel.clock.now();
        if now >= self.next {
            self.next = now + EVERY;
            kernel.tell(message(self.done));
        }
    }
}
