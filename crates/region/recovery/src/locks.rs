//! Record locks of units of work.
//!
//! What: exclusive locks by name, first come first served with direct hand-over, deadlines,
//! retained locks, and a search for circles only when a unit of work is about to wait. Why: the
//! owner is a unit of work, not a thread, and a wait is a future. Not here: what a name means.

use crate::guard::lock;
use crate::{StoreError, UowId, Wait};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;
use tokio::sync::oneshot;

#[cfg(test)]
mod model;
mod queues;

/// Table and key in one piece, so that a look-up needs one allocation.
type Name = Arc<[u8]>;
type Granted = Result<(), StoreError>;

/// All locks of a store.
pub(crate) struct Locks {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    alarm: Condvar,
}

#[derive(Default)]
struct State {
    held: HashMap<Name, Held>,
    owned: HashMap<UowId, HashSet<Name>>,
    waiting: HashMap<UowId, (Name, u64)>,
    deadlines: BinaryHeap<Reverse<(Instant, UowId, u64)>>,
    next_ticket: u64,
    timer_runs: bool,
    closed: bool,
    limit: usize,
    figures: LockFigures,
}

struct Held {
    owner: UowId,
    retained: bool,
    queue: VecDeque<Waiter>,
}

struct Waiter {
    uow: UowId,
    ticket: u64,
    granted: oneshot::Sender<Granted>,
}

/// Counters of the locks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LockFigures {
    pub(crate) now: usize,
    pub(crate) peak: usize,
    pub(crate) refused: u64,
    pub(crate) waits: u64,
    pub(crate) timeouts: u64,
    pub(crate) deadlocks: u64,
    pub(crate) retained: u64,
}

/// What became of a request at once.
pub(crate) enum Request {
    /// Held; true if it was not held before.
    Held(bool),
    /// In the queue.
    Waits(Waiting),
}

/// A place in the queue of a lock; dropped, it gives the place (or the lock just granted) back.
pub(crate) struct Waiting {
    shared: Weak<Shared>,
    uow: UowId,
    ticket: u64,
    name: Name,
    granted: oneshot::Receiver<Granted>,
    done: bool,
}

impl Waiting {
    /// Until granted or refused.
    pub(crate) async fn granted(mut self) -> Granted {
        let result = (&mut self.granted).await;
        self.done = true;
        result.unwrap_or(Err(StoreError::Closed))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        let mut state = shared.lock();
        if state.leave_queue(self.uow, self.ticket).is_none()
            && matches!(self.granted.try_recv(), Ok(Ok(())))
        {
            state.release(self.uow, &self.name);
        }
    }
}

/// Puts table and key together.
pub(crate) fn name(table: &str, key: &[u8]) -> Vec<u8> {
    let mut name = Vec::with_capacity(table.len() + 1 + key.len());
    name.extend_from_slice(table.as_bytes());
    name.push(0);
    name.extend_from_slice(key);
    name
}

impl Locks {
    /// No locks, at most `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        let state = State {
            limit,
            ..State::default()
        };
        let shared = Shared {
            state: Mutex::new(state),
            alarm: Condvar::new(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Takes a lock, or a place in its queue.
    pub(crate) fn request(
        &self,
        uow: UowId,
        table: &str,
        key: &[u8],
        wait: Wait,
    ) -> Result<Request, StoreError> {
        let wanted = name(table, key);
        let mut state = self.shared.lock();
        let Some(held) = state.held.get(wanted.as_slice()) else {
            return state.grant_free(uow, wanted).map(|()| Request::Held(true));
        };
        if held.owner == uow {
            return Ok(Request::Held(false));
        }
        state.may_wait(uow, &wanted, wait)?;
        let (sender, granted) = oneshot::channel();
        let (name, ticket) = state.join_queue(uow, &wanted, sender)?;
        if let Wait::Until(at) = wait {
            state.add_deadline(at, uow, ticket);
            self.wake_timer(&mut state);
        }
        Ok(Request::Waits(Waiting {
            shared: Arc::downgrade(&self.shared),
            uow,
            ticket,
            name,
            granted,
            done: false,
        }))
    }

    /// True if the unit of work has the lock.
    pub(crate) fn holds(&self, uow: UowId, table: &str, key: &[u8]) -> bool {
        let wanted = name(table, key);
        let state = self.shared.lock();
        let held = state.held.get(wanted.as_slice());
        held.is_some_and(|h| h.owner == uow)
    }

    /// True if the unit of work has any lock or waits for one.
    pub(crate) fn owns(&self, uow: UowId) -> bool {
        let state = self.shared.lock();
        state.owned.contains_key(&uow) || state.waiting.contains_key(&uow)
    }

    /// Gives one lock to the next in its queue.
    pub(crate) fn release(&self, uow: UowId, table: &str, key: &[u8]) {
        self.shared.lock().release(uow, &name(table, key));
    }

    /// Gives all locks of a unit of work to the next ones.
    pub(crate) fn release_all(&self, uow: UowId) {
        let mut state = self.shared.lock();
        for name in state.owned.remove(&uow).into_iter().flatten() {
            state.hand_over(&name);
        }
    }

    /// Ends the wait of a unit of work with [`StoreError::Released`].
    pub(crate) fn end_wait(&self, uow: UowId) {
        let mut state = self.shared.lock();
        if let Some((_, ticket)) = state.waiting.get(&uow).cloned() {
            let waiter = state.leave_queue(uow, ticket);
            waiter.map(|w| w.granted.send(Err(StoreError::Released)));
        }
    }

    /// Others get [`StoreError::Locked`] from now on, those who wait too.
    pub(crate) fn retain(&self, uow: UowId) {
        let mut state = self.shared.lock();
        let names: Vec<Name> = state
            .owned
            .get(&uow)
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        for name in names {
            let Some(held) = state.held.get_mut(&name) else {
                continue;
            };
            held.retained = true;
            for waiter in std::mem::take(&mut held.queue) {
                state.waiting.remove(&waiter.uow);
                state.figures.retained += 1;
                let _ = waiter.granted.send(Err(StoreError::Locked));
            }
        }
    }

    /// Counters.
    pub(crate) fn figures(&self) -> LockFigures {
        let state = self.shared.lock();
        LockFigures {
            now: state.held.len(),
            ..state.figures
        }
    }

    fn wake_timer(&self, state: &mut State) {
        if state.timer_runs {
            self.shared.alarm.notify_one();
            return;
        }
        let shared = Arc::downgrade(&self.shared);
        let timer = std::thread::Builder::new().name("transom-locks".to_owned());
        // Without a timer a wait would outlive its deadline; the next request tries again.
        state.timer_runs = timer.spawn(move || run_timer(&shared)).is_ok();
    }
}

impl Drop for Locks {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.alarm.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn run_timer(shared: &Weak<Shared>) {
    let Some(shared) = shared.upgrade() else {
        return;
    };
    let mut state = shared.lock();
    while !state.closed {
        let now = Instant::now();
        state = match state.expire(now) {
            Some(at) => {
                let waited = shared.alarm.wait_timeout(state, at - now);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => {
                let waited = shared.alarm.wait(state);
                waited.unwrap_or_else(PoisonError::into_inner)
            }
        };
    }
}
