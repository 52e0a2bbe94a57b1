//! The time as the region sees it.
//!
//! What: [`Clock`], everything a region asks of time: now, the time of day, a sleep. Why: START,
//! DTIMOUT, idle sign-ons and retries are tested with a clock that a test moves by hand. Nothing
//! else in this room asks the system for the time. Not here: what waits.

use std::future::Future;
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Ends when its time has come. It needs no clock any more, so a task may keep it.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A source of time.
pub trait Clock: Send + Sync {
    /// Never goes back.
    fn now(&self) -> Instant;
    /// The time of day; an operator may set it back.
    fn wall(&self) -> SystemTime;
    /// Ends at this time.
    fn sleep_until(&self, at: Instant) -> Sleep;
}

/// The system's clock; its sleeps need a runtime with time.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep_until(&self, at: Instant) -> Sleep {
        Box::pin(tokio::time::sleep_until(at.into()))
    }
}

/// The time was over first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elapsed;

impl dyn Clock {
    /// Since 1970 UTC.
    pub fn since_1970(&self) -> Duration {
        self.wall().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    /// Milliseconds since 1970 UTC.
    pub fn unix_ms(&self) -> u64 {
        u64::try_from(self.since_1970().as_millis()).unwrap_or(u64::MAX)
    }

    /// Nanoseconds since 1970 UTC.
    pub fn unix_ns(&self) -> u64 {
        u64::try_from(self.since_1970().as_nanos()).unwrap_or(u64::MAX / 2)
    }

    /// So far from now; the furthest there is when that cannot be told.
    pub fn after(&self, time: Duration) -> Instant {
        const FAR: Duration = Duration::from_secs(100 * 365 * 86_400);
        let now = self.now();
        now.checked_add(time).unwrap_or_else(|| now + FAR)
    }

    /// Ends after this time.
    pub fn sleep(&self, time: Duration) -> Sleep {
        self.sleep_until(self.after(time))
    }

    /// The output of the future, if it is ready in this time.
    pub fn timeout<F: Future>(
        &self,
        time: Duration,
        future: F,
    ) -> impl Future<Output = Result<F::Output, Elapsed>> + use<F> {
        self.timeout_at(self.after(time), future)
    }

    /// The output of the future, if it is ready before this time.
    pub fn timeout_at<F: Future>(
        &self,
        at: Instant,
        future: F,
    ) -> impl Future<Output = Result<F::Output, Elapsed>> + use<F> {
        let mut sleep = self.sleep_until(at);
        async move {
            let mut future = std::pin::pin!(future);
            std::future::poll_fn(|context| {
                if let Poll::Ready(output) = future.as_mut().poll(context) {
                    return Poll::Ready(Ok(output));
                }
                sleep.as_mut().poll(context).map(|()| Err(Elapsed))
            })
            .await
        }
    }
}
