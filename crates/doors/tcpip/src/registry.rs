//! The open connections of a listener: what each waits for and since when.
//!
//! A timer per request costs more than the rest of the connection's bookkeeping, so there is none:
//! a connection notes its phase with two relaxed stores and a sweep every few hundred milliseconds
//! closes those that overstayed. Times are therefore kept to one sweep, not exactly.

use crate::limits::{Limits, ListenerCounters};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};

/// Places of connections that are kept when they are gone.
const SPARE: usize = 256;

/// What a connection is waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// The first byte of a request.
    Idle = 0,
    /// The rest of a request's headers.
    Header = 1,
    /// The door itself: body, program or reply. The door keeps its own time.
    Busy = 2,
    /// Room in the socket for the reply.
    Write = 3,
}

/// Why the listener wants a connection to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseReason {
    /// The listener stops: finish the request under way, then close.
    Drain,
    /// A time limit passed: close now.
    Overstayed,
}

/// A connection's entry in the sweep.
#[derive(Debug)]
pub struct Watch {
    phase: AtomicU8,
    since: AtomicU32,
    clock: Arc<Clock>,
}

impl Watch {
    /// Enters a phase now.
    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
        self.since.store(self.clock.tick.load(Relaxed), Relaxed);
    }

    /// The phase now.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Relaxed) {
            0 => Phase::Idle,
            1 => Phase::Header,
            2 => Phase::Busy,
            _ => Phase::Write,
        }
    }

    fn waited(&self, now: u32) -> Duration {
        Duration::from_millis(u64::from(now.wrapping_sub(self.since.load(Relaxed))))
    }
}

/// Milliseconds since the listener began, refreshed by the sweep.
#[derive(Debug)]
struct Clock {
    tick: AtomicU32,
    begin: Instant,
}

struct Entry {
    watch: Arc<Watch>,
    close: oneshot::Sender<CloseReason>,
}

/// All open connections of one listener.
pub(crate) struct Registry {
    entries: Mutex<Entries>,
    clock: Arc<Clock>,
    /// There is a connection where there was none.
    first: Notify,
}

#[derive(Default)]
struct Entries {
    next: u64,
    draining: bool,
    open: HashMap<u64, Entry>,
}

impl Registry {
    pub(crate) fn new() -> Self {
        Self {
            entries: Mutex::default(),
            clock: Arc::new(Clock {
                tick: AtomicU32::new(0),
                begin: Instant::now(),
            }),
            first: Notify::new(),
        }
    }

    /// Waits until there is a connection: without any there is nothing to sweep.
    pub(crate) async fn occupied(&self) {
        while self.lock().open.is_empty() {
            self.first.notified().await;
        }
    }

    /// Adds a connection; the number returned takes it out again.
    pub(crate) fn add(&self) -> (u64, Arc<Watch>, oneshot::Receiver<CloseReason>) {
        self.refresh();
        let (close, closed) = oneshot::channel();
        let watch = Arc::new(Watch {
            phase: AtomicU8::new(Phase::Idle as u8),
            since: AtomicU32::new(self.clock.tick.load(Relaxed)),
            clock: self.clock.clone(),
        });
        let mut entries = self.lock();
        entries.next += 1;
        let number = entries.next;
        if entries.draining {
            let _ = close.send(CloseReason::Drain);
        } else {
            if entries.open.is_empty() {
                self.first.notify_one();
            }
            entries.open.insert(
                number,
                Entry {
                    watch: watch.clone(),
                    close,
                },
            );
        }
        (number, watch, closed)
    }

    pub(crate) fn remove(&self, number: u64) {
        let open = &mut self.lock().open;
        open.remove(&number);
        // What a crowd needed goes with it.
        if open.capacity() > SPARE && open.len() < open.capacity() / 8 {
            open.shrink_to(open.len() * 2);
        }
    }

    /// Asks every connection to end after its present request, and every later one at once.
    pub(crate) fn drain(&self) {
        let mut entries = self.lock();
        entries.draining = true;
        for (_, entry) in entries.open.drain() {
            let _ = entry.close.send(CloseReason::Drain);
        }
    }

    /// Closes connections that overstayed.
    pub(crate) fn sweep(&self, limits: &Limits, counters: &ListenerCounters) {
        let now = self.refresh();
        let mut entries = self.lock();
        let overstayed: Vec<u64> = entries
            .open
            .iter()
            .filter(|(_, entry)| overstayed(&entry.watch, now, limits, counters))
            .map(|(number, _)| *number)
            .collect();
        for number in overstayed {
            if let Some(entry) = entries.open.remove(&number) {
                let _ = entry.close.send(CloseReason::Overstayed);
            }
        }
    }

    fn refresh(&self) -> u32 {
        // Wraps after 49 days; `waited` subtracts modulo 2^32.
        let now = self.clock.begin.elapsed().as_millis() as u32;
        self.clock.tick.store(now, Relaxed);
        now
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn overstayed(watch: &Watch, now: u32, limits: &Limits, counters: &ListenerCounters) -> bool {
    let (limit, counter) = match watch.phase() {
        Phase::Idle => (limits.idle_time, &counters.idle_time),
        Phase::Header => (limits.header_time, &counters.header_time),
        Phase::Write => (limits.write_time, &counters.write_time),
        Phase::Busy => return false,
    };
    let over = watch.waited(now) >= limit;
    if over {
        counter.hit();
    }
    over
}

/// Time between two sweeps: a quarter of the shortest limit, 50 to 500 ms.
pub(crate) fn sweep_interval(limits: &Limits) -> Duration {
    let shortest = limits
        .idle_time
        .min(limits.header_time)
        .min(limits.write_time);
    (shortest / 4).clamp(Duration::from_millis(50), Duration::from_millis(500))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_connection_there_is_nothing_to_sweep() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(async {
            let registry = Registry::new();
            let idle = async || {
                let waited = tokio::time::timeout(Duration::from_millis(1), registry.occupied());
                waited.await.is_err()
            };
            assert!(idle().await);
            let (number, ..) = registry.add();
            assert!(!idle().await);
            registry.remove(number);
            assert!(idle().await);
        });
    }
}
