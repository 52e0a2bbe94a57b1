//! One timer for all START requests.
//!
//! What: a heap of times. Why: a hundred thousand sleeping tasks would be a hundred thousand
//! timers. Not here: sleeping until the earliest (`schedule`), what happens when a time has come
//! (`launch`).

use crate::replier::lock;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::sync::Notify;
use transom_starts::requests::Book;

/// Times of cancelled requests that are kept at least.
const GONE_MAX: usize = 1_000;

/// The timer's state.
#[derive(Default)]
pub(super) struct Timer {
    times: Mutex<Times>,
    changed: Arc<Notify>,
}

#[derive(Default)]
struct Times {
    /// Earliest first. A cancelled request stays until its time, or until `tidy`, and is then not
    /// found.
    heap: BinaryHeap<Reverse<(Instant, u64)>>,
    /// Somebody sleeps until the earliest.
    running: bool,
}

impl Timer {
    /// The request waits until then. If nobody sleeps yet, `begin` says whether somebody will;
    /// `false`: nobody does.
    #[must_use]
    pub(super) fn add(&self, at: Instant, id: u64, begin: impl FnOnce() -> bool) -> bool {
        let mut times = lock(&self.times);
        let is_first = times
            .heap
            .peek()
            .is_none_or(|Reverse((first, _))| at < *first);
        times.heap.push(Reverse((at, id)));
        if !times.running {
            times.running = begin();
        } else if is_first {
            self.changed.notify_one();
        }
        times.running
    }

    /// Tells who sleeps that an earlier time has come in.
    pub(super) fn changed(&self) -> Arc<Notify> {
        self.changed.clone()
    }

    /// Requests whose time has come.
    pub(super) fn due(&self, now: Instant) -> Vec<u64> {
        let mut times = lock(&self.times);
        let mut due = Vec::new();
        while let Some(Reverse((at, id))) = times.heap.peek().copied() {
            if at > now {
                break;
            }
            times.heap.pop();
            due.push(id);
        }
        due
    }

    /// The earliest time; `None`: nothing waits, and nobody sleeps any more.
    pub(super) fn next(&self) -> Option<Instant> {
        let mut times = lock(&self.times);
        let next = times.heap.peek().map(|Reverse((at, _))| *at);
        times.running = next.is_some();
        next
    }

    /// A request was cancelled: drops the times of requests that are gone when they are most of
    /// them. Programs START and CANCEL a watchdog all day.
    pub(super) fn tidy(&self, book: &Mutex<Book>) {
        let mut times = lock(&self.times);
        let book = lock(book);
        if times.heap.len() > GONE_MAX + 2 * book.waiting() {
            times.heap.retain(|Reverse((_, id))| book.is_waiting(*id));
        }
    }
}
