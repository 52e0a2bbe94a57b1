//! Whether a service is quick: then its result is made where it was asked for.
//!
//! Why: a query that takes long is given up there, and what it did was for nothing. After that the
//! service is not tried so for some requests. Not here: how long that is (`region/sql`).

use std::sync::atomic::{AtomicU32, Ordering};

/// Requests that are not tried after one that took long.
const PAUSE: u32 = 20;

/// The pace of one service.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Requests that are not tried yet.
    pause: AtomicU32,
}

impl Pace {
    /// The next request may be tried at once.
    pub(crate) fn may_hurry(&self) -> bool {
        // Requests beside one another may count twice or not at all, which does no harm.
        match self.pause.load(Ordering::Relaxed) {
            0 => true,
            left => {
                self.pause.store(left - 1, Ordering::Relaxed);
                false
            }
        }
    }

    /// One took long.
    pub(crate) fn takes_long(&self) {
        self.pause.store(PAUSE, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_one_that_took_long_the_next_ones_are_not_tried() {
        let pace = Pace::default();
        assert!(pace.may_hurry() && pace.may_hurry());
        pace.takes_long();
        assert_eq!(
            (0..1_000).position(|_| pace.may_hurry()),
            Some(PAUSE as usize)
        );
    }
}
