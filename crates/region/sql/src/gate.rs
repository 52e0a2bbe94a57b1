//! Who may write: one session at a time, first come first served.
//!
//! Why: an SQLite database has one writer, and its own wait asks again and again without order.
//! A session keeps its turn to the end of its unit of work. Not here: writers of other processes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use transom_recovery::guard::lock;

/// The turn to write.
#[derive(Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    taken: bool,
    /// Each is woken on its own: all of them at each end would cost more than the work between.
    waiting: VecDeque<Arc<Condvar>>,
}

/// Why a session did not get its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// In time.
    Timeout,
    /// Its task is gone.
    Abandoned,
}

impl Gate {
    /// Waits for the turn. The caller leaves once for each success.
    pub(crate) fn enter(&self, wait: Duration, abandoned: &AtomicBool) -> Result<(), Refused> {
        let until = Instant::now() + wait;
        let mut state = lock(&self.state);
        if !state.taken && state.waiting.is_empty() {
            state.taken = true;
            return Ok(());
        }
        let me = Arc::new(Condvar::new());
        state.waiting.push_back(me.clone());
        let refused = loop {
            let first = state
                .waiting
                .front()
                .is_some_and(|one| Arc::ptr_eq(one, &me));
            if first && !state.taken {
                state.waiting.pop_front();
                state.taken = true;
                return Ok(());
            }
            if abandoned.load(Ordering::SeqCst) {
                break Refused::Abandoned;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break Refused::Timeout;
            }
            state = match me.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        };
        state.waiting.retain(|one| !Arc::ptr_eq(one, &me));
        // It may have been woken for the turn that it does not want any more.
        state.wake_first();
        Err(refused)
    }

    /// The turn is the next one's.
    pub(crate) fn leave(&self) {
        let mut state = lock(&self.state);
        state.taken = false;
        state.wake_first();
    }

    /// Somebody who waits may have been abandoned.
    pub(crate) fn look(&self) {
        // Whoever is about to wait has looked already.
        let state = lock(&self.state);
        state.waiting.iter().for_each(|one| one.notify_one());
    }
}

impl State {
    fn wake_first(&self) {
        if let Some(first) = self.waiting.front().filter(|_| !self.taken) {
            first.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn who_waits_too_long_is_refused_and_who_leaves_lets_the_next_one_in() {
        let (gate, stays) = (Arc::new(Gate::default()), AtomicBool::new(false));
        gate.enter(LONG, &stays).unwrap();
        assert_eq!(gate.enter(SHORT, &stays), Err(Refused::Timeout));
        let other = gate.clone();
        let next = std::thread::spawn(move || other.enter(LONG, &AtomicBool::new(false)));
        gate.leave();
        assert_eq!(next.join().unwrap(), Ok(()));
        assert_eq!(gate.enter(SHORT, &stays), Err(Refused::Timeout));
        gate.leave();
        assert_eq!(gate.enter(SHORT, &stays), Ok(()));
    }

    #[test]
    fn who_is_abandoned_waits_no_longer() {
        let (gate, gone) = (Arc::new(Gate::default()), Arc::new(AtomicBool::new(false)));
        gate.enter(LONG, &gone).unwrap();
        let (other, flag) = (gate.clone(), gone.clone());
        let waits = std::thread::spawn(move || other.enter(LONG, &flag));
        gone.store(true, Ordering::SeqCst);
        gate.look();
        assert_eq!(waits.join().unwrap(), Err(Refused::Abandoned));
    }
}
