//! One timer for all START requests.
//!
//! What: a heap of times and one task that sleeps until the earliest. Why: a hundred thousand
//! sleeping tasks would be a hundred thousand timers. Not here: what happens when a time has come
//! (`launch`).

use super::super::Inner;
use super::super::clock::Clock;
use super::super::replier::lock;
use super::launch;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use transom_messages as messages;

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
    running: bool,
}

/// Hands the request to `launch` in this many milliseconds.
pub(super) fn wake_at(inner: &Arc<Inner>, id: u64, in_ms: u64) {
    let timer = &inner.services.intervals.timer;
    let at = inner.clock.after(Duration::from_millis(in_ms));
    let mut times = lock(&timer.times);
    let is_first = times
        .heap
        .peek()
        .is_none_or(|Reverse((first, _))| at < *first);
    times.heap.push(Reverse((at, id)));
    if times.running {
        if is_first {
            timer.changed.notify_one();
        }
        return;
    }
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        drop(times);
        return inner.tell(messages::ic::start_lost());
    };
    times.running = true;
    drop(times);
    runtime.spawn(run(
        Arc::downgrade(inner),
        inner.clock.clone(),
        timer.changed.clone(),
    ));
}

/// A request was cancelled: drops the times of requests that are gone when they are most of them.
/// Programs START and CANCEL a watchdog all day.
pub(super) fn tidy(inner: &Inner) {
    let mut times = lock(&inner.services.intervals.timer.times);
    let book = lock(&inner.services.intervals.book);
    if times.heap.len() > GONE_MAX + 2 * book.waiting() {
        times.heap.retain(|Reverse((_, id))| book.is_waiting(*id));
    }
}

async fn run(inner: Weak<Inner>, clock: Arc<dyn Clock>, changed: Arc<Notify>) {
    loop {
        let next = {
            let Some(inner) = inner.upgrade() else { return };
            if inner.is_stopping() {
                return;
            }
            for id in due(&inner) {
                let request = lock(&inner.services.intervals.book).take(id);
                if let Some(request) = request {
                    launch::expired(&inner, id, request);
                }
            }
            let mut times = lock(&inner.services.intervals.timer.times);
            match times.heap.peek() {
                Some(Reverse((at, _))) => *at,
                None => {
                    times.running = false;
                    return;
                }
            }
        };
        tokio::select! {
            () = clock.sleep_until(next) => {}
            () = changed.notified() => {}
        }
    }
}

fn due(inner: &Inner) -> Vec<u64> {
    let mut times = lock(&inner.services.intervals.timer.times);
    let now = inner.clock.now();
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
