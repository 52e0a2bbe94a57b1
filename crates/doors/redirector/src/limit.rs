//! Bounds of sessions, by name, and how often each was reached.
//!
//! Why not those of a listener: they may change while it listens, and a client behind a balancer is
//! known only after its first bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// How many there are of something that is bounded.
#[derive(Debug, Default)]
pub(crate) struct Limit {
    now: AtomicUsize,
    peak: AtomicUsize,
    reached: AtomicU64,
}

/// One that counts; dropping it ends that.
#[derive(Debug)]
pub(crate) struct Place(Arc<Limit>);

impl Limit {
    /// Takes a place; `None`: there are `max` already. 0 is no bound.
    pub(crate) fn enter(self: &Arc<Self>, max: usize) -> Option<Place> {
        let before = self.now.fetch_add(1, Relaxed);
        let place = Place(self.clone());
        if max != 0 && before >= max {
            self.hit();
            return None;
        }
        self.peak.fetch_max(before + 1, Relaxed);
        Some(place)
    }

    /// Somebody was refused for it.
    pub(crate) fn hit(&self) {
        self.reached.fetch_add(1, Relaxed);
    }

    pub(crate) fn now(&self) -> usize {
        self.now.load(Relaxed)
    }

    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Relaxed)
    }

    pub(crate) fn reached(&self) -> u64 {
        self.reached.load(Relaxed)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back() {
        let limit = Arc::new(Limit::default());
        let one = limit.enter(1).unwrap();
        assert!(limit.enter(1).is_none());
        drop(one);
        let _again = limit.enter(1).unwrap();
        assert_eq!((limit.now(), limit.peak(), limit.reached()), (1, 1, 1));
        assert!(limit.enter(0).is_some());
    }
}
