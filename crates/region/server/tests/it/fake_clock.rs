//! A clock that stands still until a test moves it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;
use transom_region_server::{Clock, Sleep};

/// The time of day when a test begins: 2026-11-20 12:00 UTC.
const NOON_S: u64 = 1_795_176_000;

/// Time, and who sleeps.
pub(crate) struct HandClock {
    origin: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    passed: Duration,
    /// So much the time of day was set back.
    back: Duration,
    sleepers: Vec<(Instant, oneshot::Sender<()>)>,
}

impl HandClock {
    pub(crate) fn new() -> Self {
        Self {
            origin: Instant::now(),
            state: Mutex::default(),
        }
    }

    /// Time passes; who has slept long enough wakes, the first one first.
    pub(crate) fn advance(&self, time: Duration) {
        let mut due = {
            let mut state = self.state();
            state.passed += time;
            let now = self.origin + state.passed;
            let all = std::mem::take(&mut state.sleepers);
            let (due, rest) = all.into_iter().partition::<Vec<_>, _>(|(at, _)| *at <= now);
            state.sleepers = rest;
            due
        };
        due.sort_by_key(|(at, _)| *at);
        for (_, wake) in due {
            // Who gave up sleeping does not hear it.
            let _gone = wake.send(());
        }
    }

    /// An operator sets the time of day back; how long things take stays what it is. Tests of
    /// single services, which have this clock too, do not need it.
    #[allow(dead_code)]
    pub(crate) fn set_back(&self, by: Duration) {
        self.state().back += by;
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for HandClock {
    fn now(&self) -> Instant {
        self.origin + self.state().passed
    }

    fn wall(&self) -> SystemTime {
        let state = self.state();
        UNIX_EPOCH + Duration::from_secs(NOON_S) + state.passed - state.back
    }

    fn sleep_until(&self, at: Instant) -> Sleep {
        let (wake, woken) = oneshot::channel();
        let mut state = self.state();
        if at <= self.origin + state.passed {
            return Box::pin(std::future::ready(()));
        }
        state.sleepers.push((at, wake));
        Box::pin(async move {
            // An error: the test is over.
            let _over = woken.await;
        })
    }
}
