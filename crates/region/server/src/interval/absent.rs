//! Terminals that come and go, and tasks that did not come to run: what becomes of START requests
//! for them.
//!
//! What: a request waits for a terminal that has a definition, and a protected one for any
//! terminal, until it logs on; other requests are dropped when the terminal is gone. What the
//! region had no place for is tried again. Not here: which requests there are (`book`), their tasks
//! (`launch`).

use super::super::Inner;
use super::super::replier::lock;
use super::super::starter::NewTask;
use super::super::transient_data;
use super::book::Key;
use super::launch;
use std::collections::VecDeque;
use std::sync::Arc;
use transom_messages as messages;
use transom_types::{AbendCode, TermId};
use transom_wire::interval::Owner;
use transom_wire::payload::{Section, Sections};

/// A task at a terminal got no number. Busy: what it was started for is tried again.
pub(in super::super) fn task_refused(inner: &Arc<Inner>, sections: &Sections, busy: bool) {
    if sections.get(Section::Terminal).is_none() {
        return;
    }
    match sections.get(Section::Retrieve).and_then(Owner::decode) {
        Some(Owner::Terminal(key)) if busy => again(inner, key),
        Some(Owner::Terminal(key)) => launch::over(inner, key),
        Some(Owner::Trigger(queue, cycle)) => {
            transient_data::not_started(inner, queue, cycle, busy);
        }
        _ => {}
    }
}

pub(super) fn again(inner: &Arc<Inner>, key: Key) {
    lock(&inner.services.intervals.book).not_begun(&key);
    launch::begin_later(inner, key);
}

/// The terminal of these requests is not there.
pub(super) fn waits(inner: &Inner, key: Key) {
    let (terminal, transid) = key;
    let dropped = match inner.terminals.is_defined(terminal) {
        true => 0,
        false => lock(&inner.services.intervals.book).drop_unprotected(&key),
    };
    if dropped > 0 {
        inner.tell(messages::ic::starts_dropped(transid, terminal, dropped));
    }
}

/// A terminal has logged on, or takes tasks again.
pub(in super::super) fn terminal_arrived(inner: &Arc<Inner>, terminal: TermId) {
    let keys = lock(&inner.services.intervals.book).keys_at(terminal);
    for key in keys {
        launch::begin(inner, key);
    }
}

/// A session is over. `tasks` waited for the terminal and will not run.
pub(in super::super) fn terminal_gone(
    inner: &Arc<Inner>,
    terminal: TermId,
    tasks: &VecDeque<NewTask>,
) {
    for task in tasks {
        let section = task.sections.get(Section::Retrieve);
        if let Some(Owner::Trigger(queue, cycle)) = section.and_then(Owner::decode) {
            transient_data::not_started(inner, queue, cycle, false);
        }
    }
    let is_defined = inner.terminals.is_defined(terminal);
    let mut dropped = 0;
    {
        let mut book = lock(&inner.services.intervals.book);
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
        inner.tell(messages::zc::starts_dropped(terminal, dropped));
    }
}

/// The region ends: tasks that wait for a further START get none.
pub(in super::super) fn end_waits(inner: &Inner) {
    let tasks = lock(&inner.services.intervals.book).retrieving();
    for task in tasks {
        inner.purge(task, AbendCode::from_field(b"AICB"), false);
    }
}
