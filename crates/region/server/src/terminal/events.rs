//! What services hear of sessions.
//!
//! Why: terminals know no service that waits for one to arrive. Not here: what services do then.

use super::super::starter::NewTask;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};
use transom_types::TermId;

/// What services hear of sessions.
pub(crate) trait TerminalEvents: Send + Sync {
    /// A terminal has logged on, or takes tasks again.
    fn terminal_arrived(&self, terminal: TermId);
    /// A session is over. `tasks` waited for the terminal and will not run.
    fn terminal_gone(&self, terminal: TermId, tasks: &VecDeque<NewTask>);
}

/// Tells them.
#[derive(Default)]
pub(super) struct Announcer {
    /// Set once, before the first session.
    subscribers: OnceLock<Vec<Weak<dyn TerminalEvents>>>,
}

impl Announcer {
    /// Who hears of sessions, in this order.
    pub(super) fn subscribe<const N: usize>(&self, events: [Arc<dyn TerminalEvents>; N]) {
        // Set once: a region starts once.
        let _first = self
            .subscribers
            .set(events.iter().map(Arc::downgrade).collect());
    }

    pub(super) fn announce(&self, event: impl Fn(&dyn TerminalEvents)) {
        let subscribers = self.subscribers.get().into_iter().flatten();
        for subscriber in subscribers.filter_map(Weak::upgrade) {
            event(&*subscriber);
        }
    }
}
