//! Record locks of units of work.
//!
//! What: exclusive locks by name, first come first served with direct hand-over, deadlines, retained locks, and a
//! search for circles only when somebody is about to wait. Why: the owner is a unit of work, not a thread, and a
//! wait is a future. Not here: what a name means.

use crate::{StoreError, UowId, Wait};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::Instant;
use tokio::sync::oneshot;

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
            state.deadlines.push(Reverse((at, uow, ticket)));
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
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl State {
    fn grant_free(&mut self, uow: UowId, wanted: Vec<u8>) -> Result<(), StoreError> {
        if self.held.len() >= self.limit {
            self.figures.refused += 1;
            return Err(StoreError::Limit("record locks"));
        }
        let name: Name = wanted.into();
        let held = Held {
            owner: uow,
            retained: false,
            queue: VecDeque::new(),
        };
        self.held.insert(name.clone(), held);
        self.owned.entry(uow).or_default().insert(name);
        self.figures.peak = self.figures.peak.max(self.held.len());
        Ok(())
    }

    fn may_wait(&mut self, uow: UowId, wanted: &[u8], wait: Wait) -> Result<(), StoreError> {
        if self.held.get(wanted).is_some_and(|h| h.retained) {
            self.figures.retained += 1;
            return Err(StoreError::Locked);
        }
        match wait {
            Wait::No => return Err(StoreError::Busy),
            Wait::Until(at) if at <= Instant::now() => {
                self.figures.timeouts += 1;
                return Err(StoreError::Timeout);
            }
            Wait::Until(_) | Wait::Forever => {}
        }
        if self.would_close_circle(uow, wanted) {
            self.figures.deadlocks += 1;
            return Err(StoreError::Deadlock);
        }
        Ok(())
    }

    /// Who waits depends on the owner and on everybody before it in the queue.
    fn would_close_circle(&self, uow: UowId, wanted: &[u8]) -> bool {
        let mut seen = HashSet::new();
        let mut open = self.before(wanted, u64::MAX);
        while let Some(next) = open.pop() {
            if next == uow {
                return true;
            }
            if !seen.insert(next) {
                continue;
            }
            if let Some((name, ticket)) = self.waiting.get(&next) {
                open.extend(self.before(name, *ticket));
            }
        }
        false
    }

    fn before(&self, name: &[u8], ticket: u64) -> Vec<UowId> {
        let Some(held) = self.held.get(name) else {
            return Vec::new();
        };
        let earlier = held
            .queue
            .iter()
            .filter(|w| w.ticket < ticket)
            .map(|w| w.uow);
        std::iter::once(held.owner).chain(earlier).collect()
    }

    fn join_queue(
        &mut self,
        uow: UowId,
        wanted: &[u8],
        granted: oneshot::Sender<Granted>,
    ) -> Result<(Name, u64), StoreError> {
        self.next_ticket += 1;
        let ticket = self.next_ticket;
        let (name, _) = self.held.get_key_value(wanted).ok_or(StoreError::Closed)?;
        let name = name.clone();
        if let Some(held) = self.held.get_mut(wanted) {
            held.queue.push_back(Waiter {
                uow,
                ticket,
                granted,
            });
        }
        self.waiting.insert(uow, (name.clone(), ticket));
        self.figures.waits += 1;
        Ok((name, ticket))
    }

    fn leave_queue(&mut self, uow: UowId, ticket: u64) -> Option<Waiter> {
        let (name, _) = self.waiting.get(&uow).filter(|w| w.1 == ticket)?.clone();
        self.waiting.remove(&uow);
        let queue = &mut self.held.get_mut(&name)?.queue;
        let place = queue.iter().position(|w| w.ticket == ticket)?;
        queue.remove(place)
    }

    fn release(&mut self, uow: UowId, name: &[u8]) {
        let Some(owned) = self.owned.get_mut(&uow) else {
            return;
        };
        if !owned.remove(name) {
            return;
        }
        if owned.is_empty() {
            self.owned.remove(&uow);
        }
        self.hand_over(name);
    }

    /// The lock has no owner any more: the next in the queue who still waits becomes it.
    fn hand_over(&mut self, name: &[u8]) {
        while let Some(held) = self.held.get_mut(name) {
            let Some(next) = held.queue.pop_front() else {
                self.held.remove(name);
                return;
            };
            held.owner = next.uow;
            held.retained = false;
            self.waiting.remove(&next.uow);
            if next.granted.send(Ok(())).is_ok() {
                if let Some((name, _)) = self.held.get_key_value(name) {
                    let name = name.clone();
                    self.owned.entry(next.uow).or_default().insert(name);
                }
                return;
            }
        }
    }

    /// Ends waits whose deadline is over; the next deadline.
    fn expire(&mut self, now: Instant) -> Option<Instant> {
        while let Some(Reverse((at, uow, ticket))) = self.deadlines.peek().copied() {
            if at > now {
                return Some(at);
            }
            self.deadlines.pop();
            if let Some(waiter) = self.leave_queue(uow, ticket) {
                self.figures.timeouts += 1;
                let _ = waiter.granted.send(Err(StoreError::Timeout));
            }
        }
        None
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
                waited.unwrap_or_else(|e| e.into_inner()).0
            }
            None => {
                let waited = shared.alarm.wait(state);
                waited.unwrap_or_else(|e| e.into_inner())
            }
        };
    }
}
