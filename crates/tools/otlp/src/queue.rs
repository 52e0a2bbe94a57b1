//! What waits for the sender: a bounded number of requests and tasks.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The queue. Who puts something never waits.
pub(crate) struct Queue<T> {
    max: usize,
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    waiting: VecDeque<T>,
    peak: usize,
    dropped: u64,
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new(max: usize) -> Self {
        Self {
            max,
            state: Mutex::new(State {
                waiting: VecDeque::new(),
                peak: 0,
                dropped: 0,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts it, or drops and counts it.
    pub(crate) fn put(&self, item: T) {
        let mut state = self.lock();
        if state.waiting.len() >= self.max || state.closed {
            state.dropped += 1;
            return;
        }
        state.waiting.push_back(item);
        state.peak = state.peak.max(state.waiting.len());
        // The sender wakes by itself; each item would change processes.
        let is_first = state.waiting.len() == 1;
        drop(state);
        if is_first {
            self.changed.notify_one();
        }
    }

    /// All that waits, as soon as there is some or the time is over; `None`: it is closed and
    /// empty.
    pub(crate) fn take(&self, until: Instant) -> Option<VecDeque<T>> {
        let mut state = self.lock();
        loop {
            if !state.waiting.is_empty() {
                return Some(std::mem::take(&mut state.waiting));
            }
            if state.closed {
                return None;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return Some(VecDeque::new());
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits so long; not where it is closed.
    pub(crate) fn rest(&self, time: Duration) {
        let state = self.lock();
        let waited = self
            .changed
            .wait_timeout_while(state, time, |state| !state.closed);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Nothing is put any more.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// What waits, the most that did, what was dropped.
    pub(crate) fn figures(&self) -> (usize, usize, u64) {
        let state = self.lock();
        (state.waiting.len(), state.peak, state.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_no_room_for_is_dropped_and_counted() {
        let queue = Queue::new(2);
        (0..5).for_each(|n| queue.put(n));
        assert_eq!(queue.figures(), (2, 2, 3));
        assert_eq!(queue.take(Instant::now()).unwrap(), [0, 1]);
        assert!(queue.take(Instant::now()).unwrap().is_empty());
        queue.put(9);
        queue.close();
        assert_eq!(queue.take(Instant::now()).unwrap(), [9]);
        assert!(queue.take(Instant::now()).is_none());
    }
}
