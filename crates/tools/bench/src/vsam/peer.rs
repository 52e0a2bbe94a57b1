//! Engines as a careful programmer would use them without this product: record locks, changes kept
//! until the end, group commit by leader and followers.
//!
//! What: everything of the peers but the engine. Why: LMDB and SQLite have one writer; without
//! groups 64 clients would wait for 64 flushes. Not here: recovery, deadlocks (a lock that does not
//! come within 200 ms ends the unit).

use super::mix::{Call, Key, Step};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::Thread;
use std::time::Duration;

const LOCK_WAIT: Duration = Duration::from_millis(200);
const SHARDS: usize = 64;

/// One change; no record: a delete.
pub(super) struct Write {
    pub file: usize,
    pub key: Key,
    pub record: Option<Vec<u8>>,
}

/// What a peer must be able to do.
pub(super) trait Engine: Send + Sync {
    /// Whether there is a record; it is copied into the buffer.
    fn get(&self, file: usize, key: &Key, record: &mut Vec<u8>) -> bool;
    /// Writes all changes in one durable transaction.
    fn commit(&self, units: &[Arc<[Write]>]) -> Result<(), String>;
}

/// An engine with locks and group commit.
pub(super) struct Peer<E> {
    pub engine: E,
    locks: Vec<Shard>,
    queue: Mutex<Queue>,
}

type Shard = (Mutex<HashSet<(usize, Key)>>, Condvar);

#[derive(Default)]
struct Queue {
    waiting: Vec<Arc<Waiter>>,
    led: bool,
}

struct Waiter {
    unit: Arc<[Write]>,
    thread: Thread,
    state: AtomicU8,
}

const WAITS: u8 = 0;
const DONE: u8 = 1;
const LEADS: u8 = 2;
const FAILED: u8 = 3;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

impl<E: Engine> Peer<E> {
    /// Nothing locked, nothing queued.
    pub(super) fn new(engine: E) -> Self {
        Self {
            engine,
            locks: (0..SHARDS).map(|_| Shard::default()).collect(),
            queue: Mutex::default(),
        }
    }

    /// Carries out a unit of work; true when it was committed.
    pub(super) fn unit(&self, calls: &[Call], buffer: &mut Vec<u8>) -> bool {
        let mut held = Vec::new();
        let mut writes = Vec::new();
        let mut whole = true;
        for call in calls {
            let place = (call.file, call.key);
            if matches!(call.step, Step::Read) {
                self.engine.get(call.file, &call.key, buffer);
                continue;
            }
            if !held.contains(&place) {
                if !self.lock(place) {
                    whole = false;
                    break;
                }
                held.push(place);
            }
            let there = self.engine.get(call.file, &call.key, buffer);
            let record = match &call.step {
                Step::Change(new) if there => new.clone(),
                Step::Add(new) if !there => Some(new.clone()),
                _ => continue,
            };
            let (file, key) = place;
            writes.push(Write { file, key, record });
        }
        let committed = whole && (writes.is_empty() || self.commit(writes));
        for place in held {
            self.unlock(place);
        }
        committed
    }

    /// The first who comes leads; a leader that is done makes the first of those who wait the next
    /// one.
    fn commit(&self, writes: Vec<Write>) -> bool {
        let me = Arc::new(Waiter {
            unit: writes.into(),
            thread: std::thread::current(),
            state: AtomicU8::new(WAITS),
        });
        let leads = {
            let mut queue = locked(&self.queue);
            queue.waiting.push(me.clone());
            !std::mem::replace(&mut queue.led, true)
        };
        if !leads {
            loop {
                match me.state.load(Ordering::Acquire) {
                    WAITS => std::thread::park(),
                    LEADS => break,
                    end => return end == DONE,
                }
            }
        }
        let group = std::mem::take(&mut locked(&self.queue).waiting);
        let units: Vec<_> = group.iter().map(|waiter| waiter.unit.clone()).collect();
        let done = self.engine.commit(&units).is_ok();
        {
            let mut queue = locked(&self.queue);
            match queue.waiting.first() {
                None => queue.led = false,
                Some(next) => next.tell(LEADS),
            }
        }
        for waiter in group.iter().filter(|waiter| !Arc::ptr_eq(waiter, &me)) {
            waiter.tell(if done { DONE } else { FAILED });
        }
        done
    }

    fn lock(&self, place: (usize, Key)) -> bool {
        let (mutex, freed) = self.shard(&place);
        let held = locked(mutex);
        let wait = freed.wait_timeout_while(held, LOCK_WAIT, |held| held.contains(&place));
        let (mut held, _) = wait.unwrap_or_else(|e| e.into_inner());
        held.insert(place)
    }

    fn unlock(&self, place: (usize, Key)) {
        let (mutex, freed) = self.shard(&place);
        locked(mutex).remove(&place);
        freed.notify_all();
    }

    fn shard(&self, (file, key): &(usize, Key)) -> &Shard {
        let sum = key.iter().fold(*file, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(usize::from(*byte))
        });
        &self.locks[sum % SHARDS]
    }
}

impl Waiter {
    fn tell(&self, state: u8) {
        self.state.store(state, Ordering::Release);
        self.thread.unpark();
    }
}
