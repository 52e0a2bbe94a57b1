//! Places among the sessions of a link: how many there may be, and who waits for one.
//!
//! Not here: the sessions (`caller`), what the definition says of them (`definition`).

use crate::caller::Link;
use crate::routing::away::{NO_SESSION, QUEUE_FULL, QUEUED_TOO_LONG};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use transom_messages as messages;
use transom_recovery::guard::lock;

impl Link {
    /// Takes a place among the sessions, and waits for one as the definition allows.
    /// Else why not, and as DYRERROR has it.
    async fn enter(&self) -> Result<(), (u8, messages::Message)> {
        let limits = *lock(&self.limits);
        let Some(most) = limits.sessions.map(usize::from) else {
            self.used.fetch_add(1, Ordering::SeqCst);
            return Ok(());
        };
        if self.take_place(most) {
            return Ok(());
        }
        let no_session = || messages::is::no_session(self.name);
        let queued = self.waiting.fetch_add(1, Ordering::SeqCst);
        let _waits = Waits(&self.waiting);
        if limits
            .queue
            .is_some_and(|limit| queued >= usize::from(limit))
        {
            return Err((QUEUE_FULL, no_session()));
        }
        self.counts.queued.fetch_add(1, Ordering::Relaxed);
        let patience = limits.queue_seconds.map(|s| Duration::from_secs(s.into()));
        let free = async {
            loop {
                let freed = self.freed.notified();
                if self.take_place(most) {
                    return;
                }
                freed.await;
            }
        };
        match patience {
            None => free.await,
            Some(limit) => {
                let waited = tokio::time::timeout(limit, free).await;
                waited.map_err(|_| (QUEUED_TOO_LONG, no_session()))?;
            }
        }
        Ok(())
    }

    /// A place among the sessions, now or as soon as one is free.
    pub(crate) async fn place(&self, waits: bool) -> Result<(), (u8, messages::Message)> {
        self.counts.wanted.fetch_add(1, Ordering::Relaxed);
        let entered = match waits {
            true => self.enter().await,
            false => self.enter_at_once(),
        };
        if entered.is_err() {
            self.counts.in_use.fetch_add(1, Ordering::Relaxed);
        }
        entered
    }

    /// The same without waiting.
    fn enter_at_once(&self) -> Result<(), (u8, messages::Message)> {
        let limits = *lock(&self.limits);
        let most = limits.sessions.map_or(usize::MAX, usize::from);
        match self.take_place(most) {
            true => Ok(()),
            false => Err((NO_SESSION, messages::is::no_session(self.name))),
        }
    }

    fn take_place(&self, most: usize) -> bool {
        let free = |used: usize| (used < most).then_some(used + 1);
        let taken = self
            .used
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, free);
        taken.is_ok()
    }

    pub(crate) fn leave(&self) {
        self.used.fetch_sub(1, Ordering::SeqCst);
        self.freed.notify_one();
    }
}

/// Waits for a session.
struct Waits<'a>(&'a AtomicUsize);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
