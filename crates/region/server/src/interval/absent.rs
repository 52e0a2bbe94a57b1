//! Terminals that come and go: what becomes of START requests for them.
//!
//! What: a request waits for a terminal that has a definition, and a protected one for any
//! terminal, until it logs on; other requests are dropped when the terminal is gone. Not here:
//! which requests there are (`book`), their tasks (`launch`).

use super::Intervals;
use crate::replier::lock;
use crate::starter::NewTask;
use crate::terminal::TerminalEvents;
use std::collections::VecDeque;
use std::sync::Arc;
use transom_messages as messages;
use transom_starts::requests::Key;
use transom_types::TermId;

impl Intervals {
    /// The task of these requests found no place: it is tried again in a while.
    pub(super) fn again(self: &Arc<Self>, key: Key) {
        lock(&self.book).not_begun(&key);
        self.begin_later(key);
    }

    /// The terminal of these requests is not there.
    pub(super) fn wait_for_terminal(&self, key: Key) {
        let (terminal, transid) = key;
        let dropped = match self.terminals.is_defined(terminal) {
            true => 0,
            false => lock(&self.book).drop_unprotected(&key),
        };
        if dropped > 0 {
            let text = messages::ic::starts_dropped(transid, terminal, dropped);
            self.kernel.tell(text);
        }
    }
}

impl TerminalEvents for Intervals {
    fn terminal_arrived(&self, terminal: TermId) {
        let Some(me) = self.me.upgrade() else { return };
        let keys = lock(&self.book).keys_at(terminal);
        for key in keys {
            me.begin(key);
        }
    }

    fn terminal_gone(&self, terminal: TermId, _tasks: &VecDeque<NewTask>) {
        let is_defined = self.terminals.is_defined(terminal);
        let mut dropped = 0;
        {
            let mut book = lock(&self.book);
            for key in book.keys_at(terminal) {
                if book.is_running(&key) {
                    // A task in RETRIEVE WAIT: nothing can come any more.
                    if let Some(place) = book.terminals.get_mut(&key) {
                        place.waiter = None;
                    }
                } else {
                    book.not_begun(&key);
                }
                if !is_defined {
                    dropped += book.drop_unprotected(&key);
                }
            }
        }
        if dropped > 0 {
            self.kernel
                .tell(messages::zc::starts_dropped(terminal, dropped));
        }
    }
}
