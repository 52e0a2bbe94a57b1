//! Users who have gone: sign-off after the time without input their definition allows.
//!
//! As with GNTRAN=NO of CICS: the user is signed off, the pseudo-conversation is dropped and the
//! session shows its first screen again. A session at which nobody signs on ends. A terminal whose
//! task runs is left alone. Not here: sessions without input (the door's `idle_seconds`).

use super::super::kernel::Kernel;
use super::super::replier::lock;
use super::directory::Directory;
use super::record::{Limit, Terminal};
use super::run::TerminalTasks;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_messages as messages;
use transom_types::{TermId, UserId};

/// How long a terminal whose task runs is left alone before the next look.
const BUSY: Duration = Duration::from_secs(10);

/// Signs users off who have gone.
pub(super) struct IdleWatch {
    pub(super) kernel: Arc<Kernel>,
    pub(super) directory: Arc<Directory>,
    pub(super) tasks: Arc<TerminalTasks>,
}

impl IdleWatch {
    /// Watches a sign-on until it ends or has been idle for too long.
    pub(super) fn watch(self: &Arc<Self>, name: TermId, ticket: u64, idle: Duration) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (watch, clock) = (Arc::downgrade(self), self.kernel.clock.clone());
        runtime.spawn(async move {
            let mut wait = idle;
            loop {
                clock.sleep(wait).await;
                // The region may be gone meanwhile.
                let next = watch.upgrade().and_then(|watch| watch.look(name, ticket));
                match next {
                    Some(next) => wait = next,
                    None => return,
                }
            }
        });
    }

    /// `None`: there is nothing more to watch.
    fn look(&self, name: TermId, ticket: u64) -> Option<Duration> {
        let found = self.directory.find(name)?;
        let mut terminal = lock(&found);
        if let Some(left) = left(&terminal, ticket, self.kernel.clock.now())? {
            return Some(left);
        }
        if terminal.user.is_none() {
            terminal.limit = None;
            terminal.disconnect();
            self.kernel.tell(messages::zc::unsigned_ended(name));
            return None;
        }
        let user = terminal.forget_user().unwrap_or(UserId::BLANK);
        let unsigned = self.directory.config().unsigned;
        terminal.limit = unsigned.map(|idle| Limit { ticket, idle });
        terminal.touched = self.kernel.clock.now();
        drop(terminal);
        self.kernel.tell(messages::xs::idle_signed_off(user, name));
        self.tasks.good_morning(&found);
        unsigned
    }
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
