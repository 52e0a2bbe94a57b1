//! Users who have gone: sign-off after the time without input their definition allows.
//!
//! As with GNTRAN=NO of CICS: the user is signed off, the pseudo-conversation is dropped and the
//! session shows its first screen again. A terminal whose task runs is left alone. Not here:
//! sessions without input (the door's `idle_seconds`).

use super::super::replier::lock;
use super::record::Terminal;
use super::{Terminals, run};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use transom_messages as messages;
use transom_types::{TermId, UserId};

/// How long a terminal whose task runs is left alone before the next look.
const BUSY: Duration = Duration::from_secs(10);

/// A sign-on that ends by itself.
pub(super) struct Limit {
    /// Tells this sign-on from the next one.
    pub(super) ticket: u64,
    /// Time without input.
    pub(super) idle: Duration,
}

/// Watches a sign-on until it ends or has been idle for too long.
pub(super) fn watch(terminals: &Arc<Terminals>, name: TermId, ticket: u64, idle: Duration) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let (region, clock) = (Arc::downgrade(terminals), terminals.kernel.clock.clone());
    runtime.spawn(async move {
        let mut wait = idle;
        loop {
            clock.sleep(wait).await;
            match look(&region, name, ticket) {
                Some(next) => wait = next,
                None => return,
            }
        }
    });
}

/// `None`: there is nothing more to watch.
fn look(region: &Weak<Terminals>, name: TermId, ticket: u64) -> Option<Duration> {
    let terminals = region.upgrade()?;
    let found = terminals.find(name)?;
    let mut terminal = lock(&found);
    if let Some(left) = left(&terminal, ticket, terminals.kernel.clock.now())? {
        return Some(left);
    }
    let user = terminal.user.take().unwrap_or(UserId::BLANK);
    terminal.limit = None;
    terminal.next = None;
    terminal.paging.forget_shown();
    drop(terminal);
    terminals
        .kernel
        .tell(messages::xs::idle_signed_off(user, name));
    run::good_morning(&terminals, &found);
    None
}

/// How long the sign-on still has; `Some(None)`: its time is over; `None`: it ended before.
fn left(terminal: &Terminal, ticket: u64, now: Instant) -> Option<Option<Duration>> {
    let limit = terminal.limit.as_ref().filter(|l| l.ticket == ticket)?;
    if terminal.gone {
        return None;
    }
    if terminal.task.is_some() {
        return Some(Some(BUSY.min(limit.idle)));
    }
    let unused = now.saturating_duration_since(terminal.touched);
    let left = limit.idle.checked_sub(unused);
    Some(left.filter(|left| !left.is_zero()))
}
